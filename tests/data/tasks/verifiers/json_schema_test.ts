import assert from "node:assert/strict";
import { jsonSchema } from "../../../../data/tasks/verifiers/json_schema.ts";
import { assertJudged, type Case, LONG } from "./judged.ts";

const SCHEMA = JSON.stringify({
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, pattern: "^[A-Z][a-z]+$" },
    age: { type: "integer", minimum: 0, maximum: 150 },
    mail: { type: "string", format: "email" },
    tags: { type: "array", items: { enum: ["a", "b"] }, uniqueItems: true },
  },
  required: ["name", "age"],
  additionalProperties: false,
});

const judged = (text: string, right: boolean): Case => [text, SCHEMA, right];

const RIGHT = [
  '{"name": "Ada", "age": 36}',
  ' \n{"age":36,"name":"Ada"}\n',
  '{"name":"Ada","age":36,"tags":["a","b"]}',
  '{"name":"Ada","age":36.0}',
  '{"name":"Ada","age":3.6e1}',
  '{"name":"\\u0041da","age":0}',
  '{"name":"Ada","age":36,"mail":"ada@example.org"}',
  '{"name":"Ada","age":36,"tags":[]}',
].map((text) => judged(text, true));

const WRONG = [
  "",
  "null",
  "[]",
  "{}",
  '"Ada"',
  '{"name":"Ada"}',
  '{"name":"Ada","age":"36"}',
  '{"name":"Ada","age":36.5}',
  '{"name":"Ada","age":-1}',
  '{"name":"Ada","age":151}',
  '{"name":"Ada","age":1e400}',
  '{"name":"Ada","age":NaN}',
  '{"name":"Ada","age":Infinity}',
  '{"name":"","age":36}',
  '{"name":"ada","age":36}',
  '{"name":"Аda","age":36}', // Cyrillic
  '{"name":"Ada","age":36,"more":1}',
  '{"name":"Ada","age":36,"__proto__":{}}',
  '{"name":"Ada","age":36,"age":37}',
  '{"name":"Ada","age":36,"mail":"nobody"}',
  '{"name":"Ada","age":36,"tags":["a","a"]}',
  '{"name":"Ada","age":36,"tags":["c"]}',
  '{"name":"Ada","age":36,}',
  "{'name':'Ada','age':36}",
  '{"name":"Ada","age":36} // done',
  '{"name":"Ada","age":36}{"name":"Ada","age":36}',
  'Here it is: {"name":"Ada","age":36}',
  '```json\n{"name":"Ada","age":36}\n```',
  '{"type":"object"}',
  SCHEMA,
  '{"name":"Ada","age":36',
  '{"name":"Ada\n","age":36}',
].map((text) => judged(text, false));

Deno.test("jsonSchema.verify() accepts what the schema accepts", () => assertJudged(jsonSchema, RIGHT));

Deno.test("jsonSchema.verify() refuses what the schema refuses, and what is no strict JSON", () => {
  assertJudged(jsonSchema, WRONG);
});

const OBJECT = '{"name":"Ada","age":36}', FENCED = "```json\n" + OBJECT + "\n```";

Deno.test("jsonSchema.verify() reads a fence, or text around it, only where that is allowed", () => {
  const texts = [
    OBJECT,
    FENCED,
    `Here:\n${FENCED}\nDone.`,
    `It is ${OBJECT}, I think.`,
    `${FENCED}\n${FENCED}`,
    `${OBJECT} {}`,
  ];
  const accepted = {
    nothing: [true, false, false, false, false, false],
    fence: [true, true, false, false, false, false],
    text: [true, true, true, true, false, false],
  };
  for (const [around, right] of Object.entries(accepted)) {
    assertJudged(jsonSchema, texts.map((text, i) => judged(text, right[i]!)), { around });
  }
});

Deno.test("jsonSchema.verify() takes one schema for all rows", () => {
  const options = jsonSchema.params.parse({ schema: { type: "array", items: { type: "number" } } });
  assert.equal(jsonSchema.needsNoAnswer!(options), true);
  assert.equal(jsonSchema.needsNoAnswer!(jsonSchema.params.parse({})), false);
  assert.equal(jsonSchema.verify!("[1, 2]", { answer: "" }, options), true);
  assert.equal(jsonSchema.verify!('["1"]', { answer: "" }, options), false);
});

Deno.test("jsonSchema.verify() ends soon on texts of 1 MB and on strings made for its patterns", () => {
  for (const text of LONG) jsonSchema.verify!(text, { answer: SCHEMA }, jsonSchema.params.parse({ around: "text" }));
  const slow = JSON.stringify({ type: "string", pattern: "^a*a*a*a*b$" });
  assertJudged(jsonSchema, [[JSON.stringify("a".repeat(15_000)), slow, false], ['"aab"', slow, true]]);
});

Deno.test("jsonSchema.verify() ends soon where a schema refers to itself more than once", () => {
  const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const twice = [{ items: { $ref: "#" } }, { items: { $ref: "#" } }];
  for (const word of ["allOf", "anyOf", "oneOf"]) {
    const schema = JSON.stringify({ type: "array", [word]: twice });
    assertJudged(jsonSchema, [
      [lists(90), schema, false],
      [lists(6), schema, word !== "oneOf"],
      ["3", schema, false],
    ]);
  }
  // A tree is a usual schema: each node costs its own steps only.
  const tree = {
    type: "object",
    properties: { left: { $ref: "#" }, right: { $ref: "#" } },
    additionalProperties: false,
  };
  const grown = (depth: number): unknown => depth === 0 ? {} : { left: grown(depth - 1), right: grown(depth - 1) };
  assertJudged(jsonSchema, [[JSON.stringify(grown(9)), JSON.stringify(tree), true]]);
});

Deno.test("jsonSchema.problem() names schemas that mean nothing, or never end", () => {
  const problem = (schema: unknown) => {
    const answer = typeof schema === "string" ? schema : JSON.stringify(schema);
    return jsonSchema.problem(answer, jsonSchema.params.parse({}), { answer });
  };
  const cases: [unknown, RegExp | null][] = [
    [{ type: "object", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { type: "string" } } }, null],
    [true, null],
    ["{", /is no JSON schema that can be used: it is not JSON/],
    ["3", /it is 3, want an object or a boolean/],
    [{ type: "strng" }, /it has type: "strng"/],
    [{ propertis: {} }, /unknown word "propertis"/],
    [{ properties: { a: { minLength: -1 } } }, /it\.properties\.a has minLength: -1/],
    [{ format: "phone" }, /format: "phone"/],
    [{ pattern: "(a+)+$" }, /may never end/],
    [{ pattern: "(a|a)*$" }, /may never end/],
    [{ patternProperties: { "(": {} } }, /no regular expression/],
    [{ $ref: "#/$defs/none" }, /none/],
    [{ $ref: "https://example.org/schema" }, /\$ref/],
    [{ $ref: "#" }, /refers to itself without end/],
    [
      {
        $ref: "#/$defs/0",
        $defs: Object.fromEntries(
          Array.from(
            { length: 30 },
            (_, i) => [i, i === 29 ? {} : { allOf: [0, 1].map(() => ({ $ref: `#/$defs/${i + 1}` })) }],
          ),
        ),
      },
      /takes more than 300000 steps/,
    ],
    ['{"type":"object","type":"array"}', /key|twice|duplicate/i],
  ];
  for (const [schema, says] of cases) {
    if (says === null) assert.equal(problem(schema), null, JSON.stringify(schema));
    else assert.match(problem(schema) ?? "", says, JSON.stringify(schema));
  }
});
