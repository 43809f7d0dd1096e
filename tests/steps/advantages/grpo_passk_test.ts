import assert from "node:assert/strict";
import { grpoPassk } from "../../../steps/advantages/grpo_passk.ts";
import { assertClose } from "./golden_cases.ts";

const batch = { rewards: [1, 4, null, 2, 5, 5], groups: [0, 0, 0, 0, 1, 1], lengths: [] };

Deno.test("grpoPassk.advantages() gives the best of a group its lead over the second, and nobody where the best are two", () => {
  assert.deepEqual(grpoPassk.advantages({ divide_by_std: false, eps: 0 }, batch), [0, 2, 0, 0, 0, 0]);
  const std = Math.sqrt((16 + 25 + 1) / 9 / 2 * 1); // 1, 4, 2 about 7/3
  assertClose(grpoPassk.advantages({ divide_by_std: true, eps: 0.5 }, batch), [0, 2 / (std + 0.5), 0, 0, 0, 0], "std");
});

Deno.test("grpoPassk.advantages() refuses a completion alone in its group, not the only scored one", () => {
  const given = grpoPassk.params.parse({});
  assert.throws(
    () => grpoPassk.advantages(given, { rewards: [1, 2, 3], groups: [0, 0, 1], lengths: [] }),
    /Cannot compute "grpo_passk" advantages: completion 2 is alone in its group, want at least 2/,
  );
  assert.deepEqual(grpoPassk.advantages(given, { rewards: [1, null], groups: [0, 0], lengths: [] }), [0, 0]);
});
