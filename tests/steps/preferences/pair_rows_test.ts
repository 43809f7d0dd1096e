import assert from "node:assert/strict";
import { tableOfRows } from "../../../data/tables/mod.ts";
import { pairBatch, pairRows, ranked } from "../../../steps/preferences/pair_rows.ts";
import { ONE_LAYER, type TrainingRun, withTinyPolicy } from "../contexts/training_run.ts";

const pair = (chosen: string, rejected: string, split = "train") => ({ prompt: "1=", chosen, rejected, split });

function read(
  run: TrainingRun,
  rows: Record<string, unknown>[],
  given: { maxLength?: number; checkData?: boolean } = {},
) {
  const all = rows.map((row, preference_id) => ({ preference_id, ...row }));
  run.tables.write({ preferences: tableOfRows("preferences", all) }, "test");
  return pairRows(run.context("test"), run.policy, { maxLength: null, checkData: true, ...given });
}

Deno.test("pairRows() reads pairs by split, with an end of sequence, and counts those of one completion twice", () =>
  withTinyPolicy((run) => {
    const rows = [pair("2", "3"), pair("4", "4"), pair("5", "5", "held_out")];
    const pairs = read(run, rows, { checkData: false }), end = run.policy.tokenizer.eosIds[0];
    assert.deepEqual([pairs.train.length, pairs.validation.length, pairs.held_out.length], [2, 0, 1]);
    assert.equal(pairs.identical, 1);
    assert.deepEqual(pairs.train[0]!.completions.map((ids) => [ids.length, ids.at(-1)]), [[2, end], [2, end]]);
  }, ONE_LAYER));

Deno.test("pairRows() refuses what train_preferences refuses: other forms, equal pairs, empty and too long completions", () =>
  withTinyPolicy((run) => {
    const labelled = [{ prompt: "1=", completion: "2", label: true, split: "train" }];
    assert.throws(() => read(run, labelled), /holds labelled completions; load a set of pairs/);
    assert.throws(() => read(run, [pair("2", "3", "held_out")]), /has no pair of split "train"/);
    assert.throws(
      () => read(run, [pair("2", "3"), pair("4", "4")]),
      /Cannot train a reward model: 1 pairs have equal completions: nothing to learn from, .* \(row 1 of/,
    );
    assert.throws(
      () => read(run, [pair("2", "")]),
      /Cannot train a reward model: 1 completions are empty, want a text/,
    );
    assert.throws(() => read(run, [pair("2", "3"), pair("", "3", "validation")]), /1 completions are empty/);
    // The prompt has 2 tokens, a completion its end, and a score is read in the place after it.
    const fits = run.policy.model.config.maxPositions - 4;
    assert.equal(read(run, [pair("2".repeat(fits), "3")]).train.length, 1);
    const long = pair("2".repeat(fits + 1), "3");
    assert.throws(() => read(run, [long]), /1 rows are longer than the model's context, want max_length/);
    assert.deepEqual(read(run, [long], { maxLength: 6 }).train[0]!.completions.map(({ length }) => length), [4, 2]);
    assert.throws(
      () => read(run, [pair("21", "22")], { maxLength: 3 }),
      /pairs have equal completions after they are cut to max_length/,
    );
  }, ONE_LAYER));

Deno.test("pairBatch() puts the chosen first and reads both at their end; ranked() counts it above the rejected", async () => {
  const train = [[[97, 1], [120, 121, 1]], [[98, 1], [98, 1]]].map((completions) => ({
    prompt: Int32Array.of(5),
    completions: completions.map((ids) => Int32Array.from(ids)),
  }));
  const batch = pairBatch(train, 0.5);
  const want = [[97, 1, 0], [120, 121, 1, 0], [98, 1, 0], [98, 1, 0]];
  assert.deepEqual(batch.completions.map((row) => Array.from(row)), want);
  assert.deepEqual(Array.from(batch.completionMask![1]!), [0, 0, 0, 1]);
  assert.deepEqual([batch.group, batch.inputs], [2, { margin: [0.5, 0.5] }]);
  // A score is the last value: that of a longer row is larger here, and equal scores are no right order.
  const model = { values: () => Promise.resolve(batch.completions.map((row) => Float32Array.of(9, -row.length))) };
  assert.equal(await ranked({ model } as unknown as Parameters<typeof ranked>[0], train), 0.5);
  assert.equal(await ranked({ model } as unknown as Parameters<typeof ranked>[0], []), null);
});
