/** Says which options were set although nothing reads them. @module */
import type { z } from "zod";

/**
 * One problem per option that differs from its default. `why` says, after a colon, what makes it idle and what it
 * would take.
 */
export function withoutEffect<Name extends string>(
  given: Readonly<Partial<Record<Name, unknown>>>,
  shape: Readonly<Record<Name, z.ZodType>>,
  names: readonly Name[],
  why: string,
): string[] {
  const isDefault = (name: Name) =>
    JSON.stringify(given[name]) === JSON.stringify(shape[name].safeParse(undefined).data);
  return names.filter((name) => !isDefault(name)).map((name) => `Cannot use "${name}": ${why}; nothing would change`);
}
