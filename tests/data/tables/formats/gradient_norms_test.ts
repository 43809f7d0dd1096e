import assert from "node:assert/strict";
import { gradientNorms } from "../../../../data/tables/formats/gradient_norms.ts";
import { onePiece, tableOf } from "../../../../data/tables/mod.ts";

Deno.test("gradientNorms() gathers the norms of each train step", () => {
  const table = tableOf("gradients", { train_step: [1, 1, 5], parameter: ["a", "b", "a"], grad_norm: [0.5, NaN, 2] });
  assert.deepEqual(
    [...gradientNorms(onePiece("gradients", table))].map(({ trainStep, values }) => [trainStep, values]),
    [
      [1, [0.5, NaN]],
      [5, [2]],
    ],
  );
  assert.deepEqual([...gradientNorms(onePiece("gradients", tableOf("gradients", { train_step: [] })))], []);
});
