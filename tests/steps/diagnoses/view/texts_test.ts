/** Text statistics: what is noise, a loop, token 0, a right answer. */
import assert from "node:assert/strict";
import { factsOf, isLooping, isTokenZero, noiseRate } from "../../../../steps/diagnoses/view/texts.ts";
import { group } from "../synthetic.ts";

Deno.test("noiseRate() separates prose, formulas and code from random characters", () => {
  const fine = [
    "The derivative of \\(x^2\\) is \\(2x\\), so f'(3)=6. Therefore the answer is \\boxed{6}.",
    "def add(a, b):\n    return a+b  # O(1)",
    '{"bbox_2d": [0, 0, 643, 476], "label": "x"}',
    "SELECT t1.name, COUNT(*) FROM users AS t1 WHERE t1.age>=18 GROUP BY t1.id;",
    "<think>9+6</think><answer>15</answer>",
  ];
  for (const text of fine) assert(noiseRate(text) < 0.15, `${noiseRate(text)} ${text}`);
  for (const text of ["5[fz5h]kcDz5]-", "+600Lm1I/TxyMp25", "8fl=T%OnCh+ke+t"]) assert(noiseRate(text) > 0.25, text);
});

Deno.test("isLooping() finds short periods at the end and leaves prose and short answers alone", () => {
  assert(isLooping("<think>".repeat(10)));
  assert(isLooping(`I will now begin. ${"so we go on and ".repeat(12)}`));
  assert(
    isLooping(`${"so we go on and ".repeat(10)}so he go on and so we go on and `),
    "one other letter ends no loop",
  );
  assert(!isLooping("Because the sky scatters short waves more than long ones, as Rayleigh found."));
  assert(!isLooping("9999"));
});

Deno.test("isTokenZero() wants one character and nothing else", () => {
  assert(
    isTokenZero("!!!!!!!!!!!!") && isTokenZero(" !!!! !!!! ") && !isTokenZero("Wow!!!!!!!!") && !isTokenZero("!!!"),
  );
});

Deno.test("factsOf() measures groups and prompts", () => {
  const facts = factsOf([...group("a", ["x", "x", "x"], [1, 1, 1]), ...group("b", ["x", "y", "z"], [0, 0, 1])]);
  assert.deepEqual([facts.groups, facts.identicalGroups, facts.prompts, facts.samePrompts], [2, 0.5, 2, null]);
  assert.equal(facts.unique, (1 / 3 + 1) / 2);
});
