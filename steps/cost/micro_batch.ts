/** How much of a batch a step computes at once: what its option says, else what the memory budget holds. @module */
import type { CostFacts, Peak } from "./cost.ts";
import { atOnce } from "./memory.ts";

interface Batch {
  /** The option that says it, and its value where it is set. */
  readonly option: string;
  readonly asked: number | undefined;
  /** All of it. */
  readonly most: number;
  readonly bytesOf: (count: number) => number;
}

/** At least one, whether that fits or not. */
export function microBatch(
  { free = null }: Pick<CostFacts, "free">,
  { option, asked, most, bytesOf }: Batch,
): { readonly count: number } & Pick<Peak, "bytes" | "chosen"> {
  const isChosen = asked === undefined && free !== null;
  const count = isChosen ? Math.max(1, atOnce(free, most, bytesOf)) : Math.min(most, asked ?? most);
  return { count, bytes: bytesOf(count), ...(isChosen ? { chosen: { option, value: count } } : {}) };
}
