import assert from "node:assert/strict";
import { markedLine, parseTemplate, TemplateFault } from "../../../../data/hub/templates/template_program.ts";

/** The message and line of a template that cannot be parsed. */
function fault(template: string): readonly [message: string, line: number | null] {
  try {
    parseTemplate(template);
  } catch (error) {
    if (error instanceof TemplateFault) return [error.message, error.line];
    throw error;
  }
  throw new Error("it was parsed");
}

const marks = (template: string) =>
  (parseTemplate(template) as { readonly body: readonly { readonly type: string; readonly value?: unknown }[] }).body
    .flatMap(({ type, value }) => type === "Comment" ? [markedLine(value)] : []);

Deno.test("parseTemplate() puts its line before each tag", () => {
  assert.deepEqual(marks("a\n{{ x }}\n\n{{ y }}{% set z = 1 %}"), [2, 4, 4]);
  assert.deepEqual(marks("{{ '{{ not one }}' }}\n{{ x }}"), [1, 2]);
  assert.deepEqual(marks("{# {{ no }}\n #}{{ x }}"), [null, 2]);
  assert.deepEqual(marks("{%- generation -%}\n{{ x }}\n{%- endgeneration %}\n{{ y }}"), [2, 4]);
  assert.deepEqual(marks("{{ {'a': {'b': 1}} }}\n{{ x }}"), [1, 2]);
});

Deno.test("parseTemplate() says what is wrong and where", () => {
  assert.deepEqual(fault("{% if a %}\n{% for x in y %}\n{% endif %}"), ["Unknown statement type: endif", 3]);
  assert.deepEqual(fault("a\n{% if x %}"), [
    "it ends before a tag is closed: look for a missing endif, endfor or endmacro",
    2,
  ]);
  assert.deepEqual(
    fault("a\n{{ a == b == c }}")[0],
    'it compares three values in a row at "==", want brackets or "and"',
  );
  assert.equal(fault("{{ " + "(".repeat(100_000))[0], "its tags or brackets stand too deep in each other");
  assert.deepEqual(fault("x".repeat(400_001)), ["it has 400001 characters, want at most 400000", null]);
  assert.deepEqual(fault("a\nb" + " ".repeat(2001)), ["it has more than 2000 characters of white space in a row", 2]);
});

Deno.test("parseTemplate() takes no time by the square of what is not closed", () => {
  for (const open of ["{", "{{ 'a", '{{ "" "" ', "{# ", "{% x ", "{{ [", "{% if x %}"]) {
    assert.throws(() => parseTemplate(open.repeat(Math.floor(300_000 / open.length))), TemplateFault);
  }
});
