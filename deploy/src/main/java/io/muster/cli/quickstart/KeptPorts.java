package io.muster.cli.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The ports of a quickstart's own that nobody chose. Kafka and the nodes store each other's addresses, so they stay those that the
 * directory was begun with.
 */
final class KeptPorts {
    private static final String NAME = "ports";

    private KeptPorts() {}

    /**
     * Those of the directory, or free ones that it is begun with.
     *
     * @throws QuickstartException if one is in use, or the directory does not say which they are
     */
    static List<Integer> of(Path directory, int count) throws IOException, QuickstartException {
        Path file = directory.resolve(NAME);
        if (!Files.exists(file)) {
            return begin(directory, file, count);
        }
        List<Integer> ports = read(file);
        if (ports.size() != count) {
            throw new QuickstartException(file + " is damaged; choose another directory with --data");
        }
        for (int port : ports) {
            if (!FreePorts.isFree(port)) {
                throw new QuickstartException("port " + port + ", which " + directory
                        + " was begun with, is in use; end what uses it, or choose another directory with --data");
            }
        }
        return ports;
    }

    private static List<Integer> begin(Path directory, Path file, int count) throws IOException, QuickstartException {
        if (Files.exists(directory.resolve("node-1"))) {
            throw new QuickstartException(
                    directory + " holds the data of an earlier quickstart and does not say on which"
                            + " ports; choose another directory with --data");
        }
        List<Integer> free = FreePorts.find(count);
        Files.write(file, free.stream().map(String::valueOf).toList());
        return free;
    }

    private static List<Integer> read(Path file) throws IOException, QuickstartException {
        try {
            return Files.readAllLines(file).stream().map(Integer::valueOf).toList();
        } catch (NumberFormatException e) {
            throw new QuickstartException(file + " is damaged; choose another directory with --data", e);
        }
    }
}
