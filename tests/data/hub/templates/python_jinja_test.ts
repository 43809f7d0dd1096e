import assert from "node:assert/strict";
import { Template } from "@huggingface/jinja";
import { renderChat } from "../../../../data/hub/templates/chat_template.ts";
import { runTemplate } from "../../../../data/hub/templates/python_jinja.ts";

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

const golden = JSON.parse(Deno.readTextFileSync(new URL("../../../goldens/python_jinja.json", import.meta.url)));

/** What is refused here and not by jinja2: never another text. */
const REFUSED: readonly string[] = [
  "10000000000000000000000 + 1",
  "'a' == 'a' == true",
  "(1, 2) == [1, 2]",
  "'abc' < 'abd'",
  "'a' * 3",
  "'aBc d'|map(attribute='a')|list",
  "none|map('upper')|list",
  "none|map(attribute='a')|list",
  "none|map('length')|list",
  "{'k': 'v'}|join('-')",
  "{'k': 'v'}|map(attribute='a')|list",
  "(1, 2)|map(attribute='a')|list",
  "['x', 'Y']|map(attribute='a')|list",
  "{'k': 'v'}[0]",
  "{'k': {'x': 1}}[0]",
];

Deno.test("renderChat() gives jinja2's text of every expression, and an error where jinja2 does", () => {
  const refused: string[] = [];
  for (const [expression, want] of golden.expressions as [string, string | null][]) {
    let found: string | null = null;
    try {
      found = renderChat(expression.startsWith("{%") ? expression : `{{ ${expression} }}`, []);
    } catch (error) {
      assert(error instanceof SyntaxError);
      if (want !== null) refused.push(expression);
      continue;
    }
    assert.equal(found, want, expression);
  }
  assert.deepEqual(refused, REFUSED);
});

Deno.test("a Llama 2 template keeps a system message of 0, and an empty one", () => {
  const template = "{% if messages[0]['role'] == 'system' %}{% set system_message = messages[0]['content'] %}" +
    "{% else %}{% set system_message = false %}{% endif %}" +
    "{% if system_message != false %}<<SYS>>{{ system_message }}<</SYS>>{% endif %}";
  const system = (content: string) => renderChat(template, [{ role: "system", content }]);
  assert.deepEqual(["0", "", "x"].map(system), ["<<SYS>>0<</SYS>>", "<<SYS>><</SYS>>", "<<SYS>>x<</SYS>>"]);
  assert.equal(renderChat(template, [{ role: "user", content: "x" }]), "");
});

Deno.test("runTemplate() refuses an integer whose digits JavaScript has lost", () => {
  assert.throws(() => rendered("{{ x | tojson }}", { x: { n: 2 ** 60 } }), /beyond 2\^53/);
  assert.equal(rendered("{{ x | tojson }}", { x: [1e-7, -0, 1.5] }), "[1e-07, -0.0, 1.5]");
});
