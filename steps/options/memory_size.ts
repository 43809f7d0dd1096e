/** A size of memory as a workflow writes it: a number with KiB, MiB, GiB, KB, MB or GB. @module */

const UNITS = { KB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 } as const;
const NAMES = Object.keys(UNITS), SIZE = new RegExp(`^(\\d+(?:\\.\\d+)?)\\s*(${NAMES.join("|")})$`);

/** Bytes of a size such as 8GiB. Throws a RangeError for what is none. */
export function memoryBytes(text: string): number {
  const [, number, unit] = SIZE.exec(text.trim()) ?? [], bytes = Number(number) * UNITS[unit as keyof typeof UNITS];
  if (bytes > 0) return bytes;
  throw new RangeError(
    `Cannot read memory "${text}": want a number above 0 with ${NAMES.slice(0, -1).join(", ")} or ${
      NAMES.at(-1)
    }, as 8GiB`,
  );
}

/** What is wrong with the option. */
export function memoryProblems(text: string | undefined): string[] {
  try {
    if (text !== undefined) memoryBytes(text);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

/** A size with a unit, of the number where one was given. */
export function sizeLike(given: unknown): string {
  return `${typeof given === "number" && given > 0 ? given : 8}GiB`;
}
