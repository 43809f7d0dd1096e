/**
 * Suggests the known name that a misspelt one was meant to be.
 * @module
 */
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

/** The end of a message about an unknown name: the suggestion, if any, and the list of known names. */
export function didYouMean(word: string, known: readonly string[]): string {
  if (known.length === 0) return "; there are none";
  const nearest = suggest(word, known);
  return `;${nearest === null ? "" : ` did you mean "${nearest}"?`} Known: ${known.join(", ")}`;
}
