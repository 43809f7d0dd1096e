/** What the runs of a matrix came to: which of them are one combination, and which combination is the best. @module */
import { moments } from "../data/statistics/mod.ts";

/** What one run of a matrix came to; one that did not run to its end has no score. */
export interface SweepPoint {
  readonly cell: Readonly<Record<string, unknown>>;
  /** Its id; null or absent: it did not start, or nobody says. */
  readonly run?: string | null;
  /** How it ended, in the words of run.json, or that it did not start. Absent: failed where it has no score. */
  readonly status?: string;
  readonly score: number | null;
  /** What its random draws are keyed by: two runs of one combination that share it are the same run twice. 0 if absent. */
  readonly seed?: number;
  /** It was stopped early, after this train step: its score is of then. Null or absent: it ran to its end. */
  readonly pruned?: number | null;
}

/** What the axes of a matrix mean. */
export interface SweepAxes {
  /** Those that say nothing of the method: runs that differ by them alone are averaged. */
  readonly seeds: readonly string[];
  /** Those that nothing in the workflow looks up: runs that differ by them alone are the same. */
  readonly unread: readonly string[];
}

/** Runs that differ by their seed alone. */
export interface Combination {
  readonly cell: Readonly<Record<string, unknown>>;
  /** Where they stand among the points. */
  readonly members: readonly number[];
  /** One for each seed, of those that have one. */
  readonly scores: readonly number[];
  /** The mean; null where no run has a score. */
  readonly score: number | null;
  /** How many runs have no score. */
  readonly failed: number;
  /** How those ended, one word for each. */
  readonly states: readonly string[];
  readonly pruned: number | null;
}

/** Axes with several values that tell the runs apart. */
export function methodAxes(points: readonly SweepPoint[], { seeds, unread }: SweepAxes): string[] {
  return [...new Set(points.flatMap(({ cell }) => Object.keys(cell)))].filter((name) =>
    !seeds.includes(name) && !unread.includes(name) && new Set(points.map(({ cell }) => String(cell[name]))).size > 1
  );
}

/** How a run ended, in one word. */
export function statusOf({ status, score, pruned }: SweepPoint): string {
  return status ?? (score === null ? "failed" : pruned != null ? "pruned" : "ok");
}

/** "stopped", "2 stopped, 1 failed": how several runs ended; one alone is not counted. */
export function countedStates(states: readonly string[], all: number): string {
  const counts = [...Map.groupBy(states, (state) => state)].map(([state, of]) => [of.length, state] as const);
  if (counts.length === 1 && counts[0]![0] === all) return counts[0]![1];
  return counts.map(([count, state]) => `${count} ${state}`).join(", ");
}

/** The combinations in the order of the matrix; a run that is there twice counts once. */
export function combinationsOf(points: readonly SweepPoint[], axes: SweepAxes): Combination[] {
  const names = methodAxes(points, axes), seeds = axes.seeds.filter((name) => !axes.unread.includes(name));
  const groups = Map.groupBy(points.keys(), (i) => JSON.stringify(names.map((name) => points[i]!.cell[name])));
  return [...groups.values()].map((members): Combination => {
    const scored = members.filter((i) => Number.isFinite(points[i]!.score));
    const key = (i: number) => JSON.stringify([points[i]!.seed ?? 0, ...seeds.map((name) => points[i]!.cell[name])]);
    const bySeed = new Map(scored.map((i) => [key(i), points[i]!.score!]));
    const scores = [...bySeed.values()], { cell } = points[members[0]!]!;
    return {
      cell: Object.fromEntries(names.map((name) => [name, cell[name]])),
      members,
      scores,
      score: scores.length === 0 ? null : moments(scores).mean,
      failed: members.length - scored.length,
      states: members.filter((i) => !scored.includes(i)).map((i) => statusOf(points[i]!)),
      pruned: members.map((i) => points[i]!.pruned ?? null).find((step) => step !== null) ?? null,
    };
  });
}

/** The best of those that ran to their end without a failure, and those whose seeds do not tell them from it. */
export function bestOf(
  points: readonly SweepPoint[],
  axes: SweepAxes,
  mode: "max" | "min",
): { readonly best: Combination; readonly alike: readonly Combination[] } | null {
  if (methodAxes(points, axes).length === 0) return null;
  const ended = combinationsOf(points, axes).filter(({ score, failed, pruned }) =>
    score !== null && failed === 0 && pruned === null
  );
  const sign = mode === "max" ? 1 : -1;
  const [best, ...others] = ended.toSorted((a, b) => sign * (b.score! - a.score!));
  if (best === undefined) return null;
  const worst = Math.min(...best.scores.map((score) => sign * score));
  const alike = others.filter(({ scores, score }) =>
    score === best.score || (best.scores.length > 1 && Math.max(...scores.map((one) => sign * one)) >= worst)
  );
  return { best, alike };
}
