/** Which tokens of a completion count in the loss. @module */

/** 1 on each of `length` tokens; 0 where truncated completions are dropped and this one is. */
export function completionMask(
  length: number,
  { truncated, drops }: { readonly truncated: boolean; readonly drops: boolean },
): Float32Array {
  return new Float32Array(length).fill(drops && truncated ? 0 : 1);
}
