/** Logs whose records stand in another order than their train steps: one run, read by train step; restarts stay apart. */
import assert from "node:assert/strict";
import { column, readFiles, readText, readTexts } from "../read_text.ts";

const STEPS = Array.from({ length: 60 }, (_, i) => i + 1);
const NEWEST_FIRST = "records are written newest first: read by train step";
const OUT_OF_ORDER = "records are written out of order: read by train step";

/** The loss is the step, so that a value that lands at another one shows. */
const jsonl = (steps: readonly number[]) =>
  steps.map((step) => JSON.stringify({ step, loss: step, grad_norm: 1.5, kl: 0.25 }) + "\n").join("");
const csv = (steps: readonly number[]) =>
  ["step,loss,grad_norm,kl", ...steps.map((step) => `${step},${step},1.5,0.25`)].join("\n") + "\n";
const state = (steps: readonly number[]) =>
  JSON.stringify({ log_history: steps.map((step) => ({ step, loss: step, grad_norm: 1.5 })) });
/** Every step once, far from its place. */
const shuffled = STEPS.map((step) => (step * 23) % 61);

Deno.test("a log that is written newest first, or in no order, is one run by train step, and the report says so", async () => {
  for (const [order, reason] of [[STEPS.toReversed(), NEWEST_FIRST], [shuffled, OUT_OF_ORDER]] as const) {
    for (
      const [name, content] of [["a.csv", csv(order)], ["a.jsonl", jsonl(order)], ["a.json", state(order)]] as const
    ) {
      const run = await readFiles({ [name]: content });
      assert.deepEqual([run.part.of, run.metrics.train_step, column(run, "loss")], [1, STEPS, STEPS], name);
      assert.deepEqual(run.skipped.map(({ reason, count }) => [reason, count]), [[reason, 60]], name);
    }
  }
});

Deno.test("records that are read by train step keep their lines, what they lack, and their evaluations", async () => {
  const log = [
    { step: 4, loss: 0.4, kl: 0.1 },
    { step: 4, eval_reward: 4 },
    { step: 3, loss: null, entropy: 0.3 },
    { step: 2, loss: NaN, kl: 0.2 },
    { step: 2, eval_reward: 2 },
    { step: 1, loss: 0.1 },
  ];
  const run = await readText(
    log.map((row) => JSON.stringify(row).replace("null", row.step === 2 ? "NaN" : "null")).join("\n"),
  );
  assert.deepEqual([run.metrics.train_step, run.metrics.line], [[1, 2, 3, 4], [6, 4, 3, 1]]);
  assert.deepEqual(column(run, "loss"), [0.1, NaN, null, 0.4]);
  assert.deepEqual(column(run, "kl"), [null, 0.2, null, 0.1]);
  assert.deepEqual(column(run, "entropy"), [null, null, 0.3, null]);
  assert.deepEqual(run.evaluations.columns.get("reward"), [2, 4]);
});

Deno.test("restarts, resumes and records in order stay as they are", async () => {
  const parts = async (steps: readonly number[]) => {
    const runs = await readTexts(jsonl(steps));
    return runs.map(({ metrics, skipped }) => [metrics.train_step!.length, skipped.map(({ reason }) => reason).join()]);
  };
  assert.deepEqual(await parts(STEPS), [[60, ""]]);
  assert.equal((await parts([...STEPS, ...STEPS])).length, 2, "a restart");
  assert.equal((await parts([500, 510, 520, 1, 2, 3, 4])).length, 2, "another run behind a short one");
  assert.deepEqual(await parts([3, 2, 1]), [[3, NEWEST_FIRST]]);
  assert.equal((await parts([2, 1])).length, 2, "two records may be two runs");
  const resumed = await parts([...STEPS, ...STEPS.slice(40)]);
  assert.equal(resumed.length, 1);
  assert.match(String(resumed[0]![1]), /it goes on at train step 41/);
  assert(!(await parts([...STEPS.toReversed(), ...STEPS.toReversed()])).some(([, said]) => said === NEWEST_FIRST));
});
