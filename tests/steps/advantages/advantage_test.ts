import assert from "node:assert/strict";
import { z } from "zod";
import { defineAdvantage, groupTraits } from "../../../steps/advantages/advantage.ts";
import { type Advantage, ADVANTAGES } from "../../../steps/advantages/mod.ts";

Deno.test("defineAdvantage() gives back the estimator", () => {
  const advantage = { about: "", params: z.strictObject({}), minGroupSize: () => 1, advantages: () => [] };
  assert.equal(defineAdvantage(advantage), advantage);
});

for (const [name, entry] of Object.entries(ADVANTAGES)) {
  const advantage: Advantage = entry;

  Deno.test(`${name}.advantages() orders a group as its rewards and is 0 for what is not scored`, () => {
    const batch = { rewards: [0, 3, 1, null, 2, 2.5], groups: [0, 0, 0, 0, 1, 1], lengths: [1, 2, 3, 4, 5, 6] };
    const values = advantage.advantages(advantage.params.parse({}), batch);
    assert(values[1]! > values[2]! && values[2]! > values[0]! && values[5]! > values[4]!, String(values));
    assert.equal(values[3], 0);
    assert(values.every(Number.isFinite));
  });

  Deno.test(`${name} declares what a group is to it as its advantages are`, () => {
    for (const { success, data } of [{}, { baseline: true }].map((given) => advantage.params.safeParse(given))) {
      if (!success) continue;
      const values = (first: number) => {
        const batch = { rewards: [first, 1, 3, 4], groups: [0, 0, 1, 1], lengths: [1, 2, 3, 5] };
        return advantage.advantages(data, batch).map((value) => Math.abs(value) < 1e-9 ? 0 : value);
      };
      const [a, b, c, d] = values(0), alone = Math.abs(values(1)[0]!) <= 1e-4;
      const sums_to_zero = [a! + b!, c! + d!].every((sum) => Math.abs(sum) < 1e-6);
      const { small_groups: _, ...declared } = groupTraits(advantage, data);
      assert.equal(declared.sums_to_zero, sums_to_zero);
      assert.equal(declared.compares_groups, advantage.minGroupSize(data) > 1);
      if (sums_to_zero) assert(alone, "a tied group teaches nothing");
    }
  });

  Deno.test(`${name}.params describes every option`, () => {
    for (const [option, schema] of Object.entries(advantage.params.shape)) {
      assert((schema as z.ZodType).description, option);
    }
  });
}
