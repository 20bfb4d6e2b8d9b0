package io.muster.raft;

import io.muster.runtime.ProposalOutcome.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/** Translates verdicts to a byte each; they travel within one node only. */
final class VerdictCodec {

    private VerdictCodec() {}

    static ByteString encode(List<Verdict> verdicts) {
        byte[] bytes = new byte[verdicts.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (verdicts.get(i) == Verdict.APPLIED ? 1 : 0);
        }
        return ByteString.copyFrom(bytes);
    }

    static List<Verdict> decode(ByteString bytes) {
        List<Verdict> verdicts = new ArrayList<>(bytes.size());
        for (int i = 0; i < bytes.size(); i++) {
            verdicts.add(bytes.byteAt(i) == 1 ? Verdict.APPLIED : Verdict.CONFLICT);
        }
        return verdicts;
    }
}
