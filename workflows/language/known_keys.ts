/** Says what a zod schema knows at a place of a value: its keys, and the names of its alternatives. @module */
import { z } from "zod";
import type { Path } from "./problems.ts";

type Json = Record<string, unknown>;

/** What stands at a path; undefined where nothing does. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((inner: unknown, part) => isOwn(inner, part) ? (inner as Json)[part] : undefined, value);
}

/** Whether a value has a key of its own. */
export function isOwn(value: unknown, key: string | number): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key);
}

/** The keys the schema knows at a path, the value's own shape choosing between alternatives. */
export function knownKeys(schema: z.ZodType, value: unknown, path: Path): string[] {
  const candidates = likely(candidatesAt(schema, value, path), valueAt(value, path));
  return [...new Set(candidates.flatMap((candidate) => Object.keys(candidate.properties ?? {})))];
}

/** The values by which alternatives are told apart, for a key of a discriminated union. */
export function knownValues(schema: z.ZodType, value: unknown, path: Path): string[] {
  const key = String(path.at(-1));
  const properties = candidatesAt(schema, value, path.slice(0, -1)).map((candidate) =>
    (candidate.properties as Json)?.[key] as Json
  );
  return properties.flatMap((property) => property?.const ?? property?.enum ?? []).map(String);
}

/** Every branch of the JSON Schema that may describe what stands at a path. */
function candidatesAt(schema: z.ZodType, value: unknown, path: Path): Json[] {
  const root = z.toJSONSchema(schema, { target: "draft-7", io: "input", unrepresentable: "any" }) as Json;
  let candidates = branches(root, root);
  let inner = value;
  for (const part of path) {
    candidates = likely(candidates, inner).flatMap((candidate) => {
      const properties = candidate.properties as Json | undefined;
      const child = typeof part === "number" ? candidate.items : properties?.[part] ?? candidate.additionalProperties;
      return typeof child === "object" && child !== null ? branches(child as Json, root) : [];
    });
    inner = valueAt(inner, [part]);
  }
  return candidates;
}

function branches(schema: Json, root: Json): Json[] {
  if (typeof schema.$ref === "string") {
    const target = schema.$ref === "#" ? root : valueAt(root, schema.$ref.slice(2).split("/"));
    return branches(target as Json, root);
  }
  const inner = [
    ...(schema.anyOf as Json[] ?? []),
    ...(schema.oneOf as Json[] ?? []),
    ...(schema.allOf as Json[] ?? []),
  ];
  return inner.length === 0 ? [schema] : inner.flatMap((branch) => branches(branch, root));
}

function likely(candidates: Json[], value: unknown): Json[] {
  if (candidates.length < 2 || typeof value !== "object" || value === null || Array.isArray(value)) return candidates;
  const score = (candidate: Json) =>
    Object.entries((candidate.properties ?? {}) as Json).reduce((sum, [key, property]) => {
      if (!isOwn(value, key)) return sum;
      const constant = (property as Json).const;
      return sum + (constant === undefined ? 1 : constant === (value as Json)[key] ? 100 : -100);
    }, 0);
  const best = Math.max(...candidates.map(score));
  return candidates.filter((candidate) => score(candidate) === best);
}
