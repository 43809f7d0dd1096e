/**
 * The end of an error about an unknown name: the nearest known name and the list of all.
 * @module
 */
import { closestString } from "@deno/std/text/closest_string.js";

/** `; did you mean "x"? Known: a, b, x`, without the question when no name is near (more than a third of the letters differ). */
export function didYouMean(name: string, known: readonly string[], listed = 40): string {
  if (known.length === 0) return "; there are none";
  const nearest = closestString(name, known) as string;
  const question = distance(name.toLowerCase(), nearest.toLowerCase()) <= Math.max(1, Math.floor(nearest.length / 3))
    ? `; did you mean "${nearest}"?`
    : ";";
  const rest = known.length > listed ? ` and ${known.length - listed} more` : "";
  return `${question} Known: ${known.slice(0, listed).join(", ")}${rest}`;
}

/** Edit distance (insertions, deletions, substitutions), only to decide whether a suggestion is worth making. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[j]! + 1, current[j - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
