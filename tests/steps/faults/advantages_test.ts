import assert from "node:assert/strict";
import { faulty } from "./fault_context.ts";

const ROWS = {
  prompt_id: [0, 0, 1, 1, 2, 2],
  reward: [1, 0, 0, 1, 0, 1],
  advantage: [0.5, -0.5, -0.25, 0.25, -0.125, 0.125],
};

Deno.test("permuted_advantages keeps the values and moves them", async () => {
  const advantage = (await faulty("permuted_advantages", "completions", ROWS))("advantage") as number[];
  assert.notDeepEqual(advantage, ROWS.advantage);
  assert.deepEqual(advantage.sort(), [...ROWS.advantage].sort());
});

Deno.test("flipped_advantages and uncentred_advantages follow from the rows", async () => {
  assert.deepEqual((await faulty("flipped_advantages", "completions", ROWS))("advantage"), [
    -0.5,
    0.5,
    0.25,
    -0.25,
    0.125,
    -0.125,
  ]);
  assert.deepEqual((await faulty("uncentred_advantages", "completions", ROWS))("advantage"), ROWS.reward);
});

Deno.test("faults of advantages reach those per token, which the update reads", async () => {
  const rows = { ...ROWS, advantages: [[1, 0], [-0.5], [-0.25], [0.25, 0.25], [-0.125], [0.125]] };
  const tokens = (await faulty("flipped_advantages", "completions", rows))("advantages") as ArrayLike<number>[];
  assert.deepEqual(tokens.slice(0, 4).map((row) => Array.from(row)), [[-0.5, -0.5], [0.5], [0.25], [-0.25, -0.25]]);
});
