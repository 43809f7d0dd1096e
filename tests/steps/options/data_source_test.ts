import assert from "node:assert/strict";
import { join } from "node:path";
import { openDataset } from "../../../data/datasets/open_dataset.ts";
import { columnsText, dataPath, readingOf } from "../../../steps/options/data_source.ts";

const GOLDENS = new URL("../../goldens/datasets/", import.meta.url).pathname;
const GIVEN = { file: "saved", verifier_options: {}, columns: [] };

Deno.test("readingOf() says how a data set is read, and leaves what is said", async () => {
  const dataset = await openDataset(join(GOLDENS, "saved"));
  const { convention, options } = await readingOf(GIVEN, dataset);
  assert.equal(convention, "GSM8K");
  assert.equal(columnsText(options), "prompt_column: question, answer_column: answer, verifier: gsm8k");
  const own = await readingOf(
    { ...GIVEN, prompt_column: "question", answer_column: "answer", verifier: "exact" },
    dataset,
  );
  assert.deepEqual([own.convention, own.options.verifier], [null, "exact"]);
  assert.equal((await readingOf({ ...GIVEN, answer_column: null }, dataset)).options.verifier, "none");
});

Deno.test("readingOf() has something to tell wherever it chose the verifier, exact too", async () => {
  const path = Deno.makeTempFileSync({ suffix: ".jsonl" });
  try {
    Deno.writeTextFileSync(path, '{"prompt":"a","answer":"b"}');
    const dataset = await openDataset(path),
      told = async (given: object) => (await readingOf({ ...GIVEN, ...given }, dataset)).convention;
    assert.deepEqual([await told({}), await told({ verifier: "exact" })], ["prompt, answer", null]);
  } finally {
    Deno.removeSync(path);
  }
});

Deno.test("dataPath() is relative to the workflow, and refuses a model of the Hub", () => {
  assert.equal(dataPath("a.jsonl", "/w"), "/w/a.jsonl");
  assert.throws(() => dataPath("hf:Qwen/Qwen2.5-0.5B", "/w"), /it is a model, want a data set/);
});

Deno.test("readingOf() sends preferences to their step, and reads an answer column that is named", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "nonzero_reading_" });
  const read = async (rows: readonly object[], given: object = {}) => {
    const path = join(folder, "rows.jsonl");
    Deno.writeTextFileSync(path, rows.map((row) => JSON.stringify(row)).join("\n"));
    return (await readingOf({ ...GIVEN, file: "rows.jsonl", ...given }, await openDataset(path))).options.answer_column;
  };
  const pairs = [{ prompt: "a", chosen: "b", rejected: "c" }, { prompt: "d", chosen: "e", rejected: "f" }];
  const bare = [{ chosen: "ask b", rejected: "ask c" }];
  const labelled = [{ prompt: "a", completion: "b", label: true }, { prompt: "a", completion: "c", label: false }];
  try {
    const isPairs =
      /^RangeError: Cannot load prompts from rows\.jsonl: .* chosen and rejected; load them by load_pref.*dpo/;
    await assert.rejects(read(pairs), isPairs);
    await assert.rejects(read(bare), /loss: dpo$/);
    await assert.rejects(
      read(labelled),
      /are preferences, completions with a label; load them by load_pref.*loss: kto,/,
    );
    assert.equal(await read(pairs, { answer_column: "chosen" }), "chosen");
    assert.equal(await read(labelled, { answer_column: "completion" }), "completion");
    // An answer of their own makes them prompts; classes are no labels of good and bad.
    assert.equal(await read(pairs.map((row) => ({ ...row, answer: "b" }))), "answer");
    assert.equal(await read(labelled.map((row, i) => ({ ...row, label: `class ${i}` }))), "completion");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("readingOf() knows annotations of images before they are read, and lets no column of theirs be named", async () => {
  const path = Deno.makeTempFileSync({ suffix: ".json" });
  // Nothing but the beginning is there to be looked at.
  Deno.writeTextFileSync(path, '{"images":[],"annotations":[{');
  try {
    const dataset = await openDataset(path), given = { ...GIVEN, file: "a.json" };
    const { convention, options } = await readingOf(given, dataset);
    assert.equal(convention, "annotations of images");
    assert.deepEqual([options.split_column, options.verifier, options.image_columns], ["split", "none", ["image"]]);
    assert.deepEqual((await readingOf({ ...given, image_column: [] }, dataset)).options.image_columns, []);
    const own = (await readingOf({ ...given, columns: ["width"], verifier: "none" }, dataset)).options.columns;
    assert.deepEqual(own, ["width", "image_id", "category", "category_split"]);
    for (const name of ["prompt_column", "input_column", "answer_column", "messages_column", "split_column"]) {
      await assert.rejects(
        readingOf({ ...given, [name]: "caption" }, dataset),
        new RegExp(`Cannot load prompts from a.json: it has annotations of images, which have no column for ${name}`),
      );
    }
  } finally {
    Deno.removeSync(path);
  }
});
