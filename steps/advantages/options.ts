/** The options of `compute_advantages` that its estimators bring. @module */
import { z } from "zod";
import type { Advantage } from "./advantage.ts";

type Table = Readonly<Record<string, Advantage>>;
type ShapeOf<Advantages extends Table> = Advantages[keyof Advantages]["params"]["shape"];
type KeyOf<Shapes> = Shapes extends unknown ? keyof Shapes & string : never;
type SchemaOf<Shapes, Name extends string> = Shapes extends Record<Name, infer Schema extends z.ZodType> ? Schema
  : never;

/** Every option of every estimator, all of which may be left out. */
type MergedOptions<Advantages extends Table> = {
  [Name in KeyOf<ShapeOf<Advantages>>]: z.ZodOptional<SchemaOf<ShapeOf<Advantages>, Name>>;
};

/**
 * Every option of every estimator, as it may be left out: defaults and what must be there are the estimator's own
 * (`ownOptions`). Where two share a name, either's values are taken.
 */
export function mergedOptions<Advantages extends Table>(advantages: Advantages): MergedOptions<Advantages> {
  const found = new Map<string, Set<z.ZodType>>();
  for (const { params } of Object.values(advantages)) {
    for (const [name, schema] of Object.entries(params.shape)) {
      found.set(name, (found.get(name) ?? new Set()).add(schema as z.ZodType));
    }
  }
  const merged = [...found].map(([name, schemas]) => [name, optional([...schemas])]);
  return Object.fromEntries(merged) as MergedOptions<Advantages>;
}

/** Without a default that a parse fills in; what is printed of the option still tells it. */
function optional(schemas: readonly z.ZodType[]): z.ZodType {
  const bare = schemas.map((schema) => schema instanceof z.ZodDefault ? schema.unwrap() as z.ZodType : schema);
  const [first, second, ...rest] = bare;
  const schema = second === undefined ? first! : z.union([first!, second, ...rest]);
  const description = schemas[0]!.description;
  const byDefault = second === undefined ? schemas[0]!.safeParse(undefined).data : undefined;
  return schema.optional().meta({
    ...(description === undefined ? {} : { description }),
    ...(byDefault === undefined ? {} : { default: byDefault }),
  });
}

/** What is given of an estimator's own options. */
export function ownOptions({ params }: Advantage, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = Object.keys(params.shape).filter((name) => given[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, given[name]]));
}
