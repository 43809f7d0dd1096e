/** The end of an error about an unknown name: the nearest known name and the list of all. @module */
import { levenshteinDistance } from "@deno/std/text/levenshtein_distance.js";

/** The nearest of `known`, or null when none is near: at most a third of the letters differ (at least two may). */
export function suggest(word: string, known: readonly string[]): string | null {
  const normal = (name: string) => name.toLowerCase().replaceAll(/[-_ ]/g, "");
  const allowed = Math.max(2, Math.floor(word.length / 3));
  let best: string | null = null;
  let least = allowed + 1;
  for (const name of known) {
    const distance: number = levenshteinDistance(normal(word), normal(name));
    if (distance < least && distance < name.length) [best, least] = [name, distance];
  }
  return best;
}

/** `; did you mean "x"? Known: a, b, x`, or `; known: a, b` when no name is near, with `listed` names at most. */
export function didYouMean(word: string, known: readonly string[], listed = 40): string {
  if (known.length === 0) return "; there are none";
  const nearest = suggest(word, known);
  const rest = known.length > listed ? ` and ${known.length - listed} more` : "";
  const start = nearest === null ? "; known" : `; did you mean "${nearest}"? Known`;
  return `${start}: ${known.slice(0, listed).join(", ")}${rest}`;
}
