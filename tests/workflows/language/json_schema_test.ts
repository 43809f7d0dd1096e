import assert from "node:assert/strict";
import { writeJsonSchema } from "../../../workflows/language/json_schema.ts";
import { z } from "zod";
import { parseYaml } from "../../../workflows/language/yaml_source.ts";
import { GOOD, SMALL_KINDS } from "../small_kinds.ts";

// deno-lint-ignore no-explicit-any
const schema = JSON.parse(writeJsonSchema(SMALL_KINDS)) as any;

Deno.test("writeJsonSchema() is draft 7 with one branch per step kind", () => {
  assert.equal(schema.$schema, "http://json-schema.org/draft-07/schema#");
  assert.deepEqual(
    // deno-lint-ignore no-explicit-any
    schema.definitions.step.oneOf.map((branch: any) => branch.properties.uses.const),
    Object.keys(SMALL_KINDS),
  );
  assert.deepEqual(schema.required, ["name", "steps"]);
  assert.equal(schema.properties.seed.default, 0);
});

Deno.test("writeJsonSchema() lets every parameter be an expression and keeps its description", () => {
  // deno-lint-ignore no-explicit-any
  const branch = schema.definitions.step.oneOf.find((one: any) => one.properties.uses.const === "sample_groups");
  assert.deepEqual(branch.properties.with.properties.group_size, {
    description: "completions per prompt",
    anyOf: [{ type: "integer", minimum: 1 }, { $ref: "#/definitions/expression" }],
  });
  assert.deepEqual(branch.required, ["uses", "with"]);
  assert.equal(branch.properties.with.additionalProperties, false);
  assert.equal(branch.additionalProperties, false);
});

Deno.test("writeJsonSchema() requires `with` only where a parameter is required", () => {
  // deno-lint-ignore no-explicit-any
  const branch = schema.definitions.step.oneOf.find((one: any) => one.properties.uses.const === "load_model");
  assert.deepEqual(branch.required, ["uses"]);
});

Deno.test("writeJsonSchema() refers only to definitions that exist", () => {
  const text = writeJsonSchema(SMALL_KINDS);
  for (const [, name] of text.matchAll(/"\$ref":"#\/definitions\/([^"]+)"/g)) assert(name! in schema.definitions, name);
  assert(!/\$ref":"#(?!\/definitions)/.test(text));
});

Deno.test("writeJsonSchema() accepts a good workflow and refuses what the planner refuses", () => {
  const validator = z.fromJSONSchema(schema);
  const { value } = parseYaml(GOOD, "good.yaml");
  const good = value as { steps: unknown[] };
  assert.deepEqual(validator.safeParse(good).error?.issues ?? [], []);
  for (
    const step of [
      { uses: "evalute" },
      { uses: "evaluate", with: { split: "test" } },
      { uses: "evaluate", with: { splt: "held_out" } },
      { uses: "sample_groups" },
      { uses: "report", every: 0 },
      { repeat: 2, steps: [] },
    ]
  ) assert(!validator.safeParse({ ...good, steps: [...good.steps, step] }).success, JSON.stringify(step));
});
