package io.muster.cli.quickstart;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Archives of loaded classes (class data sharing) of the quickstart's processes, with which they start in half the time. The first
 * quickstart leaves them behind, {@code bin/muster} takes them into use and throws them away when they no longer fit.
 *
 * @param prefix path and beginning of the names of all archives; empty if there are none
 */
record ClassArchives(String prefix) {
    /** What {@code bin/muster} found out. */
    static ClassArchives ofThisRun() {
        return new ClassArchives(System.getProperty("muster.archives", ""));
    }

    /**
     * The options with which a child uses its archive.
     *
     * @param kind of process; processes of one kind load the same classes
     */
    List<String> use(String kind) {
        return !prefix.isEmpty() && Files.exists(archive(kind))
                ? List.of("-XX:SharedArchiveFile=" + archive(kind))
                : List.of();
    }

    /** As {@link #use}; if there is no archive yet, the child writes one when it ends. At most one child of a kind may. */
    List<String> useOrWrite(String kind) {
        if (prefix.isEmpty() || Files.exists(archive(kind))) {
            return use(kind);
        }
        String unfinished = archive(kind) + "." + ProcessHandle.current().pid() + ".new";
        return List.of("-XX:ArchiveClassesAtExit=" + unfinished, "-Xlog:disable");
    }

    private Path archive(String kind) {
        return Path.of(prefix + "-" + kind + ".jsa");
    }
}
