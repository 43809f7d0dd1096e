import assert from "node:assert/strict";
import { Template } from "@huggingface/jinja";
import { runTemplate } from "../../../data/hub/python_jinja.ts";

const rendered = (template: string, variables: Record<string, unknown> = {}) =>
  runTemplate(new Template(template).parsed, variables);

Deno.test("runTemplate() writes values as Python's str", () => {
  const values = { t: true, n: null, list: [1, "a'b", null, [false]], map: { k: "v\n", x: 1.5 } };
  assert.equal(
    rendered("{{ t }} {{ n }} {{ list }} {{ map }} {{ missing }}|", values),
    `True None [1, "a'b", None, [False]] {'k': 'v\\n', 'x': 1.5} |`,
  );
  assert.equal(
    rendered("{% set a = none %}{% if true %}{% set b = none %}{% endif %}{% for x in [] %}{% endfor %}|"),
    "|",
  );
});

Deno.test("runTemplate() takes a method before a key behind a dot, a key in brackets", () => {
  const schema = { schema: { items: { a: 1 }, type: "array" } };
  assert.equal(
    rendered("{% for k, v in schema.items() %}{{ k }} {% endfor %}{{ schema['items'].a }} {{ schema.type }}", schema),
    "items type 1 array",
  );
});

Deno.test("runTemplate() capitalizes as Python does", () => {
  assert.equal(
    rendered("{{ 'ÉCOLE one' | capitalize }} {{ 'über-MAß \"x\" it\\'s' | title }}"),
    `École one Über-Maß "x" It's`,
  );
});
