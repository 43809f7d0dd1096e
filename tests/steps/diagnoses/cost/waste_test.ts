/** What each cause wastes. */
import assert from "node:assert/strict";
import { wasteOf, WASTES } from "../../../../steps/diagnoses/cost/waste.ts";
import { DIAGNOSES } from "../../../../steps/diagnoses/mod.ts";

Deno.test("wasteOf() says of every cause what it wastes: groups without spread where nothing else is said", () => {
  assert.deepEqual(
    ["nan_loss", "reward_hacking", "zero_reward_variance", "truncated_completions", "benign_zero_loss"].map(wasteOf),
    ["all", "wrong", "flat", "cut", "none"],
  );
  for (const cause of Object.keys(DIAGNOSES)) assert(Object.hasOwn(WASTES, wasteOf(cause)), cause);
});
