import assert from "node:assert/strict";
import { yamlOptions } from "../../../workflows/translate/yaml_options.ts";

const read = (text: string) =>
  Object.fromEntries(yamlOptions(text, false).options.map(({ name, value }) => [name, value]));

Deno.test("yamlOptions() gives dotted names, meant numbers, lists, and follows anchors", () => {
  assert.deepEqual(read("a: 1e-6\nb: {c: yes, d: [x, 2]}\ne: &k {f: 1}\ng: *k\nh: {<<: *k, i: 2}\n"), {
    a: 1e-6,
    "b.c": true,
    "b.d": ["x", 2],
    "e.f": 1,
    "g.f": 1,
    "h.f": 1,
    "h.i": 2,
  });
});

Deno.test("yamlOptions() says what is broken", () => {
  assert.notEqual(yamlOptions("a: [1\nb: }", false).problem, null);
  assert.equal(yamlOptions("- 1\n", false).problem, null);
});
