/** Learning rates that print 0 because they are rounded. */
import assert from "node:assert/strict";
import { viewOfPost } from "../told/view_of_post.ts";
import {
  isOfFewDigits,
  isToldRounded,
  learnsFrom,
  staysReference,
} from "../../../../steps/diagnoses/view/rounded_rate.ts";
import { flat, ramp, viewOf } from "../synthetic.ts";

Deno.test("isOfFewDigits() wants all steps of the last digit, each more than once", () => {
  const few = (learning_rate: number[]) => isOfFewDigits(viewOf({ columns: { learning_rate } }));
  assert.ok(few([3e-4, 3e-4, 2e-4, 2e-4, 1e-4, 1e-4, 0, 0]));
  assert.ok(!few([3e-4, 2e-4, 1e-4, 0, 0]), "each once");
  assert.ok(!few([3e-4, 3e-4, 1e-4, 1e-4, 0, 0]), "a step is left out");
  assert.ok(!few([3e-4, 3e-4, 0, 0]), "one value");
});

Deno.test("learnsFrom() names what gets better beyond chance from a record on, and nothing that scatters", () => {
  const learns = (columns: Record<string, (number | null)[]>, record = 0, algorithm = "grpo") =>
    learnsFrom(viewOf({ algorithm, columns }), record);
  assert.equal(learns({ reward: ramp(0.2, 0.6) }), "reward");
  assert.equal(learns({ kl: [0, 2e-4, 9e-4] }), "kl");
  assert.equal(learns({ kl: [0.002, 0.003, 0.002, 0.004] }), null);
  assert.equal(learns({ reward: ramp(0.6, 0.2) }), null);
  assert.equal(learns({ reward: flat(0.4) }), null);
  assert.equal(learns({ reward: [...ramp(0.2, 0.6), ...ramp(0.6, 0.6)] }, 30), null);
  assert.deepEqual([learns({ loss: ramp(3, 1) }, 0, "sft"), learns({ loss: ramp(3, 1) })], ["loss", null]);
});

Deno.test("staysReference() wants a KL of 0 on every record that prints one", () => {
  const stays = (kl: (number | null)[]) => staysReference(viewOf({ columns: { kl } }));
  assert.deepEqual([stays([0, null, 0]), stays([0, 1e-5]), stays([null, null])], [true, false, false]);
});

Deno.test("isToldRounded() is true of a rate of 0 that is told with few decimals", async () => {
  const told = async (text: string) => isToldRounded(await viewOfPost(`GRPO, why is it so? ${text}\n`));
  assert(await told("The log prints actor/lr:0.000 on every step."));
  assert(await told("学习率一直是 0.0000。"));
  assert(!await told("The learning rate is 0.0 on every step."));
  assert(!await told("The learning rate is 0.000000 on every step."));
});
