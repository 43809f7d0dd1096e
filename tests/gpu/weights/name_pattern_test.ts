import assert from "node:assert/strict";
import { matchesName } from "../../../gpu/weights/name_pattern.ts";

Deno.test("matchesName() agrees with a regular expression on every short pattern and name", () => {
  const texts = (letters: string, most: number): string[] =>
    most === 0
      ? [""]
      : ["", ...texts(letters, most - 1).flatMap((text) => [...letters].map((letter) => text + letter))];
  for (const pattern of new Set(texts("ab*", 4))) {
    const expression = new RegExp(`^${pattern.replaceAll("*", ".*")}$`);
    for (const name of new Set(texts("ab", 4))) {
      assert.equal(matchesName(pattern, name), expression.test(name), `${pattern} on ${name}`);
    }
  }
});

Deno.test("matchesName() takes dots and brackets as they are, and ends on many stars", () => {
  assert.equal(matchesName("*.q_proj.weight", "model.layers.0.self_attn.q_proj.weight"), true);
  assert.equal(matchesName("model.norm", "modelxnorm"), false);
  assert.equal(matchesName("*a".repeat(1000) + "z", "a".repeat(5000)), false);
});
