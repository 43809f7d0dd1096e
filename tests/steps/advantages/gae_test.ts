import assert from "node:assert/strict";
import { gae } from "../../../steps/advantages/gae.ts";
import { assertClose } from "./golden_cases.ts";

const batch = {
  rewards: [1, null],
  groups: [0, 1],
  lengths: [3, 1],
  masks: [[1, 1, 1], [1]],
  values: [[0.5, 0.25, 0.75], [3]],
};
const given = (options: Record<string, unknown>) => gae.params.parse({ whiten: false, ...options });

Deno.test("gae.advantages() is return minus value with lambda 1, and one step's surprise with lambda 0", () => {
  assertClose(gae.advantages(given({}), batch).tokens[0]!, [0.5, 0.75, 0.25], "lambda 1");
  assertClose(gae.advantages(given({ lambda: 0 }), batch).tokens[0]!, [-0.25, 0.5, 0.25], "lambda 0");
  assertClose(gae.advantages(given({ gamma: 0.5 }), batch).tokens[0]!, [0.25 - 0.5, 0.5 - 0.25, 0.25], "gamma");
  assertClose(gae.advantages(given({ lambda: 0.5 }), batch).returns[0]!, [0.5625, 0.875, 1], "returns = A + V");
});

Deno.test("gae.advantages() whitens over scored tokens only, and leaves the returns as they are", () => {
  const { tokens, returns } = gae.advantages(given({ whiten: true }), batch);
  assertClose(tokens[0]!, [0, 1, -1], "whitened", [1e-6, 1e-6]);
  assert.deepEqual(returns[0], [1, 1, 1]);
});

Deno.test("gae.advantages() scales rewards about their mean with whiten_rewards", () => {
  const { returns } = gae.advantages(given({ whiten_rewards: true, lambda: 0, gamma: 0 }), batch);
  // 0, 0, 1: mean 1/3, deviation 1/sqrt(3); the unscored completion is not of them.
  const mean = 1 / 3, std = Math.sqrt(1 / 3);
  assertClose(returns[0]!, [mean - mean / std, mean - mean / std, mean + (1 - mean) / std], "scaled", [1e-6, 1e-6]);
});

Deno.test("gae.advantages() steps over tokens that do not count", () => {
  const { tokens } = gae.advantages(given({}), { ...batch, masks: [[1, 0, 1], [1]] });
  assertClose([tokens[0]![0]!, tokens[0]![2]!], [0.5, 0.25], "the value 0.25 of the middle one is not read");
});
