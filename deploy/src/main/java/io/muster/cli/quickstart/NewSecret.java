package io.muster.cli.quickstart;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;

/** Makes a cluster's secret. */
final class NewSecret {
    private static final int BYTES = 32;

    private NewSecret() {}

    /** Writes a random secret for the eyes of its owner only; one that is there already stays. */
    static void write(Path file) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        byte[] random = new byte[BYTES];
        new SecureRandom().nextBytes(random);
        Files.createFile(file, ownersOnly());
        Files.writeString(file, Base64.getEncoder().encodeToString(random) + System.lineSeparator());
    }

    private static FileAttribute<?>[] ownersOnly() {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
