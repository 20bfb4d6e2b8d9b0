package io.muster.raft;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.RaftServerConfigKeys.Log.CorruptionPolicy;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.segmented.LogSegment;
import org.apache.ratis.server.raftlog.segmented.LogSegmentPath;
import org.apache.ratis.util.SizeInBytes;
import org.jspecify.annotations.Nullable;

/** The entries of a shard's Raft log as they lie in its files, before Ratis opens them. */
final class LogOnDisk {
    private static final Pattern SEGMENT = Pattern.compile("log_(?:inprogress_)?(\\d+)(?:-\\d+)?");
    private static final SizeInBytes LARGEST_ENTRY = SizeInBytes.valueOf("64MB");

    private record Segment(Path path, long first) {}

    private final List<Segment> segments = new ArrayList<>();

    /** @param current Ratis's directory of the log */
    LogOnDisk(Path current) throws IOException {
        for (Path path : FileTrees.list(current)) {
            Matcher name = SEGMENT.matcher(path.getFileName().toString());
            if (name.matches()) {
                segments.add(new Segment(path, Long.parseLong(name.group(1))));
            }
        }
        segments.sort((a, b) -> Long.compare(a.first(), b.first()));
    }

    /** Index of the first entry that can be there; empty if there is no segment. */
    OptionalLong firstIndex() {
        return segments.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(segments.get(0).first());
    }

    /** The last entry; empty if there is none. Reads a segment or two. */
    Optional<TermIndex> last() throws IOException {
        for (int i = segments.size() - 1; i >= 0; i--) {
            @Nullable TermIndex[] last = {null};
            read(segments.get(i).path(), entry -> last[0] = TermIndex.valueOf(entry));
            if (last[0] != null) {
                return Optional.of(last[0]);
            }
        }
        return Optional.empty();
    }

    /** The term of an entry; empty if the log does not hold it. Reads a segment. */
    OptionalLong termOf(long index) throws IOException {
        Optional<Segment> holder =
                segments.stream().filter(each -> each.first() <= index).reduce((a, b) -> b);
        return holder.isPresent() ? termOf(index, holder.get().path()) : OptionalLong.empty();
    }

    private static OptionalLong termOf(long index, Path segment) throws IOException {
        long[] term = {-1};
        read(segment, entry -> {
            if (entry.getIndex() == index) {
                term[0] = entry.getTerm();
            }
        });
        return term[0] < 0 ? OptionalLong.empty() : OptionalLong.of(term[0]);
    }

    private static void read(Path segment, Consumer<LogEntryProto> reader) throws IOException {
        LogSegment.readSegmentFile(
                segment.toFile(),
                LogSegmentPath.matchLogSegment(segment).getStartEnd(),
                LARGEST_ENTRY,
                CorruptionPolicy.WARN_AND_RETURN,
                null,
                reader);
    }
}
