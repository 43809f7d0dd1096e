import assert from "node:assert/strict";
import { KTO_VANILLA_METHOD, ktoVanilla, UNSAFE } from "../../../gpu/losses/kto_vanilla.ts";
import { evaluate } from "./preferences/evaluate.ts";

const LOGPROBS = [[-10], [-12], [-15], [-11]], LABELS = [[1], [1], [0], [0]];
const given = { ref_logprobs: [[-11], [-12.5], [-14], [-11.5]], labels: LABELS };
const loss = (detach: boolean) => ({ objective: "kto_vanilla", beta: 0.1, detach }) as const;
const near = (values: readonly number[], want: readonly number[]) =>
  values.forEach((value, i) => assert(Math.abs(value - want[i]!) < 1e-6, `${i}: ${value}, want ${want[i]}`));

Deno.test("kto_vanilla is OpenRLHF's value and gradient, the missing detach included", async () => {
  const { loss: value, gradient } = await evaluate(ktoVanilla, loss(false), LOGPROBS, given);
  near([value, ...gradient], [0.478159, -0.01246, -0.012472, 0.006202, 0.006249]);
});

Deno.test("kto_vanilla with the detach has the same value and half of the chosen gradient", async () => {
  const { loss: value, gradient } = await evaluate(ktoVanilla, loss(true), LOGPROBS, given);
  near([value, ...gradient.slice(0, 2)], [0.478159, -0.006234, -0.006246]);
});

Deno.test("kto_vanilla is NaN where a class is missing, and says that it is unsafe", async () => {
  const all = { ...given, labels: LABELS.map(() => [1]) };
  assert(Number.isNaN((await evaluate(ktoVanilla, loss(false), LOGPROBS, all)).loss));
  assert.equal(ktoVanilla.wholeBatch!(loss(false)), true);
  assert.match(UNSAFE, /gradient/);
  assert.match(KTO_VANILLA_METHOD.names.openrlhf!, /vanilla_loss/);
});
