package io.muster.cli.config;

import io.muster.runtime.ClusterSecret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** The file that holds the cluster's secret: one line, for the eyes of its owner only. */
public final class SecretFile {
    private static final Set<PosixFilePermission> OTHERS = EnumSet.of(
            PosixFilePermission.GROUP_READ,
            PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OTHERS_READ,
            PosixFilePermission.OTHERS_WRITE);

    private SecretFile() {}

    /**
     * Reads the secret.
     *
     * @param key where the file is named, for the complaint
     * @throws ConfigException if it cannot be used, with one line that says why
     */
    public static ClusterSecret read(String key, Path file) throws ConfigException {
        try {
            requireOwnersOnly(key, file);
            String secret = Files.readString(file).strip();
            if (secret.length() < ClusterSecret.LEAST_CHARACTERS
                    || secret.lines().count() != 1) {
                throw new ConfigException(key + ": " + file + " must hold one line of " + ClusterSecret.LEAST_CHARACTERS
                        + " characters or more");
            }
            return new ClusterSecret(secret);
        } catch (IOException e) {
            throw new ConfigException(key + ": " + file + " cannot be read");
        }
    }

    private static void requireOwnersOnly(String key, Path file) throws IOException, ConfigException {
        PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (view == null || !Files.exists(file, new LinkOption[0])) {
            return; // a file system without owners; or no file, which reading it will say
        }
        for (PosixFilePermission permission : view.readAttributes().permissions()) {
            if (OTHERS.contains(permission)) {
                throw new ConfigException(
                        key + ": " + file + " can be read or written by others than its owner; run chmod 600 on it");
            }
        }
    }
}
