/** One part of a tokenizer.json as it is written, and how one that is not supported is refused. @module */

/** A part: its type and its settings. */
export type Part = Readonly<Record<string, unknown>> & { readonly type: string };

/** A part that is not here: its ids would be others than the library's. */
export function unsupported(place: string, found: unknown, known: readonly string[]): RangeError {
  const text = typeof found === "string" ? `"${found}"` : JSON.stringify(found)?.slice(0, 100);
  return new RangeError(
    `${place} is ${text}, which is not supported; want ${known.map((name) => `"${name}"`).join(", ")}`,
  );
}

/** An object with a type. Throws a RangeError that names the place. */
export function partAt(place: string, value: unknown): Part {
  if (typeof value === "object" && value !== null && typeof (value as Part).type === "string") return value as Part;
  throw new RangeError(`${place} is ${JSON.stringify(value)?.slice(0, 100)}, want an object with a type`);
}

/** The parts of a sequence. */
export function partsAt(place: string, value: unknown): Part[] {
  if (!Array.isArray(value)) throw new RangeError(`${place} is no list`);
  return value.map((part, index) => partAt(`${place}[${index}]`, part));
}
