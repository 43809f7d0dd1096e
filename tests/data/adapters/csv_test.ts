import assert from "node:assert/strict";
import { readPost, recordsOf } from "./post/read_post.ts";
import { splitRow } from "../../../data/adapters/csv.ts";
import { column, readFiles, readText } from "./read_text.ts";

Deno.test("CSV reads metrics by the row: empty is absent, None is None, nan is NaN", async () => {
  const run = await readFiles({ "metrics.csv": "step,loss,reward,kl\n10,0.5,,nan\n20,None,0.25,1e-3\n" });
  assert.deepEqual(run.metrics.train_step, [10, 20]);
  assert.deepEqual(column(run, "loss"), [0.5, null]);
  assert.deepEqual(column(run, "reward"), [null, 0.25]);
  assert.deepEqual(column(run, "kl"), [NaN, 0.001]);
});

Deno.test("CSV reads W&B's export: the run's name and the MIN and MAX columns go", async () => {
  const run = await readFiles({
    "wandb_export.csv":
      '"Step","happy-sun-3 - train/reward","happy-sun-3 - train/reward__MIN"\n"1","0.5","0.1"\n"2","0.75","0.1"\n',
  });
  assert.deepEqual(column(run, "reward"), [0.5, 0.75]);
  assert.deepEqual([...run.metrics.columns.keys()], ["reward"]);
});

Deno.test("CSV reads completions with line breaks in quoted cells", async () => {
  const run = await readFiles({
    "samples.csv": 'step,prompt,completion,reward\n1,"a, b","line 1\nline ""2""",0.5\n2,c,d,1\n',
  });
  assert.deepEqual(run.completions.map(({ prompt, text, reward }) => [prompt, text, reward]), [
    ["a, b", 'line 1\nline "2"', 0.5],
    ["c", "d", 1],
  ]);
});

Deno.test("CSV drops the last cell of a file that ends without a line break", async () => {
  const run = await readText("step,loss,grad_norm\n1,0.5,1.25\n2,0.25,1.2");
  assert.deepEqual(column(run, "loss"), [0.5, 0.25]);
  assert.deepEqual(column(run, "grad_norm"), [1.25, null]);
  assert(run.skipped.some(({ reason }) => reason.includes("without a line break")));
});

Deno.test("CSV with very many columns is read in part, in bounded memory", async () => {
  const header = ["step", "loss", ...Array.from({ length: 100_000 }, (_, i) => `m${i}`)].join(",");
  const row = ["1", "0.5", ...new Array(100_000).fill("1")].join(",");
  const run = await readFiles({ "wide.csv": `${header}\n${row}\n` });
  assert.deepEqual(column(run, "loss"), [0.5]);
  assert(run.skipped.some(({ reason }) => reason.startsWith("80002 columns of 100002")));
});

Deno.test("splitRow() knows quotes, doubled quotes and an open cell", () => {
  assert.deepEqual(splitRow('a,"b,""c""",d', ","), ["a", 'b,"c"', "d"]);
  assert.deepEqual(splitRow("a,,", ","), ["a", "", ""]);
  assert.deepEqual(splitRow('"a",', ","), ["a", ""]);
  assert.equal(splitRow('a,"b', ","), null);
});

for (
  const [what, text] of [
    ["between semicolons", "step;reward;kl\n100;0,62;0,01\n200;0,5;0,02\n"],
    ["in quotes", 'step,reward,kl\n100,"0,62","0,01"\n200,"0,5","0,02"\n'],
  ] as const
) {
  Deno.test(`CSV reads decimal commas ${what}`, async () => {
    const intake = await readPost(text, "log.csv");
    assert.deepEqual(recordsOf(intake), ["2 100 reward=0.62 kl=0.01", "3 200 reward=0.5 kl=0.02"]);
  });
}

Deno.test("CSV says which column comes again, and reads the first", async () => {
  const intake = await readPost("step,reward,reward\n10,0.5,0.1\n20,0.6,0.0\n", "metrics.csv");
  assert.deepEqual(recordsOf(intake), ["2 10 reward=0.5", "3 20 reward=0.6"]);
  assert.ok(intake.skipped.some(({ reason }) => /^column "reward" comes again/.test(reason)));
});
