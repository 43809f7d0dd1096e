/** The same prompts with images before and after training: what each evaluation answered, and which of them a page shows. @module */
import { moments } from "../../data/statistics/mod.ts";
import { askedText } from "../asked_text.ts";
import type { Row } from "../charts/chart.ts";
import { type BoxUnits, measureOf, type Picture, pictureOf } from "./picture.ts";

/** What one prompt was answered by two evaluations. */
export interface PicturePair {
  /** Text of the prompt, for a person. */
  readonly prompt: string;
  readonly before: Picture;
  readonly after: Picture;
  /** What `measureOf` says of after minus before, -1 to 1. */
  readonly gain: number;
}

export interface BeforeAfter {
  /** What the evaluations are called. */
  readonly names: readonly [before: string, after: string];
  /** greedy, or sampled where nothing was asked greedily. */
  readonly mode: string;
  /** What the measures are: IoU, whether words are right, or of some prompts this and of some that. */
  readonly measure: "iou" | "right" | "both";
  /** Mean measure of each evaluation, 0 to 1. */
  readonly means: readonly [before: number, after: number];
  /** Of every prompt that both asked, the largest gain first. */
  readonly pairs: readonly PicturePair[];
}

/** A difference of measures that is one. */
const NOTHING = 1e-9;

/**
 * Pairs of the first and the last evaluation (those of the steps "before" and "after" where there are both) in rows of table
 * `evaluations`; null where there are not two of prompts with images, or nothing measures them.
 */
export function beforeAfter(rows: readonly Row[], unit: BoxUnits): BeforeAfter | null {
  const mode = rows.some((row) => row["mode"] === "greedy") ? "greedy" : "sampled";
  const evaluations = [
    ...Map.groupBy(rows.filter((row) => row["mode"] === mode), (row) => `${row["step_id"]} ${row["train_step"]}`)
      .values(),
  ];
  const named = (name: string) => evaluations.findLast(([row]) => row!["step_id"] === name);
  const isNamed = named("before") !== undefined && named("after") !== undefined;
  const [first, last] = isNamed ? [named("before")!, named("after")!] : [evaluations[0], evaluations.at(-1)];
  if (first === undefined || last === undefined || first === last) return null;
  const answered = new Map(first.map((row) => [String(row["prompt"]), row]));
  const pairs = last.flatMap((row): PicturePair[] => {
    const prompt = String(row["prompt"]), earlier = answered.get(prompt);
    const [before, after] = [earlier === undefined ? null : pictureOf(earlier, unit), pictureOf(row, unit)];
    const measures = [before, after].map((picture) => picture === null ? null : measureOf(picture));
    if (measures.includes(null)) return [];
    return [{ prompt: askedText(prompt), before: before!, after: after!, gain: measures[1]! - measures[0]! }];
  });
  if (pairs.length === 0) return null;
  const seen = pairs.filter(({ after }) => after.boxes !== null).length;
  const mean = (of: (pair: PicturePair) => Picture) => moments(pairs.map((pair) => measureOf(of(pair))!)).mean;
  return {
    names: isNamed ? ["before", "after"] : [nameOf(first), nameOf(last)],
    mode,
    measure: seen === 0 ? "right" : seen === pairs.length ? "iou" : "both",
    means: [mean(({ before }) => before), mean(({ after }) => after)],
    pairs: pairs.toSorted((a, b) => b.gain - a.gain),
  };
}

const nameOf = ([row]: readonly Row[]) => `${row!["step_id"]}, train step ${row!["train_step"]}`;

/** How many prompts gained, lost, and neither. */
export function countGains(
  pairs: readonly PicturePair[],
): { readonly better: number; readonly worse: number; readonly same: number } {
  const better = pairs.filter(({ gain }) => gain > NOTHING).length,
    worse = pairs.filter(({ gain }) => gain < -NOTHING).length;
  return { better, worse, same: pairs.length - better - worse };
}

/** A choice that flatters nothing: the largest gains, those in the middle, the largest losses, in their order, each under its name. */
export function chosenPairs(
  pairs: readonly PicturePair[],
  most: number,
): { readonly name: string; readonly pairs: readonly PicturePair[] }[] {
  if (pairs.length <= most) return [{ name: "", pairs }];
  const ends = Math.ceil(most / 3), inside = most - 2 * ends, from = Math.floor((pairs.length - inside) / 2);
  return [
    { name: "The largest gains", pairs: pairs.slice(0, ends) },
    { name: "From the middle", pairs: pairs.slice(from, from + inside) },
    { name: "The least gains and the losses", pairs: pairs.slice(-ends) },
  ].filter(({ pairs }) => pairs.length > 0);
}
