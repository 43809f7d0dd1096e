/** The options of a step that the entries of a table bring: estimators, objectives. @module */
import { z } from "zod";

interface Entry {
  readonly params: z.ZodObject;
}
type Table = Readonly<Record<string, Entry>>;
type ShapeOf<Entries extends Table> = Entries[keyof Entries]["params"]["shape"];
type KeyOf<Shapes> = Shapes extends unknown ? keyof Shapes & string : never;
type SchemaOf<Shapes, Name extends string> = Shapes extends Record<Name, infer Schema extends z.ZodType> ? Schema
  : never;

/** Every option of every entry, all of which may be left out. */
type MergedOptions<Entries extends Table> = {
  [Name in KeyOf<ShapeOf<Entries>>]: z.ZodOptional<SchemaOf<ShapeOf<Entries>, Name>>;
};

/**
 * Every option of every entry, as it may be left out: defaults and what must be there are the entry's own
 * (`ownOptions`). Where two share a name, either's values are taken, and what is printed tells each one's default.
 */
export function mergedOptions<Entries extends Table>(entries: Entries): MergedOptions<Entries> {
  const found = new Map<string, Map<z.ZodType, string[]>>();
  for (const [entry, { params }] of Object.entries(entries)) {
    for (const [name, schema] of Object.entries(params.shape) as [string, z.ZodType][]) {
      const schemas = found.get(name) ?? new Map<z.ZodType, string[]>();
      found.set(name, schemas.set(schema, [...schemas.get(schema) ?? [], entry]));
    }
  }
  return Object.fromEntries([...found].map(([name, owners]) => [name, optional(owners)])) as MergedOptions<Entries>;
}

/** Without a default that a parse fills in; what is printed of the option still tells it. */
function optional(owners: ReadonlyMap<z.ZodType, readonly string[]>): z.ZodType {
  const schemas = [...owners.keys()];
  const bare = schemas.map((schema) => schema instanceof z.ZodDefault ? schema.unwrap() as z.ZodType : schema);
  const [first, second, ...rest] = bare;
  if (second === undefined) {
    const { description } = schemas[0]!, byDefault = schemas[0]!.safeParse(undefined).data;
    return first!.optional().meta({
      ...(description === undefined ? {} : { description }),
      ...(byDefault === undefined ? {} : { default: byDefault }),
    });
  }
  const told = [...owners].map(([schema, names]) => {
    const { description = "" } = schema, { data } = schema.safeParse(undefined);
    const whose = names.some((name) => description.startsWith(name)) ? "" : `${names.join(", ")}: `;
    return `${whose}${description}${data === undefined ? "" : ` (default ${JSON.stringify(data)})`}`;
  });
  return z.union([first!, second, ...rest]).optional().meta({ description: told.join("; ") });
}

/** What is given of an entry's own options. */
export function ownOptions({ params }: Entry, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = Object.keys(params.shape).filter((name) => given[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}

/** A problem for every option that is another entry's; `whose` names this one. */
export function strangeOptions(
  whose: string,
  { params }: Entry,
  all: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): string[] {
  const reads = Object.keys(params.shape).join(", ") || "no option";
  return Object.keys(given).filter((name) =>
    Object.hasOwn(all, name) && !Object.hasOwn(params.shape, name) && given[name] !== undefined
  ).map((name) => `Cannot set "${name}" for ${whose}: it reads ${reads}`);
}
