import assert from "node:assert/strict";
import { STEPS } from "../../../steps/mod.ts";
import { seenParams } from "./fault_context.ts";

Deno.test("faults of the critic's learning rate give parameters that the step accepts", async () => {
  for (const [kind, learning_rate] of [["critic_learning_rate_zero", 0], ["critic_learning_rate_ten", 10]] as const) {
    const seen = await seenParams(kind, { learning_rate: 1e-3 });
    assert.deepEqual(seen, { learning_rate });
    assert.ok(STEPS.update_critic.params.safeParse(seen).success);
  }
});
