import assert from "node:assert/strict";
import { tokenize } from "@huggingface/jinja";
import { refuseChains } from "../../../../data/hub/templates/python_chains.ts";

Deno.test("refuseChains() refuses comparisons in a row, and nothing that only looks so", () => {
  for (const template of ["{{ a == b == c }}", "{{ f(a < b < c) }}", "{{ 1 in x == true }}", "{{ a == b not in c }}"]) {
    assert.throws(() => refuseChains(tokenize(template)), /three values in a row/, template);
  }
  const fine = [
    "{% for x in list if x in other %}{{ x == 1 }}{% endfor %}",
    "{% if (a == 'user') != (b % 2 == 0) %}{% endif %}",
    "{{ a == b and c == d or not e != f }}{{ 1 if a == b else c == d }}",
    "{{ [a == b, c == d] }}{% set x = a == b %}{{ f(k=a == b, l=c in d) }}",
    "a == b == c",
  ];
  for (const template of fine) refuseChains(tokenize(template));
});
