/** What the signals of a run are called in messages: by every rule the same, so that one fall is told once. @module */
import type { ScoreSeries } from "./score_series.ts";

/** A held-out score: of a run of ours by its split, of a log by its printed name. */
export function scoreName({ name, split, mode }: Pick<ScoreSeries, "name" | "split" | "mode">): string {
  if (split !== null) return `the ${split.replace("_", "-")} score`;
  return mode === null ? name : "the score";
}

/** A column of training: ours with an article, a reward function by its own name. */
export function columnName(column: string): string {
  const own = /^reward\.(.+)$/.exec(column)?.[1];
  return own ?? `the ${column}`;
}

/** A message that begins with what something is called: an article has a capital, a name stays as it is. */
export function asSentence(text: string): string {
  return text.replace(/^the /, "The ");
}
