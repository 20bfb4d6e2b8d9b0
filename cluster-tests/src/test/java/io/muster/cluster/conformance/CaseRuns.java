package io.muster.cluster.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Runs of cases against one target, several at a time, since most of what a case does is to wait. */
final class CaseRuns implements AutoCloseable {
    private static final int AT_A_TIME = 5;
    private static final long LIMIT_MINUTES = 10;
    /** The case that waits longest, begun first so that the others run beside it. */
    private static final String LONGEST = "classic-session-timeout";

    private final ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
    private final Map<String, Future<JsonNode>> transcripts = new LinkedHashMap<>();

    private CaseRuns() {}

    /** Begins to run these cases. */
    static CaseRuns start(List<ConformanceCase> cases, Target target) {
        CaseRuns runs = new CaseRuns();
        cases.stream().filter(each -> each.name().equals(LONGEST)).forEach(each -> runs.submit(each, target));
        cases.stream().filter(each -> !each.name().equals(LONGEST)).forEach(each -> runs.submit(each, target));
        return runs;
    }

    /** What the target made of the case; waits for the end of the run. */
    JsonNode transcript(ConformanceCase script) throws ExecutionException, InterruptedException, TimeoutException {
        return transcripts.get(script.name()).get(LIMIT_MINUTES, TimeUnit.MINUTES);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private void submit(ConformanceCase script, Target target) {
        transcripts.put(script.name(), threads.submit(() -> CaseRun.transcript(script, target)));
    }
}
