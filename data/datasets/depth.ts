/** Refuses what is nested so deep that nothing after could walk through it. @module */
import { isObject } from "./cells.ts";
import { LIMITS } from "./limits.ts";

/** A value that is no deeper than LIMITS.depth. Throws RangeError, as the end of a sentence about its place. */
export function shallow<Value>(value: Value, place = "it"): Value {
  let level: readonly unknown[] = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= LIMITS.depth) throw tooDeep(place);
    level = level.flatMap((one) =>
      Array.isArray(one) ? one.filter(isNested) : Object.values(one as object).filter(isNested)
    );
  }
  return value;
}

/** The value of a cell that is JSON. Throws SyntaxError for one that is none, RangeError for one that is too deep. */
export function jsonCell(text: string): unknown {
  return shallow(JSON.parse(text));
}

export function tooDeep(place: string): RangeError {
  return new RangeError(`${place} has more than ${LIMITS.depth} lists and objects in one another, want fewer`);
}

const isNested = (value: unknown) => Array.isArray(value) || isObject(value);
