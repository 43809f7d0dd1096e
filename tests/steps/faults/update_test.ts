import assert from "node:assert/strict";
import type { FaultName } from "../../../steps/faults/mod.ts";
import { FAULTS } from "../../../steps/faults/mod.ts";
import { STEPS } from "../../../steps/mod.ts";
import { seenParams } from "./fault_context.ts";

const GIVEN = { learning_rate: 1e-4, kl_coef: 0, max_grad_norm: 1 };
const WANT: Partial<Record<FaultName, Record<string, unknown>>> = {
  learning_rate_zero: { learning_rate: 0 },
  learning_rate_ten: { learning_rate: 10 },
  learning_rate_times_1000: { learning_rate: 0.1 },
  learning_rate_tiny: { learning_rate: 1e-12 },
  crushing_clip: { max_grad_norm: 1e-9 },
  huge_epsilon: { epsilon: 1e4 },
  clip_range_zero: { clip_low: 0, clip_high: 0, updates_per_rollout: 4 },
  huge_kl_coef: { kl_coef: 1000 },
  too_many_updates: { updates_per_rollout: 20, learning_rate: 6e-4, clip_low: 0.05, clip_high: 0.05 },
};

for (const [kind, change] of Object.entries(WANT)) {
  Deno.test(`${kind} gives parameters that the step accepts`, async () => {
    const seen = await seenParams(kind as FaultName, GIVEN);
    assert.deepEqual(seen, { ...GIVEN, ...change });
    assert.ok(STEPS[FAULTS[kind as FaultName].step as "apply_update"].params.safeParse(seen).success);
  });
}
