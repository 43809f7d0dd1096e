/** What each cause wastes. */
import assert from "node:assert/strict";
import { WASTES } from "../../../../steps/diagnoses/cost/waste.ts";
import { type Cause, DIAGNOSES } from "../../../../steps/diagnoses/mod.ts";

Deno.test("WASTES has what every rule wastes, and nothing that none does", () => {
  const used = new Set(Object.values(DIAGNOSES).map(({ wastes }) => wastes));
  assert.deepEqual([...used].sort(), Object.keys(WASTES).sort());
});

Deno.test("what a cause wastes is all, something else, a part, or nothing", () => {
  const causes: Cause[] = [
    "nan_loss",
    "reward_hacking",
    "zero_reward_variance",
    "truncated_completions",
    "benign_zero_loss",
  ];
  assert.deepEqual(causes.map((cause) => DIAGNOSES[cause].wastes), ["all", "wrong", "flat", "cut", "none"]);
});
