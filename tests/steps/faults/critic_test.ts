import assert from "node:assert/strict";
import { STEPS } from "../../../steps/mod.ts";
import { seenParams } from "./fault_context.ts";

Deno.test("critic_learning_rate_zero gives parameters that the step accepts", async () => {
  const seen = await seenParams("critic_learning_rate_zero", { learning_rate: 1e-3 });
  assert.deepEqual(seen, { learning_rate: 0 });
  assert.ok(STEPS.update_critic.params.safeParse(seen).success);
});
