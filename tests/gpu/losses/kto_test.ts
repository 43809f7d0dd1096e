import assert from "node:assert/strict";
import { batchKl, kto, KTO_FORMS, type KtoLoss } from "../../../gpu/losses/kto.ts";
import { evaluate, near } from "./preferences/evaluate.ts";

const LOSS: KtoLoss = { objective: "kto", form: "kto", beta: 0.1, desirableWeight: 1, undesirableWeight: 1 };
/** Sums of -10, -12 (desirable) and -15, -11; a reference of -11, -12.5, -14, -11.5. */
const LOGPROBS = [[-4, -6, -3], [-5, -7, -1], [-9, -6, -8], [-11, 0, 0]];
const REF = [[-5, -6, -9], [-5, -7.5, -9], [-8, -6, -9], [-11.5, 0, -9]];
const MASK = [[1, 1, 0], [1, 1, 0], [1, 1, 0], [1, 1, 0]];
const LABELS = [[1], [1], [0], [0]];

Deno.test("kto is the value and the gradient that TRL computes, masked tokens aside", async () => {
  const given = { ref_logprobs: REF, labels: LABELS, batch_kl: [[0.3]] };
  const { loss, gradient } = await evaluate(kto, LOSS, LOGPROBS, given, MASK);
  assert(Math.abs(loss - 0.487513) < 1e-6, `${loss}`);
  for (const [at, want] of [[0, -0.006242], [3, -0.006249], [6, 0.006224], [9, 0.006249]] as const) {
    assert(Math.abs(gradient[at]! - want) < 1e-6, `${at}: ${gradient[at]}`);
  }
  assert(gradient[2] === 0);
});

Deno.test("kto weighs the classes; apo_zero_unpaired reads no KL", async () => {
  const apo: KtoLoss = { ...LOSS, form: "apo_zero_unpaired", desirableWeight: 2, undesirableWeight: 3 };
  assert.deepEqual(Object.keys(kto.inputs(apo)), ["ref_logprobs", "labels"]);
  assert.deepEqual(kto.inputs(LOSS).batch_kl, "value");
  const { loss } = await evaluate(kto, apo, LOGPROBS, { ref_logprobs: REF, labels: LABELS }, MASK);
  const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));
  near(loss, (2 * (2 - sigmoid(0.1) - sigmoid(0.05)) + 3 * (sigmoid(-0.1) + sigmoid(0.05))) / 4, "loss");
});

Deno.test("kto leaves a NaN row out of the value and puts it into the gradient, so that no update hides it", async () => {
  const broken = LOGPROBS.map((row, r) => r === 0 ? [NaN, ...row.slice(1)] : row);
  const given = { ref_logprobs: REF, labels: LABELS, batch_kl: [[0]] };
  const { loss, gradient } = await evaluate(kto, LOSS, broken, given, MASK);
  const rest = { ref_logprobs: REF.slice(1), labels: LABELS.slice(1), batch_kl: [[0]] };
  near(loss, (await evaluate(kto, LOSS, LOGPROBS.slice(1), rest, MASK.slice(1))).loss, "loss of the others");
  assert(Number.isNaN(gradient[0]));
});

Deno.test("batchKl() is the mean of mismatched log-ratios, at least 0; NaN stays; none is refused", () => {
  assert.equal(batchKl([1, 2, -0.75]), 0.75);
  assert.equal(batchKl([-1, 0.5]), 0);
  assert(Number.isNaN(batchKl([1, NaN])));
  assert.throws(() => batchKl([]), /Cannot estimate the KL of a batch: it has no pair/);
});

Deno.test("every form of KTO tells its formula", () => {
  for (const { formula, source } of Object.values(KTO_FORMS)) assert(formula.includes("σ") && source.includes("TRL"));
});
