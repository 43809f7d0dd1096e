import assert from "node:assert/strict";
import { vocabularyProblem } from "../../../data/hub/vocabulary_fit.ts";

Deno.test("vocabularyProblem() is silent on the padding of published models", () => {
  const pairs = [[151_665, 151_936], [151_669, 151_936], [151_665, 152_064], [50_295, 51_200], [32_011, 32_064], [
    128_256,
    128_256,
  ]];
  for (const [tokens, rows] of pairs) assert.equal(vocabularyProblem(tokens!, rows!), null, `${tokens} under ${rows}`);
  assert.equal(vocabularyProblem(258, 258), null);
  assert.equal(vocabularyProblem(258, 384), null);
});

Deno.test("vocabularyProblem() names a tokenizer of another model, whichever is larger", () => {
  assert.match(
    vocabularyProblem(258, 512)!,
    /258 tokens and its embedding 512 rows: 254 rows can be sampled and have no text/,
  );
  assert.match(vocabularyProblem(512, 258)!, /want at least as many rows as tokens/);
});
