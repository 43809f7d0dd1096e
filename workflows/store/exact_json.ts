/** JSON that keeps every number: NaN, the infinities and -0 come back as they were. @module */

const NUMBER = "$number";

/** JSON text of a value; numbers that JSON cannot hold become `{"$number": "NaN"}`. */
export function encodeExact(value: unknown): string {
  return JSON.stringify(value, (_, item) => {
    if (typeof item !== "number" || (Number.isFinite(item) && !Object.is(item, -0))) return item;
    return { [NUMBER]: Object.is(item, -0) ? "-0" : String(item) };
  });
}

/** The value that `encodeExact` wrote. */
export function decodeExact(text: string): unknown {
  return JSON.parse(text, (_, item) => {
    const single = typeof item === "object" && item !== null && Object.keys(item).length === 1;
    return single && typeof item[NUMBER] === "string" ? Number(item[NUMBER]) : item;
  });
}
