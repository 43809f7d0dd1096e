/**
 * The step `diagnose`: asks the rules about the run so far, every train step.
 *
 * Two looks. The last train steps are looked at by the rules that need no more: in each train step in which a number is
 * not finite, else as often as a hundredth of the time allows. Every n-th, n growing with the run, the whole run is, as
 * `diagnose` does afterwards: trends are seen there only. What the whole run alone shows must have been there one such
 * look before. The first eight train steps, the last one before anything has a course, the 16th, 32nd, 64th and so on
 * are looked at whatever the time, from the 32nd on in both ways, and later ones save what that takes: a run that is dead
 * from its start is found before it is twice as long as it takes to tell.
 * @module
 */
import { z } from "zod";
import { TABLES } from "../data/columns.ts";
import { columnArray, tableOfRows } from "../data/tables/mod.ts";
import { diagnoseRun } from "./diagnoses/diagnose_run.ts";
import { SEVERITIES } from "../data/severity.ts";
import { TimeShare } from "../data/time_share.ts";
import type { Finding } from "./diagnoses/diagnosis.ts";
import { COURSE_VALUES } from "./diagnoses/view/course.ts";
import { liveRows, rowsUntil } from "./diagnoses/view/live_rows.ts";
import { tableView } from "./diagnoses/view/table_view.ts";
import { defineStep, type StepContext } from "./step.ts";

export const diagnose = defineStep({
  about: "Ask the rules whether the run is healthy",
  params: z.strictObject({
    on_error: z.enum(["stop", "warn"]).default("stop").describe("what an error does; a fatal finding always stops"),
    window: z.int().min(8).max(1024).optional().describe(
      "train steps that the rules look back, trends too; if absent 128 of rollouts, every so often the whole run, and " +
        "the whole of a step that trains by itself",
    ),
  }),
  reads: { metrics: [] },
  writes: {
    findings: Object.keys(TABLES.findings) as (keyof typeof TABLES.findings)[],
  },
  outputs: z.object({
    findings: z.int().describe("findings of warning or worse"),
    worst: z.string().nullable().describe("severity of the worst finding, or null"),
  }),
  run({ on_error, window }, context) {
    const findings = window === undefined ? findingsInTime(context) : lastSteps(context, window, true);
    const alarms = findings.filter((f) => f.severity !== "info");
    const worst = SEVERITIES.find((severity) => findings.some((f) => f.severity === severity)) ?? null;
    const stopping = alarms.find((f) => f.severity === "fatal" || (f.severity === "error" && on_error === "stop"));
    return {
      ...(findings.length ? { tables: { findings: findingsTable(findings, context.trainStep) } } : {}),
      outputs: { findings: alarms.length, worst },
      ...(stopping ? { stop: `${stopping.cause}: ${stopping.message}` } : {}),
    };
  },
});

/** Train steps of rollouts that the rules look back where nothing is said. */
const WINDOW = 128;
/** Train steps between two looks at the whole run, at least; and looks while a run doubles, at least. */
const OFTEN = 8, PER_DOUBLING = 32;
/** Up to here no metric has a course, and the last train steps are all there is: what they tell needs no look before. */
const NO_COURSE = COURSE_VALUES - 1;
/** From here on a trend can have been there one look before. */
const TREND = 2 * COURSE_VALUES;

/** Of the time of a run, what `diagnose` may take; and looks of it: they leave the rest to the train steps without one. */
const SHARE = 0.01, LOOKS = 0.5;
/** The time that each step's looks at a run have taken, as long as the run goes on: its folders are one object. */
const TAKEN = new WeakMap<StepContext["folders"], Map<string, TimeShare>>();

/** What a look finds, nothing where none is due; a run that is to be repeated to the bit is looked at in every train step. */
function findingsInTime(context: StepContext): readonly Finding[] {
  if (context.deterministic) return findingsOf(context, isWholeDue(context.trainStep));
  const taken = takenBy(context), isOftenDue = isWholeDue(context.trainStep);
  taken.turn();
  const isAnyway = taken.isOnCredit || context.trainStep === NO_COURSE;
  const isDue = isAnyway || taken.isEnough || isOftenDue && taken.isLeft || isNotFinite(context);
  const isWhole = isOftenDue || taken.isOnCredit && taken.turns >= TREND;
  return isDue ? taken.spend(() => findingsOf(context, isWhole)) : [];
}

