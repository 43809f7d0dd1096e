import assert from "node:assert/strict";
import { openRun } from "../../../workflows/explore/open.ts";
import { completionPictures, evaluationPictures } from "../../../workflows/explore/run_pictures.ts";
import { RUN_A, RUN_B, withRuns } from "../cli/fabricated_run.ts";
import { visualRun } from "../run/visual_run.ts";

Deno.test("completionPictures() shows the last train step, or the one and the ones that are asked for", () =>
  withRuns(async (runs) => {
    const run = await openRun(visualRun(runs));
    const last = run.pictures();
    assert.deepEqual([last.title, last.cells.length], ["Completions of train step 12", 8]);
    assert.match(last.cells[0]!.title, /^Find all \ds\.$/);
    assert.match(last.svg(), /<symbol .*data:image\/png/);
    // A train step has eight completions of each of four prompts.
    const shown = (limit: number) => run.pictures({ limit }).cells.map(({ picture }) => picture.ids[0]!);
    assert.deepEqual([shown(3), shown(8), shown(9)].map((ids) => new Set(ids).size), [3, 4, 4]);
    assert.deepEqual([...Map.groupBy(shown(9), (id) => id).values()].map(({ length }) => length), [3, 2, 2, 2]);
    assert.equal(shown(9)[0], shown(9)[2], "those of a prompt stand beside each other");
    const wrong = run.pictures({ trainStep: 3, correct: false, limit: 2 });
    assert.equal(wrong.title, "Completions of train step 3");
    assert.deepEqual(wrong.cells.map(({ picture }) => picture.correct), [false, false]);
    const table = run.tables.completions,
      refused = (options: object, message: RegExp) =>
        assert.throws(() => completionPictures(run, table, options), message);
    refused({ trainStep: 99 }, /^RangeError: Cannot show pictures .* train step 99: there are none; .* 1 to 12$/);
    refused({ correct: true, limit: 0 }, /Cannot show pictures/);
    const plain = await openRun(RUN_B, runs);
    assert.throws(() => plain.pictures(), /their prompts have no images; look at run\.tables\.completions$/);
    assert.throws(() => plain.pictures({ trainStep: 1, correct: true }), /train step 1: none is right$/);
  }));

Deno.test("evaluationPictures() has before and after beside each other, of each prompt the same image", () =>
  withRuns(async (runs) => {
    const run = await openRun(visualRun(runs, RUN_A)), view = run.picturesBeforeAfter({ limit: 3, theme: "dark" });
    assert.deepEqual(view.cells.map(({ title }) => title.split(" · ")[1]), Array(3).fill(["before", "after"]).flat());
    for (let i = 0; i < view.cells.length; i += 2) {
      assert.deepEqual(view.cells[i]!.picture.ids, view.cells[i + 1]!.picture.ids);
    }
    assert.deepEqual(view.options, { paired: true, theme: "dark" });
    const plain = await openRun(RUN_B, runs);
    assert.throws(
      () => evaluationPictures(plain, plain.tables.evaluations, {}),
      /^RangeError: Cannot show pictures before and after: .*; add evaluate/,
    );
  }));
