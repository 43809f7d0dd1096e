/** Whether a run prints what a verdict needs, and how that ends. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import {
  endsNotFinite,
  heldBy,
  isSilent,
  nothingLearned,
  stopsTelling,
} from "../../../../steps/diagnoses/view/telling.ts";
import { flat, HEALTHY, healthyBut, ramp, viewOf } from "../synthetic.ts";
import { viewOfPost } from "../told/view_of_post.ts";

Deno.test("isSilent() is true of a run without any metric that tells how it goes", () => {
  assert.equal(isSilent(viewOf(HEALTHY)), false);
  assert.equal(isSilent(viewOf({ columns: { learning_rate: flat(1e-6) } })), true);
  assert.equal(isSilent(viewOf({ columns: { loss: flat(null) } })), true);
});

Deno.test("endsNotFinite() names a loss or a gradient norm that is not finite in the last record only", () => {
  assert.equal(endsNotFinite(viewOf({ columns: { loss: [NaN, 1] } })), null);
  assert.match(endsNotFinite(viewOf({ columns: { loss: [1, NaN] } }))!, /^loss is NaN in the last record/);
  assert.match(endsNotFinite(viewOf({ columns: { grad_norm: [1, Infinity] } }))!, /^grad_norm is Infinity/);
});

Deno.test("stopsTelling() names what is printed no more while records go on, and no pause", () => {
  const half = (value: number) => [...flat(value, 15), ...flat(null, 15)];
  const stopped = stopsTelling(viewOf(healthyBut({ loss: half(0.1), grad_norm: half(0.5) })));
  assert.deepEqual(stopped, { columns: ["loss", "grad_norm"], last: 14 });
  assert.deepEqual(stopsTelling(viewOf(healthyBut({ reward: half(0.5) })))?.columns, ["reward"]);
  assert.deepEqual(stopsTelling(viewOf({ columns: { entropy: half(0.5), learning_rate: flat(1e-6) } }))?.last, 14);
  assert.deepEqual(stopsTelling(viewOf(healthyBut({ loss: flat(null) }))), { columns: ["loss"], last: -1 });
  assert.equal(stopsTelling(viewOf(healthyBut({ loss: [] }))), null);
  // The loss under another name goes on; four records are a pause; what is printed now and then may still come.
  assert.equal(stopsTelling(viewOf(healthyBut({ loss: half(0.1), policy_loss: ramp(0.1, 0.2) }))), null);
  assert.equal(stopsTelling(viewOf(healthyBut({ loss: [...flat(0.1, 26), ...flat(null, 4)] }))), null);
  assert.equal(
    stopsTelling(viewOf(healthyBut({ loss: flat(0.1).map((v, i) => i % 9 === 0 && i < 10 ? v : null) }))),
    null,
  );
  assert.equal(stopsTelling(viewOf(healthyBut({ entropy: half(0.5) }))), null);
});

Deno.test("stopsTelling() takes what people say of a whole run for no records behind those that are printed", async () => {
  const row = "{'loss': 0.0, 'reward': 0.4, 'grad_norm': 0.3}",
    text = `Hi, GRPO: the loss is 0.0 on every step.\n\n${row}\n${row}\n`;
  const view = await viewOfPost(text);
  assert(view.records > 2);
  assert.equal(stopsTelling(view), null);
});

Deno.test("nothingLearned() finds nothing in the reward that pairs imply: it begins at 0", () => {
  const zero = (algorithm: string) => nothingLearned(viewOf({ algorithm, columns: { reward: flat(0, 4) } }));
  assert.match(zero("grpo")!, /floor/);
  assert.equal(zero("dpo"), null);
});

Deno.test("heldBy() counts what is printed, and what is not finite", () => {
  const held = heldBy(viewOf({
    columns: { loss: [0.1, 0.2, 0.3], reward: [0.1, null, 0.3], kl: [0.1, NaN, 0.2], entropy: [null, null, null] },
  }));
  assert.deepEqual(held, [
    "loss is finite",
    "reward is printed on 2 of 3 records",
    "kl is finite on 2 of 3 records, not so first at train step 2",
  ]);
});

Deno.test("a log of one or two records is too short to be healthy; a fault that it shows is named", () => {
  const first = (records: number, more: Record<string, (number | null)[]> = {}) =>
    diagnoseRun(viewOf({
      columns: {
        loss: ramp(0.5, 0.4, records),
        reward: ramp(0.1, 0.2, records),
        grad_norm: ramp(1, 1, records),
        ...more,
      },
    }));
  for (const [records, says] of [[1, "1 record is"], [2, "2 records are"]] as const) {
    const { verdict, reasons, missing } = first(records);
    assert.deepEqual([verdict, reasons, missing], ["insufficient", [`${says} too few to judge a run`], [
      "more records",
    ]]);
  }
  const whole = { completion_length: ramp(90, 90, 2), entropy: ramp(0.5, 0.5, 2), reward_std: ramp(0.4, 0.4, 2) };
  assert.equal(first(2, whole).verdict, "benign", "a record that shows rewards, update and text is judged by them");
  assert.equal(first(3).verdict, "benign");
  assert.equal(first(2, { grad_norm: [NaN, NaN], loss: [NaN, NaN], entropy: [NaN, NaN] }).verdict, "faulty");
});

Deno.test("nothingLearned() keeps a short log without a gradient, or mostly without a reward, from being healthy", () => {
  const log = (records: number, more: Record<string, (number | null)[]>) => ({
    columns: {
      loss: flat(0, records),
      grad_norm: flat(0, records),
      completion_length: ramp(90, 90, records),
      reward: flat(0, records),
      reward_std: flat(0, records),
      kl: flat(0, records),
      ...more,
    },
  });
  const one = diagnoseRun(viewOf(log(1, {})));
  assert.deepEqual([one.verdict, one.missing], ["insufficient", ["more records", "printed completions"]]);
  assert(one.reasons[0]!.startsWith("grad_norm is 0 on the one record"), one.reasons[0]);
  const hit = { reward: [0, 0.008, 0], reward_std: [0, 0.02, 0], grad_norm: [0, 0.3, 0] };
  assert.equal(nothingLearned(viewOf(log(3, hit))), "the reward is at its floor on 2 of 3 records");
  assert.equal(diagnoseRun(viewOf(log(3, hit))).verdict, "insufficient");
  const paid = { reward: [0, 0.2, 0.3], reward_std: [0, 0.3, 0.3], grad_norm: [0, 1, 1] };
  assert.equal(nothingLearned(viewOf(log(3, paid))), null);
  const sparse = { reward: flat(0, 30).map((_, i) => i % 3 === 0 ? 0.3 : 0), grad_norm: flat(1, 30) };
  assert.equal(nothingLearned(viewOf(log(30, sparse))), null, "a long log is judged by its course");
  assert.equal(nothingLearned(viewOf({ ...log(1, {}), own: true })), null, "a run of ours says what it is itself");
});
