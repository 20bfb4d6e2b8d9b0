package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A script of requests, and the transcripts that Kafka 4.4.0 and Muster made of it.
 *
 * @param name begins with the area: {@code consumer-}, {@code streams-}, {@code classic-} and so on
 * @param script what to set up and the steps
 * @param expected Kafka's transcript
 * @param ownOfMuster Muster's, where it means to answer otherwise
 */
record ConformanceCase(String name, JsonNode script, JsonNode expected, Optional<JsonNode> ownOfMuster) {
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String SUFFIX = ".yaml";

    /** Every case, by name. */
    static List<ConformanceCase> all() {
        Path cases = folder("/conformance/cases");
        Path expected = folder("/conformance/expected");
        Path own = folder("/conformance/muster");
        try (var files = Files.list(cases)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(SUFFIX))
                    .map(file -> file.substring(0, file.length() - SUFFIX.length()))
                    .sorted()
                    .map(name -> new ConformanceCase(
                            name,
                            read(YAML, cases.resolve(name + SUFFIX)),
                            read(JSON, expected.resolve(name + ".json")),
                            Optional.of(own.resolve(name + ".json"))
                                    .filter(Files::exists)
                                    .map(file -> read(JSON, file))))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    JsonNode topics() {
        return script.path("topics");
    }

    JsonNode groupConfigs() {
        return script.path("groupConfigs");
    }

    JsonNode steps() {
        return script.path("steps");
    }

    /** Whether the words of errors are compared, not only their codes. */
    boolean strictMessages() {
        return script.path("strictMessages").asBoolean(false);
    }

    @Override
    public String toString() {
        return name;
    }

    private static JsonNode read(ObjectMapper format, Path file) {
        try {
            return format.readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path folder(String resource) {
        URL url = ConformanceCase.class.getResource(resource);
        if (url == null) {
            throw new IllegalStateException("no resource " + resource);
        }
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
