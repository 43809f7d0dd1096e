/**
 * Runs a matrix by successive halving: all runs up to a train step, where they pause; the best go on by resume.
 *
 * What is decided depends on the rows that the runs have stored and on nothing else: whoever goes through the same folders
 * again, after an interruption, comes to the same decisions.
 * @module
 */
import { join } from "node:path";
import { openRunFolder, type RunFolder } from "../../data/open_run_folder.ts";
import type { TableName } from "../../data/columns.ts";
import type { RunManifest } from "../../data/run_folder.ts";
import { missingText } from "../../data/segment_digests.ts";
import { shownNumber } from "../../data/shown_number.ts";
import { moments } from "../../data/statistics/mod.ts";
import { columnArray } from "../../data/tables/mod.ts";
import { going, type HalvingPlan } from "../plan/halving.ts";
import type { Plan } from "../plan/plan.ts";
import { readManifest, writeManifest } from "../store/manifest.ts";
import { type MatrixOptions, type MatrixRun, runMatrix } from "./matrix.ts";

/** Train steps at the end of which a metric is averaged: one alone is noise. */
export const LAST = 10;

/** What run.json says of a run of a halved matrix. */
type HalvingRecord = NonNullable<RunManifest["halving"]>;

/** What run.json says of a run that has not been compared yet. */
export function newRecord({ given }: Plan, { metric, mode }: HalvingPlan, sweep: string): HalvingRecord {
  const { params, settings, cell } = given;
  return { sweep, cell: cell ?? 1, metric, mode, given: { params, settings }, rungs: [] };
}

/** The name that the runs of one matrix share. */
export function newSweep(): string {
  return crypto.randomUUID();
}

/** One group where runs were compared. */
interface Judged {
  /** Runs, from 0, that are judged together. */
  readonly cells: readonly number[];
  /** Their mean; NaN where one has failed or its metric is not finite. */
  readonly value: number;
  /** Why the mean is no number, where it is none. */
  readonly cause?: string | null;
}

/** What was decided at a rung. */
export interface Rung {
  readonly trainStep: number;
  /** Best first; of equals the first of the matrix. */
  readonly ranked: readonly Judged[];
  /** How many of them go on. */
  readonly kept: number;
}

interface HalvingOptions extends Omit<MatrixOptions, "each" | "failFast"> {
  readonly failFast: boolean;
  /** Ids of runs that are there already, by run of the matrix; a matrix that is resumed has them. */
  readonly started: readonly (string | null)[];
  /** The name that the runs share. */
  readonly sweep: string;
  /** Hears what was decided, as soon as it is. */
  readonly onRung?: (rung: Rung) => void;
  /** Id of a run that was run in a child process. */
  readonly idOf?: (index: number) => string | null;
}

/** Runs every plan as far as it earns; results in the order of the plans. Throws RangeError where a run wrote no metric. */
export async function runHalving(
  plans: readonly Plan[],
  halving: HalvingPlan,
  { started, sweep, onRung = () => {}, idOf = () => null, ...options }: HalvingOptions,
): Promise<MatrixRun[]> {
  const { metric, mode, factor, rungs, groups } = halving, ids = [...started];
  const runs: MatrixRun[] = plans.map((plan, i) => ({
    plan,
    exitCode: 0,
    result: null,
    started: false,
    runId: started[i]!,
  }));
  const folder = (cell: number) => openRunFolder(join(options.runsFolder, ids[cell]!));
  const stretch = async (cells: readonly number[], pauseAt: number | null) => {
    const due = cells.filter((cell) => ids[cell] === null || isDue(folder(cell).manifest, pauseAt));
    let missing: unknown = null;
    const results = await runMatrix(due.map((cell) => plans[cell]!), {
      ...options,
      each: (i) => {
        const id = ids[due[i]!]!, pause = pauseAt === null ? {} : { pauseAt };
        if (id !== null) return { ...pause, resume: id };
        return { ...pause, manifest: { ...options.manifest, halving: newRecord(plans[due[i]!]!, halving, sweep) } };
      },
      onRun: (result, i) => {
        const cell = due[i]!;
        // A repair may have gone on under an id of its own.
        ids[cell] = result.result?.runId ?? idOf(cell) ?? ids[cell]!;
        runs[cell] = { ...result, runId: ids[cell] };
        if (pauseAt === null || ids[cell] === null || isDue(folder(cell).manifest, pauseAt)) return true;
        try {
          valueAt(folder(cell), metric, pauseAt);
        } catch (error) {
          // The others would train as far for nothing.
          missing ??= error;
        }
        return missing === null;
      },
      ...(options.inChild === undefined ? {} : { inChild: (plan, i, more) => options.inChild!(plan, due[i]!, more) }),
    });
    if (missing !== null) throw missing;
    const isHalted = options.stop?.requested || (options.failFast && results.some(({ exitCode }) => exitCode !== 0));
    // A run that was refused, or whose process was killed, has not come as far as the others: it cannot be compared.
    return !isHalted && cells.every((cell) => ids[cell] !== null && !isDue(folder(cell).manifest, pauseAt));
  };

  let alive = groups;
  for (const trainStep of rungs) {
    if (!await stretch(alive.flat(), trainStep)) return runs;
    const judged = alive.map((cells) => {
      const values = cells.map((cell) => valueAt(folder(cell), metric, trainStep));
      const without = cells.find((_, i) => Number.isNaN(values[i]));
      return { cells, value: mean(values), cause: without === undefined ? null : causeOf(folder(without), metric) };
    });
    const rung = rank(judged, mode, factor, trainStep);
    alive = rung.ranked.slice(0, rung.kept).map(({ cells }) => cells).sort((a, b) => a[0]! - b[0]!);
    for (const [i, group] of rung.ranked.entries()) {
      for (const cell of group.cells) note(folder(cell).path, metric, rung, i);
    }
    onRung(rung);
  }
  await stretch(alive.flat(), null);
  return runs;
}

