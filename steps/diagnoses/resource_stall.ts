/** Cause `resource_stall`: the machine slows or stops the run, not the training. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { type Course, courseOf, departure, levelOver } from "./view/course.ts";
import { latest, latestError } from "./view/pairs.ts";
import { ends, finiteOf, isNumber, median, recordsOf, show, TREND_VALUES, written } from "./view/numbers.ts";
import { type Message, type RunView, stepOf } from "./view/run_view.ts";
import { message, messageEvidence } from "./view/messages.ts";
import { onsetOfSize } from "./view/onset.ts";

const STOPPED =
  /out of memory|OutOfMemoryError|No space left on device|watchdog.{0,60}(?:timeout|timed out)|NCCL.{0,60}(?:timeout|timed out)|collective operation timeout|DataLoader worker .{0,40}(?:killed|exited)|Killed\s*$|SIGKILL|worker.{0,40}(?:died|was killed)|RayActorError|RayOutOfMemory|heartbeat/i;

const JITTER = 250; // What a shared machine adds to a train step of milliseconds without being a fault, ms.
const RECORDS = 12; // Records whose quarters have a median of some worth.
/** Times its own baseline that a train step is slow; from here in a run of ours it is no busy neighbour. */
const SLOW = 3, STALLED = 10;
/** Longer completions take longer: by half as much again nothing, twice as long explains all. */
const WITH_LENGTH = 1.5, TWICE = 2;
/** Times its start that a time, or memory, has risen that goes on rising, in standard errors; where it began. */
const RISEN = 1.5, SURE_SLOWER = 8;
const LATEST = 2; // Levels of the very end, before which two stretches must have grown as well.
const SHARE_OF_LENGTH = 0.3; // Part of the growth that completions may have: at more, they are why.
const BYTES = 1e9; // Of a gigabyte.
/** Single stalls that are a cause, and their share of the records; rows that are shown of them. */
const STALLS = 4, OFTEN = 0.25, SHOWN = 3;

export default defineDiagnosis({
  codes: ["X01", "X02", "R07"],
  wastes: "slow",
  severity: "warning",
  about: "The machine slows down or stops the run: memory, disk, a hung process, too many threads.",
  reads: ["step_ms", "tokens_per_second", "completion_length", "messages", "process_memory"],
  decision: [
    written`Slower: the median time of the last quarter (at least ${RECORDS} records) is above ${SLOW} times that of the first, the first record left out, while completions are not twice as long.`,
    written`Ever slower, over a long run: the time has risen to ${RISEN} times its start by ${SURE_SLOWER} standard errors and still rises, while completions grow by less than ${SHARE_OF_LENGTH} times as much.`,
    written`Stalls: at least a quarter of the records (and four) take more than ${SLOW} times the median.`,
    written`In a run of ours the parts of a train step are measured: all of them slower is a busy machine, a note below ${STALLED} times; slow rewards are a warning at ${SLOW} times.`,
    "A line says that memory, disk, a worker or a collective operation failed: a note where the run has gone on since.",
    "A note: memory that rises alike.",
  ],
  hint: "Look at other processes on the machine, memory, disk and the slowest reward function.",
  byHand: "Free memory or disk, use fewer threads per process, restart from the last checkpoint.",
  lookAlikes: { healthy: "a slow first step is compilation; longer completions take longer" },
  taughtBy: "catalogue X01: step time 16 times its baseline with a second process on two cores",
  check(view): Found | null {
    const time = view.column("step_ms"), stopped = message(view, STOPPED);
    const known = recordsOf(time).filter((record) => time[record]! > 0).slice(1);
    const found = known.length < RECORDS ? null : slower(view, known, stopped) ?? slows(view) ?? stalls(view, known);
    if (found !== null || stopped === null) return found ?? leaks(view);
    return {
      severity: wentOn(view, stopped) ? "info" : view.records > 0 ? "warning" : "error",
      trainSteps: stepOf(stopped),
      message: "The machine stopped the run",
      evidence: [messageEvidence(stopped)],
    };
  },
});

/** Train steps that have become slower than the first ones, at the same length. */
function slower(view: RunView, known: readonly number[], stopped: Message | null): Found | null {
  const values = known.map((record) => view.column("step_ms")[record]!);
  const { first, last } = ends(values), [early, late] = [median(first), median(last)], by = late - early;
  const length = view.finite("completion_length");
  const longer = length.length < TREND_VALUES
    ? 1
    : median(length.slice(-last.length)) / Math.max(1, median(length.slice(0, last.length)));
  if (late <= SLOW * early || by <= JITTER || late <= SLOW * early * Math.max(1, longer) / WITH_LENGTH) return null;
  if (longer >= TWICE) return null;
  const at = known.at(-1)!, scoring = slowdown(view, "score_ms", known, last.length);
  const isScoring = scoring > 0.5 * by;
  return {
    // Neighbours slow every part of a train step alike, for a while: in a run of ours that is a note.
    ...(view.imported || late / early > STALLED || scoring / by > 0.5 ? {} : { severity: "info" }),
    trainSteps: view.stepsAt(known.slice(slowFrom(view, known))),
    message: `A train step takes ${show(late)} ms, ${show(late / early)} times its own baseline, at the same length${
      isScoring ? "; the rewards take the time" : ""
    }`,
    evidence: [
      view.evidence("step_ms", known[0]!),
      view.evidence("step_ms", at),
      ...(isScoring ? [view.evidence("score_ms", at)] : []),
      ...(stopped === null ? [] : [messageEvidence(stopped)]),
    ],
  };
}

