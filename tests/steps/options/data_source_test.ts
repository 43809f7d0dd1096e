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

Deno.test("dataPath() is relative to the workflow, and refuses a model of the Hub", () => {
  assert.equal(dataPath("a.jsonl", "/w"), "/w/a.jsonl");
  assert.throws(() => dataPath("hf:Qwen/Qwen2.5-0.5B", "/w"), /it is a model, want a data set/);
});
