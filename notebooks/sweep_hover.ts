/** What the marks of a sweep chart say when they are pointed at. @module */
import { shownNumber } from "../data/shown_number.ts";
import { type Combination, statusOf, type SweepPoint } from "./sweep_points.ts";

/** One run: its id, its cell, its score where it has one, how it ended. */
export function runHover(point: SweepPoint, score?: string): string {
  const { cell, run, pruned } = point;
  const words = Object.entries(cell).map(([axis, value]) => `${axis} ${value}`).join(", ");
  const value = score === undefined || point.score === null ? [] : [`${score} ${shownNumber(point.score)}`];
  const state = pruned == null ? statusOf(point) : `pruned at ${pruned}`;
  return `${run == null ? "" : `${run}: `}${[words, ...value, state].join("; ")}`;
}

/** A combination: its mean where it has several runs, and a line for each of them. */
export function combinationHover(
  { members, scores, score: mean }: Combination,
  points: readonly SweepPoint[],
  score: string,
): string {
  const runs = members.map((i) => runHover(points[i]!, score));
  const whole = scores.length > 1 ? [`${score} ${shownNumber(mean!)}, mean of ${scores.length} seeds`] : [];
  return [...whole, ...runs].join("\n");
}

/** Marks that have a description get it as their title, which browsers show where the pointer is. */
export function withTitles(svg: string): string {
  return svg.replace(
    /<(path|text) aria-label="([^"]+)"( role="graphics-(?:symbol|object)"[^>]*?)(?:\/>|>([^<]*)<\/\1>)/g,
    (_, tag, said, rest, inner = "") => `<${tag} aria-label="${said}"${rest}><title>${said}</title>${inner}</${tag}>`,
  );
}
