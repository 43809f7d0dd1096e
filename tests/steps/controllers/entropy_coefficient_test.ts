import assert from "node:assert/strict";
import {
  ADAPTIVE_ENTROPY,
  entropyWeight,
  nextEntropyCoefficient,
} from "../../../steps/controllers/entropy_coefficient.ts";
import { readCases } from "../../gpu/safetensors.ts";

interface Step {
  readonly loss: number;
  readonly policy_loss: number;
  readonly entropy: number;
  readonly entropy_coef: number;
}
const cases = readCases("goldens/formulas/trl_grpo_losses.json").filter(({ name }: { name: string }) =>
  name.includes("adaptive_entropy")
);

Deno.test(`TRL's adaptive entropy in ${cases.length} cases: the coefficient after each step, and whether it was used`, () => {
  assert(cases.length >= 3);
  for (const { name, params, outputs } of cases) {
    const controller = {
      target: params.entropy_target,
      step: params.entropy_coef_delta,
      min: params.entropy_coef_min,
      max: params.entropy_coef_max,
    };
    let coefficient: number = params.entropy_coef, last: number | null = null;
    for (const { loss, policy_loss, entropy, entropy_coef } of outputs.steps as Step[]) {
      const weight: number = entropyWeight(coefficient, controller, last);
      assert(Math.abs(policy_loss - weight * entropy - loss) < 1e-9, `${name}: bonus ${weight}`);
      coefficient = nextEntropyCoefficient(coefficient, controller, entropy);
      assert(Math.abs(coefficient - entropy_coef) < 1e-12, `${name}: ${coefficient}, want ${entropy_coef}`);
      last = entropy;
    }
  }
});

Deno.test("nextEntropyCoefficient() stays within its bounds, and its notes name what it follows", () => {
  const controller = { target: 1, step: 0.1, min: 0.05, max: 0.12 };
  assert.equal(nextEntropyCoefficient(0.1, controller, 1), 0.12);
  assert.equal(nextEntropyCoefficient(0.1, controller, 1.5), 0.05);
  assert.match(ADAPTIVE_ENTROPY.formula, /target/);
});