/** Groups from best to worst, and how many go on. NaN is worst. */
export function rank(groups: readonly Judged[], mode: HalvingPlan["mode"], factor: number, trainStep: number): Rung {
  const goodness = ({ value }: Judged) => Number.isNaN(value) ? -Infinity : mode === "max" ? value : -value;
  const ranked = groups.toSorted((a, b) => goodness(b) === goodness(a) ? 0 : goodness(b) - goodness(a));
  return { trainStep, ranked, kept: going(groups.length, factor) };
}

/** Runs that came to an end of their own stay as they are; of the others those are due that have not come so far. */
function isDue({ status, train_step }: RunManifest, pauseAt: number | null): boolean {
  if (["ok", "failed", "stopped", "pruned"].includes(status)) return false;
  // A paused run has ended its train step; one that was stopped in between has not.
  return pauseAt === null || train_step < pauseAt || (status !== "paused" && train_step === pauseAt);
}

/** Rows by which runs are compared are lost; run again up to there, the run has them. */
export class LostRows extends RangeError {
  override readonly name = "LostRows";
  constructor(readonly run: string, readonly trainStep: number, reason: string, cause?: unknown) {
    super(`Cannot compare the runs of the matrix after train step ${trainStep}: ${reason}`, { cause });
  }
}

/** A table by which runs are compared: all of its rows, or none. */
function wholeTable({ manifest: { id }, path, table, missing }: RunFolder, name: TableName, trainStep: number) {
  const [gone] = missing([name]);
  if (gone !== undefined) throw new LostRows(id, trainStep, missingText(join(path, gone)));
  try {
    return table(name);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new LostRows(id, trainStep, error.message, error);
  }
}

/**
 * What a run has come to after a train step: of `metrics.COLUMN` the mean over the last 10 train steps, of
 * `evaluations.MODE` the share that the last evaluation found correct. NaN where it failed before the next. Throws LostRows.
 */
export function valueAt(run: RunFolder, metric: string, trainStep: number): number {
  const { status, id, train_step: reached } = run.manifest;
  if ((status === "failed" || status === "stopped") && reached <= trainStep) return NaN;
  const [name, column] = metric.split(".") as ["metrics" | "evaluations", string];
  const rows = wholeTable(run, name, trainStep),
    columns = rows.columnNames(),
    wanted = name === "metrics" ? column : "correct";
  const steps = columns.includes(wanted) ? columnArray(rows, "train_step") : [];
  const values = steps.length === 0 ? [] : columnArray(rows, wanted),
    modes = name === "metrics" ? null : columnArray(rows, "mode");
  const at = Array.from(steps, Number).flatMap((step, i) =>
    step <= trainStep && values[i] !== null && (modes === null || modes[i] === column)
      ? [{ step, value: Number(values[i]) }]
      : []
  );
  const last = Math.max(...at.map(({ step }) => step)), from = name === "metrics" ? trainStep - LAST + 1 : last;
  const used = at.filter(({ step }) => step >= from);
  if (used.length === 0) {
    throw new RangeError(
      `Cannot compare the runs of the matrix after train step ${trainStep}: run ${id} has no ${metric} by then; ` +
        "want a metric that is written there, or a later first of strategy.halving",
    );
  }
  return mean(used.map(({ value }) => value));
}

/** Why a run has no number to be compared by. */
function causeOf({ manifest: { id, status } }: RunFolder, metric: string): string {
  return status === "failed" || status === "stopped"
    ? `run ${id} ${ENDS[status]}`
    : `${metric} of run ${id} is no number`;
}
const ENDS = { failed: "failed", stopped: "was stopped" } as const;

/** What a group came to, in words; of several seeds it is their mean, which one of them can spoil. */
function judgedText({ cells, value, cause }: Judged, metric: string): string {
  const several = cells.length > 1, seeds = `${cells.length} seeds`;
  if (!cause) return `${metric} ${shownValue(value)}${several ? `, the mean of ${seeds}` : ""}`;
  return `no ${metric}${several ? ` of its ${seeds} together` : ""}, because ${cause}`;
}

/** Says in run.json how a run came out of a comparison; one that is left behind is pruned, unless it had ended. */
function note(folder: string, metric: string, { trainStep, ranked, kept }: Rung, place: number): void {
  const manifest = readManifest(folder), { halving, status } = manifest;
  if (halving === null || halving.rungs.some(({ train_step }) => train_step === trainStep)) return;
  const number = (value: number) => Number.isFinite(value) ? value : null;
  const value = number(ranked[place]!.value), limit = number(ranked[kept - 1]!.value), went_on = place < kept;
  const rungs = [...halving.rungs, { train_step: trainStep, value, limit, went_on }];
  const isPruned = !went_on && (status === "paused" || status === "interrupted");
  const reason = `not among the best ${kept} of ${ranked.length} after train step ${trainStep}: ${
    judgedText(ranked[place]!, metric)
  }; the last that went on has ${shownValue(limit)}`;
  writeManifest(folder, {
    ...manifest,
    halving: { ...halving, rungs },
    ...isPruned ? { status: "pruned", reason } : {},
  });
}

/** What a run is compared by, as a person reads it; what is no number is none. */
export function shownValue(value: number | null): string {
  return value === null || Number.isNaN(value) ? "none" : shownNumber(value);
}

const mean = (values: readonly number[]) => moments(values).mean;
