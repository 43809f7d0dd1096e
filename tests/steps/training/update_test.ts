import assert from "node:assert/strict";
import { z } from "zod";
import { OPTIMIZER_PARAMS } from "../../../steps/training/optimizer_params.ts";
import {
  makeUpdate,
  type Update,
  UPDATE_COLUMNS,
  type UpdateRequest,
  type UpdateRow,
  updatesTable,
} from "../../../steps/training/update.ts";
import { norm } from "../../gpu/golden_model.ts";
import { same } from "../../same.ts";
import { ONE_LAYER, type TrainingRun, withTinyPolicy } from "../contexts/training_run.ts";

const optimizer = z.strictObject(OPTIMIZER_PARAMS).parse({ learning_rate: 1e-3, warmup_updates: 2 });

/** One prompt with its answer, as a warm start learns it. */
const request = (run: TrainingRun, more: Partial<UpdateRequest> = {}): UpdateRequest => ({
  batch: { prompts: [run.policy.encodePrompt("1+2=", 0)], group: 1, completions: [run.policy.encodeAnswer("3")] },
  settings: { loss: { objective: "cross_entropy" }, aggregation: "token_mean", temperature: 1 },
  optimizer,
  trainStep: 1,
  number: 1,
  ...more,
});

Deno.test("makeUpdate() moves the weights at the learning rate of its number and gives the row of the update", () =>
  withTinyPolicy(async (run) => {
    const before = run.weights();
    const first = await makeUpdate(run.policy.model, request(run, { trainStep: 4 }));
    assert.notDeepEqual(run.weights(), before);
    assert.equal(first.nonFinite, null);
    const { train_step, update, loss, learning_rate, kl, applied } = first.row;
    assert.deepEqual(
      [train_step, update, loss, learning_rate, kl, applied],
      [4, 1, first.result.loss, 5e-4, null, true],
    );
    const middle = run.weights();
    const second = await makeUpdate(run.policy.model, request(run, { number: 2, earlier: [first.row] }));
    assert.deepEqual([second.row.update, second.row.learning_rate], [2, 1e-3]);
    const moved = norm(run.weights().map((x, i) => x - middle[i]!)), { count } = run.policy.model.trainable;
    const size = moved / (1e-3 * Math.sqrt(count)), got = second.row.update_size as number;
    assert(Math.abs(got - size) <= 1e-4 * size, `${got}, want ${size}: at the learning rate in force`);
    assert(second.result.loss < first.result.loss, `${second.result.loss} after ${first.result.loss}`);
  }));

Deno.test("makeUpdate() locates the first update of a train step that is not applied, and only that one", () =>
  withTinyPolicy(async (run) => {
    const weights = run.weights().fill(NaN, 0, 1);
    run.policy.model.weights.values.upload(weights);
    const earlier: UpdateRow[] = [], found: Update["nonFinite"][] = [];
    for (const number of [3, 4]) {
      const { row, nonFinite } = await makeUpdate(run.policy.model, request(run, { number, earlier }));
      earlier.push(row);
      found.push(nonFinite);
    }
    same(run.weights(), weights);
    const { text, table } = found[0]!;
    assert.match(text, /^weight model\.embed_tokens\.weight: 1 of \d+ values not finite/);
    assert.deepEqual([table.array("text"), table.array("train_step")], [[text], [1]]);
    assert.equal(found[1], null);
    const applied = earlier.map((row) => ({ ...row, applied: true }));
    const after = await makeUpdate(run.policy.model, request(run, { number: 5, earlier: applied }));
    assert.equal(after.nonFinite?.text, text, "the first that is not applied, after some that were");
    assert.deepEqual(earlier.map(({ update, applied }) => [update, applied]), [[1, false], [2, false]]);
  }));

Deno.test("updatesTable() has every column, null where a loss has no such number", () =>
  withTinyPolicy(async (run) => {
    const { row } = await makeUpdate(run.policy.model, request(run));
    const table = updatesTable([row]), [whole] = table.objects() as Record<string, unknown>[];
    assert.deepEqual(table.columnNames().toSorted(), [...UPDATE_COLUMNS].sort());
    assert.deepEqual([whole!["clip_fraction"], whole!["update"], whole!["applied"]], [null, 1, true]);
  }));

Deno.test("makeUpdate() of several batches has their means over all tokens", () =>
  withTinyPolicy(async (run) => {
    run.policy.model.weights.values.upload(run.weights().map((weight) => 10 * weight));
    const still = { ...optimizer, learning_rate: 0 };
    const batches = ["3", "12345"].map((answer, i) => ({
      prompts: [run.policy.encodePrompt(`${i}+2=`, 0)],
      group: 1,
      completions: [run.policy.encodeAnswer(answer)],
    }));
    const single = [];
    for (const batch of batches) {
      single.push((await makeUpdate(run.policy.model, request(run, { batch, optimizer: still }))).result);
    }
    const [batch, ...more] = batches;
    const { result, row } = await makeUpdate(run.policy.model, request(run, { batch: batch!, more, optimizer: still }));
    const want = single.reduce((sum, { tokens, metrics }) => sum + tokens * metrics["entropy"]!, 0) / result.tokens;
    assert(Math.abs(row.entropy as number - want) < 1e-6 * want, `${row.entropy}, want ${want}`);
    assert(Math.abs(single[0]!.metrics["entropy"]! - single[1]!.metrics["entropy"]!) > 1e-3, "they differ");
  }, ONE_LAYER));

Deno.test("makeUpdate() leaves out other inputs of an adapter in each batch of an update", () =>
  withTinyPolicy(async (run) => {
    run.policy.model.weights.values.upload(run.weights().map((weight, i) => weight + 0.2 * Math.sin(i)));
    const { batch } = request(run), { result } = await makeUpdate(run.policy.model, request(run, { more: [batch] }));
    assert.notDeepEqual(result.logprobs[0], result.logprobs[1]);
  }, { ...ONE_LAYER, lora: { dropout: 0.5 } }));
