import assert from "node:assert/strict";
import { tableOfRows } from "../../../data/tables/mod.ts";
import { type ExampleOptions, readExamples } from "../../../steps/preferences/examples.ts";
import { ONE_LAYER, type TrainingRun, withTinyPolicy } from "../contexts/training_run.ts";

const OPTIONS: ExampleOptions = { pairs: true, maxLength: null, checkData: true };

function read(run: TrainingRun, rows: Record<string, unknown>[], options: Partial<ExampleOptions> = {}) {
  const all = rows.map((row, preference_id) => ({ preference_id, split: "train", ...row }));
  run.tables.write({ preferences: tableOfRows("preferences", all) }, "test");
  return readExamples(run.context("test"), run.policy, "train", { ...OPTIONS, ...options });
}

Deno.test("readExamples() gives prompts and completions of a split as tokens, an end at each completion", () =>
  withTinyPolicy((run) => {
    const rows = [{ prompt: "1=", chosen: "2", rejected: "33" }, {
      prompt: "1=",
      chosen: "2",
      rejected: "4",
      split: "held_out",
    }];
    const [one, ...more] = read(run, rows), end = run.policy.tokenizer.eosIds[0]!;
    assert.equal(more.length, 0);
    assert.deepEqual(one!.completions.map((ids) => [ids.length, ids.at(-1)]), [[2, end], [3, end]]);
    assert.deepEqual([one!.row, one!.label, one!.prompt.length], [0, null, 2]);
    const labelled = read(run, [{ prompt: "1=", completion: "2", label: true }, {
      prompt: "1=",
      completion: "3",
      label: false,
    }], { pairs: false });
    assert.deepEqual(labelled.map(({ label, completions }) => [label, completions.length]), [[1, 1], [0, 1]]);
  }, ONE_LAYER));

Deno.test("readExamples() cuts completions at max_length, and names rows that are too long without it", () =>
  withTinyPolicy((run) => {
    const [one] = read(run, [{ prompt: "1=", chosen: "2345", rejected: "33" }], { maxLength: 5 });
    assert.deepEqual(one!.completions.map(({ length }) => length), [3, 3]);
    assert.throws(
      () => read(run, [{ prompt: "1=", chosen: "2".repeat(300), rejected: "3" }]),
      /1 rows are longer than the model's context/,
    );
    const two = ["1", "2"].map((n) => ({ prompt: n, chosen: "", rejected: "3" }));
    assert.throws(
      () => read(run, two),
      /Cannot train on preferences: 2 completions are empty, want a text \(rows 0, 1 of/,
    );
  }, ONE_LAYER));

Deno.test("readExamples() names the lines of the file that rows stand in, in whatever order they come", () =>
  withTinyPolicy((run) => {
    const rows = [9, 4].map((line) => ({ prompt: "1=", chosen: "2", rejected: "2", line }));
    assert.throws(
      () => read(run, rows),
      /2 pairs have equal completions: .*set check_data: false.* \(lines 4, 9 of their file\)/,
    );
  }, ONE_LAYER));
