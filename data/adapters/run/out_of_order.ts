/**
 * Records that a log holds newest first, or in no order (a tracker's export, a table sorted by another column): read by
 * train step. A run that starts again, or goes on from a checkpoint, prints steps a second time, and goes back seldom.
 * @module
 */
import { RawTable } from "../intake/raw_table.ts";
import type { Segment } from "../intake/records.ts";
import type { Skipped } from "./imported_run.ts";

const BACK = 3; // Steps back at least: several runs in one log, or a resume between two records, make fewer.
const MOSTLY = 0.6; // Share of a short log's steps that go back, where it has fewer of them.
const SHORT = 3; // Records of such a log at least.

/** The segments of a source that is out of order as one by train step; all others as they are. */
export function byTrainStep(segments: readonly Segment[]): Segment[] {
  const logs = Map.groupBy(segments, ({ source, run, weak }) => JSON.stringify([source, run, weak]));
  return [...logs.values()].flatMap((log) => {
    const written = orderOf(log);
    return written === null ? log : [sorted(log, written)];
  });
}

/** What the report says of records that were read in another order. */
export function orderNotes(segments: readonly Segment[], paths: readonly string[]): Skipped[] {
  return segments.flatMap(({ written, source, train, evals }) =>
    written === undefined ? [] : [{
      source: paths[source]!,
      line: null,
      reason: `records are written ${written}: read by train step`,
      count: train.rows + train.thinned || evals.rows + evals.thinned,
    }]
  );
}

function orderOf(log: readonly Segment[]): Segment["written"] | null {
  const trained = log.flatMap(({ train }) => train.step), tested = log.flatMap(({ evals }) => evals.step);
  const steps = trained.length > 0 ? trained : tested;
  if ([...trained, ...tested].some((step) => Number.isNaN(step)) || new Set(steps).size < steps.length) return null;
  const back = steps.filter((step, i) => i > 0 && step < steps[i - 1]!).length;
  if (back < BACK && !(steps.length >= SHORT && back >= MOSTLY * (steps.length - 1))) return null;
  return back === steps.length - 1 ? "newest first" : "out of order";
}

function sorted(log: readonly Segment[], written: Segment["written"]): Segment {
  const train = RawTable.byStep(log.map(({ train }) => train)), evals = RawTable.byStep(log.map(({ evals }) => evals));
  const first = log[0]!, [firstStep, lastStep] = [train.step[0] ?? NaN, train.step.at(-1) ?? NaN];
  return { ...first, train, evals, firstStep, lastStep, written };
}
