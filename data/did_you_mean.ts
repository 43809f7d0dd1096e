/** The end of an error about an unknown name: the nearest known name and the list of all. @module */
import { briefly } from "./error_text.ts";
import { levenshteinDistance } from "@deno/std/text/levenshtein_distance.js";

/** Letters of a name that is compared with another. */
const MOST_COMPARED = 1000;

/** The nearest of `known`, or null when none is near: at most a third of the letters differ (at least two may). */
export function suggest(word: string, known: readonly string[]): string | null {
  const normal = (name: string) => name.toLowerCase().replaceAll(/[-_ ]/g, "");
  const allowed = Math.max(2, Math.floor(word.length / 3)), own = normal(word);
  let best: string | null = null;
  let least = allowed + 1;
  for (const name of known) {
    const other = normal(name), gap = Math.abs(own.length - other.length);
    // Words differ by at least their lengths; texts of a megabyte are no words, and comparing two takes hours.
    if (gap >= least || gap >= name.length || other.length > MOST_COMPARED) continue;
    const distance: number = levenshteinDistance(own, other);
    if (distance < least && distance < name.length) [best, least] = [name, distance];
  }
  return best;
}

/** `; did you mean "x"?`, or nothing when no name is near. */
export function nearest(word: string, known: readonly string[]): string {
  const name = suggest(word, known);
  return name === null ? "" : `; did you mean "${briefly(name)}"?`;
}

/** `; did you mean "x"? Known: a, b, x`, or `; known: a, b` when no name is near, with `listed` names at most. */
export function didYouMean(word: string, known: readonly string[], listed = 40): string {
  if (known.length === 0) return "; there are none";
  const rest = known.length > listed ? ` and ${known.length - listed} more` : "";
  const near = nearest(word, known), start = near === "" ? "; known" : `${near} Known`;
  return `${start}: ${known.slice(0, listed).map((name) => briefly(name)).join(", ")}${rest}`;
}
