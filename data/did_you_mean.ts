/**
 * The end of an error about an unknown name: the nearest known name and the list of all.
 * @module
 */
import { closestString } from "@deno/std/text/closest_string.js";
import { levenshteinDistance } from "@deno/std/text/levenshtein_distance.js";

/** `; did you mean "x"? Known: a, b, x`, without the question when no name is near (more than a third of the letters differ). */
export function didYouMean(name: string, known: readonly string[], listed = 40): string {
  if (known.length === 0) return "; there are none";
  const nearest = closestString(name, known) as string;
  const question =
    levenshteinDistance(name.toLowerCase(), nearest.toLowerCase()) <= Math.max(1, Math.floor(nearest.length / 3))
      ? `; did you mean "${nearest}"?`
      : ";";
  const rest = known.length > listed ? ` and ${known.length - listed} more` : "";
  return `${question} Known: ${known.slice(0, listed).join(", ")}${rest}`;
}