/** Index of the record from which on they are slower; what slows bit by bit is half done far behind where it began. */
function slowFrom(view: RunView, known: readonly number[]): number {
  const time = view.isWhole ? courseOf(view, "step_ms") : null;
  if (time === null) return onsetOfSize(known.map((record) => view.column("step_ms")[record]!));
  return known.indexOf(time.levels[departure(time, time.start, latest(time))]!.from);
}

/** The run was started again after it, and has gone on for as many train steps as that was. */
function wentOn(view: RunView, { trainStep }: Message): boolean {
  return trainStep !== null && (view.trainSteps.at(-1) ?? 0) - trainStep >= RECORDS;
}

/** True where a course grows by `times`, beyond its noise, and still does so at the end. */
function grows(found: Course, times: number): boolean {
  const { levels, width, start, noise } = found, now = latest(found), count = levels.length;
  if (now < times * start || now - start <= SURE_SLOWER * latestError(found) || count < 2 * width + LATEST) {
    return false;
  }
  const before = levelOver(levels, count - LATEST - width, count - LATEST);
  const earlier = levelOver(levels, count - LATEST - 2 * width, count - LATEST - width);
  return now - before > noise && before - earlier > noise;
}

/** Long runs: a train step takes ever longer while completions do not grow. */
function slows(view: RunView): Found | null {
  const time = courseOf(view, "step_ms"), length = courseOf(view, "completion_length");
  if (time === null || !view.imported || !grows(time, RISEN) || latest(time) - time.start <= JITTER) return null;
  const now = latest(time), times = now / time.start;
  if (length !== null && latest(length) / Math.max(1, length.start) > 1 + (times - 1) * SHARE_OF_LENGTH) return null;
  const onset = time.levels[departure(time, time.start, now)]!.from, last = time.records.at(-1)!;
  const memory = courseOf(view, "process_memory"), score = courseOf(view, "score_ms");
  const ofScore = score !== null && latest(score) - score.start > 0.5 * (now - time.start);
  const ofMemory = memory !== null && grows(memory, RISEN);
  return {
    trainSteps: view.stepsFrom(onset),
    message: `A train step takes ever longer: about ${show(time.start)} ms at first, ${
      show(now)
    } ms now, from train step ${view.trainSteps[onset]} on, at the same length${
      ofScore ? "; the rewards take the time" : ""
    }${ofMemory ? "; memory grows with it" : ""}`,
    evidence: [
      ...[time.records[0]!, onset, last].map((record) => view.evidence("step_ms", record)),
      ...(ofScore ? [view.evidence("score_ms", score.records.at(-1)!)] : []),
      ...(ofMemory ? [view.evidence("process_memory", memory.records.at(-1)!)] : []),
    ],
    ruledOut: length === null ? {} : { healthy: "completions do not grow with it" },
  };
}

/** Memory alone that grows and grows: a note until it fails. */
function leaks(view: RunView): Found | null {
  const memory = courseOf(view, "process_memory");
  if (memory === null || !grows(memory, RISEN)) return null;
  const now = latest(memory), onset = memory.levels[departure(memory, memory.start, now)]!.from;
  return {
    severity: "info",
    trainSteps: view.stepsFrom(onset),
    message: `Memory grows from about ${show(memory.start / BYTES)} to ${show(now / BYTES)} GB and does not stop`,
    evidence: [memory.records[0]!, onset, memory.records.at(-1)!].map((record) =>
      view.evidence("process_memory", record)
    ),
  };
}

/** Single train steps that take far longer than most, and not because they write more. */
function stalls(view: RunView, known: readonly number[]): Found | null {
  const time = view.column("step_ms"), typical = median(known.map((record) => time[record]!));
  const lengths = view.column("completion_length"), usual = median(finiteOf(lengths));
  const stalled = known.filter((record) =>
    time[record]! > SLOW * typical && (!isNumber(lengths[record]) || !(lengths[record]! > TWICE * usual))
  );
  if (stalled.length < Math.max(STALLS, OFTEN * known.length) || time[stalled[0]!]! <= typical + JITTER) return null;
  return {
    ...(view.imported ? {} : { severity: "info" as const }),
    trainSteps: view.stepsAt(stalled),
    message: `${stalled.length} of ${known.length} train steps take more than ${SLOW} times the median of ${
      show(typical)
    } ms`,
    evidence: stalled.slice(0, SHOWN).map((record) => view.evidence("step_ms", record)),
  };
}

/** By how many ms the median of a column has grown from the first to the last quarter; 0 where it is not measured. */
function slowdown(view: RunView, column: string, known: readonly number[], quarter: number): number {
  const values = known.map((record) => view.column(column)[record]);
  if (!values.every(isNumber)) return 0;
  return median(values.slice(-quarter) as number[]) - median(values.slice(0, quarter) as number[]);
}
