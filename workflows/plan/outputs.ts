/** Reads off a step kind which outputs later steps can look up, and of which type. @module */
import { z } from "zod";
import type { Step } from "../../steps/step.ts";

/** The outputs a step kind declares. */
interface Outputs {
  /** Null: any type. */
  readonly types: ReadonlyMap<string, ReadonlySet<string> | null>;
  /** It may give others too. */
  readonly open: boolean;
}

/** What a step kind's schema says of its outputs. */
export function outputsOf(kind: Step): Outputs {
  const schema = z.toJSONSchema(kind.outputs, { unrepresentable: "any", io: "output" }) as Json;
  const types = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const found = jsonTypes(property);
    return [name, found.size === 0 ? null : found] as const;
  });
  const more = schema.additionalProperties ?? false;
  return { types: new Map(types), open: more !== false || schema.type !== "object" };
}

interface Json {
  readonly type?: string | readonly string[];
  readonly properties?: Record<string, Json>;
  readonly additionalProperties?: unknown;
  readonly anyOf?: readonly Json[];
}

function jsonTypes(schema: Json): Set<string> {
  const own = schema.type === undefined ? [] : [schema.type].flat();
  const all = schema.anyOf === undefined ? own : schema.anyOf.flatMap((branch) => [...jsonTypes(branch)]);
  return new Set(all.filter((type) => type !== "null").map((type) => type === "integer" ? "number" : type));
}
