import assert from "node:assert/strict";
import { updateSize } from "../../../steps/training/update_size.ts";

Deno.test("updateSize() divides by learning rate and the root of the parameters, and by the norm of the weights", () => {
  // 16 weights that each moved by 0.01 at learning rate 0.01: norm 0.04
  const { update_size, relative_update } = updateSize({ updateNorm: 0.04, weightNorm: 2 }, 0.01, 16, "adamw");
  assert(Math.abs(update_size! - 1) < 1e-12);
  assert.equal(relative_update, 0.02);
});

Deno.test("updateSize() is null where a divisor is 0", () => {
  assert.deepEqual(updateSize({ updateNorm: 0, weightNorm: 0 }, 0, 16, "adam"), {
    update_size: null,
    relative_update: null,
  });
});

Deno.test("updateSize() has none where nothing trains", () => {
  const of = updateSize({ updateNorm: 0, weightNorm: 2 }, 0.01, 0, "adamw");
  assert.deepEqual(of, { update_size: null, relative_update: 0 });
});

Deno.test("updateSize() has none under SGD: a gradient as it is is no share of a learning rate", () => {
  for (const rule of ["sgd", "sgd_nesterov"] as const) {
    const of = updateSize({ updateNorm: 0.04, weightNorm: 2 }, 0.01, 16, rule);
    assert.deepEqual(of, { update_size: null, relative_update: 0.02 });
  }
});
