/** Generates workflow.schema.json, by which editors complete and check workflow files. @module */
import { z } from "zod";
import { type StepKinds, WorkflowDocument } from "./schema.ts";

type Json = Record<string, unknown>;

/** The JSON Schema (draft 7) of a workflow file with a branch per step kind, as `deno task docs` writes it. */
export function writeJsonSchema(kinds: StepKinds): string {
  const schema = z.toJSONSchema(WorkflowDocument, { target: "draft-7", io: "input", unrepresentable: "any" }) as Json;
  const definitions = schema.definitions as Record<string, Json>;
  const { id: _, ...step } = definitions.step!;
  definitions.step = { oneOf: Object.entries(kinds).map(([name, kind]) => branch(step, name, kind, definitions)) };
  return `${JSON.stringify(schema, withoutSafeBounds, 2)}\n`;
}

function branch(step: Json, name: string, kind: StepKinds[string], definitions: Record<string, Json>): Json {
  const params = z.toJSONSchema(kind.params, { target: "draft-7", io: "input", unrepresentable: "any" }) as Json;
  const { $schema: _, definitions: own, ...rest } = params;
  const prefixed = rename(rest, name);
  for (const [key, value] of Object.entries(own as Record<string, Json> ?? {})) {
    definitions[`${name}_${key}`] = expressible(rename(value, name));
  }
  const wanted = Array.isArray(rest.required) && rest.required.length > 0;
  return {
    ...step,
    description: kind.about,
    properties: {
      ...step.properties as Json,
      uses: { const: name, description: kind.about },
      with: { description: kind.about, ...withExpressions(prefixed) },
    },
    required: ["uses", ...(wanted ? ["with"] : [])],
  };
}

/** References into a step kind's own definitions, which move into the document's. */
function rename(schema: Json, kind: string): Json {
  const text = JSON.stringify(schema).replaceAll('"#/definitions/', `"#/definitions/${kind}_`);
  return JSON.parse(text);
}

const EXPRESSION = { $ref: "#/definitions/expression" };

/** The schema, or an expression that gives it. */
function expressible(schema: Json): Json {
  const inner = withExpressions(schema);
  // A text is an expression already; a constant is what tells branches apart.
  if (schema.type === "string" && schema.enum === undefined && schema.pattern === undefined) return inner;
  if (schema.const !== undefined || schema.$ref !== undefined || Object.keys(schema).length === 0) return inner;
  const { description, default: fallback, ...rest } = inner;
  return {
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
    anyOf: [rest, EXPRESSION],
  };
}

/** The schema with an expression allowed for every value inside it. */
function withExpressions(schema: Json): Json {
  const copy: Json = { ...schema };
  if (isJson(schema.properties)) {
    copy.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([key, value]) => [key, expressible(value as Json)]),
    );
  }
  if (isJson(schema.items)) copy.items = expressible(schema.items);
  if (isJson(schema.additionalProperties)) copy.additionalProperties = expressible(schema.additionalProperties);
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    if (Array.isArray(schema[key])) copy[key] = schema[key].map((inner) => withExpressions(inner as Json));
  }
  return copy;
}

/** Without the bounds that every safe integer has. */
function withoutSafeBounds(key: string, value: unknown): unknown {
  const isBound = (key === "maximum" || key === "minimum") && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
  return isBound ? undefined : value;
}

function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
