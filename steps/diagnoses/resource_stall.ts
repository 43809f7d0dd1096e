/** Cause `resource_stall`: the machine slows or stops the run, not the training. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { finiteOf, isNumber, median, show } from "./view/numbers.ts";
import { type RunView, stepOf } from "./view/run_view.ts";
import { message, messageEvidence } from "./view/messages.ts";
import { onsetOfSize } from "./view/onset.ts";

const STOPPED =
  /out of memory|OutOfMemoryError|No space left on device|watchdog.{0,60}(?:timeout|timed out)|NCCL.{0,60}(?:timeout|timed out)|collective operation timeout|DataLoader worker .{0,40}(?:killed|exited)|Killed\s*$|SIGKILL|worker.{0,40}(?:died|was killed)|RayActorError|RayOutOfMemory|heartbeat/i;

/** What a shared machine adds to a train step of milliseconds without being a fault, ms. */
const JITTER = 250;

export default defineDiagnosis({
  codes: ["X01", "X02", "R07"],
  severity: "warning",
  about: "The machine slows down or stops the run: memory, disk, a hung process, too many threads.",
  reads: ["step_ms", "tokens_per_second", "completion_length", "messages", "process_memory"],
  decision:
    "The median time of the last quarter (at least 12 records) is above 3 times the median of the first quarter, the first record left out, while completions are not twice as long; or at least a quarter of the records (and four) take more than 3 times the median. In a run of ours the parts of a train step are measured: all of them slower is a busy machine, a note below 10 times; slow rewards are a warning at 3 times. Or a line says that memory, disk, a worker or a collective operation failed.",
  hint: "Look at other processes on the machine, memory, disk and the slowest reward function.",
  byHand: "Free memory or disk, use fewer threads per process, restart from the last checkpoint.",
  lookAlikes: { healthy: "a slow first step is compilation; longer completions take longer" },
  taughtBy: "catalogue X01: step time 16 times its baseline with a second process on two cores",
  check(view): Found | null {
    const time = view.column("step_ms");
    const known = time.flatMap((value, record) => isNumber(value) && value > 0 ? [record] : []).slice(1);
    const stopped = message(view, STOPPED);
    if (known.length >= 12) {
      const quarter = Math.floor(known.length / 4);
      const values = known.map((record) => time[record]!);
      const [early, late] = [median(values.slice(0, quarter)), median(values.slice(-quarter))];
      const length = view.finite("completion_length");
      const longer = length.length < 8
        ? 1
        : median(length.slice(-quarter)) / Math.max(1, median(length.slice(0, quarter)));
      if (
        late > 3 * early && late - early > JITTER && late > 3 * early * Math.max(1, longer) / 1.5 &&
        longer < 2
      ) {
        const at = known.at(-1)!;
        const scoring = slowdown(view, "score_ms", known, quarter);
        return {
          ...(severityOf(view, late / early, scoring / (late - early))),
          trainSteps: known.slice(onsetOfSize(values)).map((record) => view.trainSteps[record]!),
          message: `A train step takes ${show(late)} ms, ${
            show(late / early)
          } times its own baseline, at the same length${
            scoring > 0.5 * (late - early) ? "; the rewards take the time" : ""
          }`,
          evidence: [
            view.evidence("step_ms", known[0]!),
            view.evidence("step_ms", at),
            ...(scoring > 0.5 * (late - early) ? [view.evidence("score_ms", at)] : []),
            ...(stopped === null ? [] : [messageEvidence(stopped)]),
          ],
        };
      }
    }
    const typical = median(known.map((record) => time[record]!));
    const stalls = known.length < 12 ? [] : known.filter((record) => time[record]! > 3 * typical);
    const lengths = view.column("completion_length");
    const usual = median(finiteOf(lengths));
    const unexplained = stalls.filter((record) => !isNumber(lengths[record]) || !(lengths[record]! > 2 * usual));
    if (unexplained.length >= Math.max(4, 0.25 * known.length) && time[unexplained[0]!]! > typical + JITTER) {
      return {
        ...(view.imported ? {} : { severity: "info" as const }),
        trainSteps: view.stepsAt(unexplained),
        message: `${unexplained.length} of ${known.length} train steps take more than 3 times the median of ${
          show(typical)
        } ms`,
        evidence: unexplained.slice(0, 3).map((record) => view.evidence("step_ms", record)),
      };
    }
    if (stopped === null) return null;
    return {
      severity: view.records > 0 ? "warning" : "error",
      trainSteps: stepOf(stopped),
      message: "The machine stopped the run",
      evidence: [messageEvidence(stopped)],
    };
  },
});

/** By how many ms the median of a column has grown from the first to the last quarter; 0 where it is not measured. */
function slowdown(view: RunView, column: string, known: readonly number[], quarter: number): number {
  const values = known.map((record) => view.column(column)[record]);
  if (!values.every(isNumber)) return 0;
  return median(values.slice(-quarter) as number[]) - median(values.slice(0, quarter) as number[]);
}

/** Neighbours slow every part of a train step alike, for a while: in a run of ours that is a note. */
function severityOf(view: RunView, times: number, scoring: number): { severity?: "info" } {
  return view.imported || times > 10 || scoring > 0.5 ? {} : { severity: "info" };
}