function takenBy({ folders, stepId, now }: StepContext): TimeShare {
  const ofRun = TAKEN.get(folders) ?? new Map<string, TimeShare>(),
    taken = ofRun.get(stepId) ?? new TimeShare(SHARE * LOOKS, now);
  TAKEN.set(folders, ofRun.set(stepId, taken));
  return taken;
}

const isWholeDue = (trainStep: number) => trainStep > NO_COURSE && trainStep % everySteps(trainStep) === 0;

/** Whether a metric of this train step is NaN or infinite, or something was said of it. */
function isNotFinite(context: StepContext): boolean {
  if (context.table("messages").numRows() > 0) return true;
  // Asked in every train step: plain loops.
  const metrics = context.table("metrics"), rows = metrics.numRows();
  for (const name of metrics.columnNames()) {
    const values = columnArray(metrics, name);
    for (let row = 0; row < rows; row++) {
      const value = values[row];
      if (typeof value === "number" && !Number.isFinite(value)) return true;
    }
  }
  return false;
}

/** What both looks find: what the whole run shows, most likely first, then what the last train steps show besides. */
function findingsOf(context: StepContext, isWhole: boolean): readonly Finding[] {
  const { trainStep } = context;
  if (trainsByItself(context)) return lastSteps(context, Math.max(WINDOW, trainStep + 1), true);
  if (trainStep <= NO_COURSE) return lastSteps(context, WINDOW, true);
  const last = lastSteps(context, WINDOW, false);
  return isWhole ? joined(wholeRun(context, last), last) : last;
}

function lastSteps(context: StepContext, window: number, isWhole: boolean): readonly Finding[] {
  return diagnoseRun(tableView(liveRows(context, window), isWhole)).findings;
}

/** Of the whole run what the last train steps show too, and what it showed one look before. */
function wholeRun(context: StepContext, last: readonly Finding[]): readonly Finding[] {
  const { trainStep } = context,
    rows = liveRows(context, trainStep + 1),
    findings = diagnoseRun(tableView(rows)).findings;
  const known = new Set(last.map(({ cause }) => cause));
  if (findings.every(({ cause }) => known.has(cause))) return findings;
  const before = diagnoseRun(tableView(rowsUntil(rows, trainStep - everySteps(trainStep)))).findings;
  for (const { cause } of before) known.add(cause);
  return findings.filter(({ cause }) => known.has(cause));
}

function joined(whole: readonly Finding[], last: readonly Finding[]): readonly Finding[] {
  const known = new Set(whole.map(({ cause }) => cause));
  return [...whole, ...last.filter(({ cause }) => !known.has(cause))];
}

/** Train steps from one look at the whole run to the next: a power of two, so that looks keep in step as they get rarer. */
export function everySteps(trainStep: number): number {
  return Math.max(OFTEN, 2 ** Math.floor(Math.log2(trainStep / PER_DOUBLING)));
}

/** True for a step that makes its updates by itself: it is judged once, and its first ones prove most. */
function trainsByItself({ history }: StepContext): boolean {
  const rows = history("metrics", WINDOW);
  const phases = rows.column("phase") ? columnArray(rows, "phase") as ArrayLike<string | null> : [];
  return (phases[phases.length - 1] ?? "rollout") !== "rollout";
}

/** Rows of the table `findings`. */
export function findingsTable(findings: readonly Finding[], trainStep: number) {
  const rows = findings.map(({ cause, codes, severity, train_steps, message, hint, evidence, remedy, ruled_out }) => ({
    train_step: trainStep,
    ...{ cause, codes, severity, train_steps, message, hint },
    evidence: JSON.stringify(evidence.map(printable)),
    remedy: JSON.stringify(remedy),
    ruled_out: JSON.stringify(ruled_out),
  }));
  return tableOfRows("findings", rows);
}

/** JSON lacks NaN and Infinity. */
function printable<T extends { readonly value: unknown }>(evidence: T): T {
  const { value } = evidence;
  return typeof value === "number" && !Number.isFinite(value) ? { ...evidence, value: String(value) } : evidence;
}
