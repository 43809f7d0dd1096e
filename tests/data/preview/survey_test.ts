import assert from "node:assert/strict";
import { join } from "node:path";
import { openDataset } from "../../../data/datasets/open_dataset.ts";
import { survey } from "../../../data/preview/survey.ts";

/** What is found in files of these contents. */
async function found(files: Record<string, string>, count?: (text: string) => number) {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, text] of Object.entries(files)) await Deno.writeTextFile(join(folder, name), text);
    const [only, ...more] = Object.keys(files);
    return await survey(await openDataset(more.length > 0 ? folder : join(folder, only!)), { count });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join("\n");

Deno.test("survey() counts columns, nulls, lengths, duplicates and leakage, and which verifier reads the answers", async () => {
  const bad = await found({
    "a.jsonl": lines(
      ...[1, 2].map((n) => ({
        data_source: "gsm8k",
        prompt: `${n}?`,
        reward_model: { ground_truth: n === 1 ? "1" : "one" },
      })),
    ),
  });
  assert.deepEqual(bad.problems.first, ['row 2: gsm8k cannot read "one"']);
  const row = (n: number) => ({ question: `${n}+1?`, answer: `It is ${n + 1}.\n#### ${n + 1}` });
  const read = await found({
    "train.jsonl": lines(row(1), row(2), row(2), { question: "3?", answer: null, extra: 1 }),
    "test.jsonl": lines(row(1), row(9)),
  }, (text) => text.length * 10);
  assert.deepEqual([read.rows, read.splits], [6, { held_out: 2, train: 4 }]);
  assert.deepEqual(read.columns.find(({ name }) => name === "answer"), {
    name: "answer",
    type: "text",
    nulls: 1,
    empty: 0,
  });
  assert.equal(read.columns.find(({ name }) => name === "extra")!.nulls, 5);
  assert.deepEqual(read.duplicates, { prompts: 1, across: 1 });
  assert.deepEqual([read.use?.convention, (read.use?.options as { verifier: string }).verifier], ["GSM8K", "gsm8k"]);
  assert.equal(read.unit, "tokens");
  assert.equal(read.lengths["prompt"]!.least, 20);
  assert.deepEqual([read.readable!.answers, read.readable!.by["gsm8k"], read.readable!.by["unit_tests"]], [6, 5, 0]);
  assert.deepEqual(read.problems, { count: 1, first: ["row 4 of train.jsonl: answer is missing"] });
});

Deno.test("survey() sees pairs that are the same, and the balance of labels", async () => {
  const pairs = await found({
    "a.jsonl": lines({ prompt: "p", chosen: "a", rejected: "b" }, { prompt: "q", chosen: "a", rejected: "a" }),
  });
  assert.deepEqual([pairs.use?.step, pairs.identicalPairs, pairs.problems.first], [
    "load_preferences",
    1,
    ["row 2: chosen and rejected are the same"],
  ]);
  const labelled = await found({ "a.csv": "prompt,completion,label\na,b,true\nc,d,0\ne,f,maybe\ng,,1\n" });
  assert.deepEqual(labelled.labels, { desirable: 2, undesirable: 1 });
  assert.equal(labelled.problems.count, 2);
});

Deno.test("survey() says why nothing is recognised", async () => {
  assert.match((await found({ "a.csv": "text\nx\n" })).unclear!, /no usual columns/);
  assert.match((await found({ "a.csv": "problem,answer,solution\nx,1,2\n" })).unclear!, /can be read in 2 ways/);
  assert.match((await found({ "a.csv": "text\n" })).unclear!, /no rows/);
});
