package io.muster.gateway.kafka.permissions;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Names for which the broker allowed something to the client of one connection, and when it is to be asked about each again. Any
 * thread.
 */
final class AllowedNames {
    /** More than any client asks about at a time; of the others the one is forgotten that was asked about longest ago. */
    private static final int MOST_NAMES = 1_000;

    private final PermissionRefresh refresh;
    private final Map<String, Long> askAgainAt = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > MOST_NAMES;
        }
    };
    private long authentications;

    AllowedNames(PermissionRefresh refresh) {
        this.refresh = refresh;
    }

    /** How often the client said anew who it is: what was asked before the last time does not count. */
    synchronized long authentication() {
        return authentications;
    }

    /** What is known of a name. */
    enum Known {
        NOT_ALLOWED,
        ALLOWED,
        /** Allowed, and to be asked about now. */
        ALLOWED_AND_DUE
    }

    /** What is known of the name. The caller asks about one that is due; it is due again soon in case that fails. */
    synchronized Known look(String name) {
        Long at = askAgainAt.get(name);
        if (at == null) {
            return Known.NOT_ALLOWED;
        }
        long now = refresh.nanoClock().getAsLong();
        if (now - at < 0) {
            return Known.ALLOWED;
        }
        askAgainAt.put(name, refresh.afterFailure(now));
        return Known.ALLOWED_AND_DUE;
    }

    /** Those of the names that are not allowed, as far as is known. */
    synchronized List<String> missing(Collection<String> names) {
        return names.stream().filter(name -> !askAgainAt.containsKey(name)).toList();
    }

    /** Takes those of the names that are due; the caller asks about them now. They are due again soon in case that fails. */
    synchronized List<String> takeDue(Collection<String> names) {
        return names.stream()
                .filter(name -> look(name) == Known.ALLOWED_AND_DUE)
                .toList();
    }

    /** Takes the broker's word, unless the client said anew who it is since {@code askedIn}. */
    synchronized void remember(String name, boolean allowed, long askedIn) {
        if (askedIn != authentications) {
            return;
        }
        if (allowed) {
            askAgainAt.put(name, refresh.afterAnswer(refresh.nanoClock().getAsLong()));
        } else {
            askAgainAt.remove(name);
        }
    }

    /** Forgets all, since the client says anew who it is. */
    synchronized void forget() {
        authentications++;
        askAgainAt.clear();
    }
}
