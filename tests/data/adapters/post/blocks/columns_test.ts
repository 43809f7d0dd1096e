import assert from "node:assert/strict";
import { Intake } from "../../../../../data/adapters/intake/intake.ts";
import { LogReader } from "../../../../../data/adapters/text/log_reader.ts";
import { readPost, recordsOf } from "../read_post.ts";
import { columnsAsPairs, readColumns } from "../../../../../data/adapters/post/blocks/columns.ts";

const pairs = (...texts: string[]) =>
  columnsAsPairs(texts.map((text, i) => ({ text, number: i + 1, ended: true })))?.map(({ text }) => text) ?? null;

Deno.test("columnsAsPairs() reads a name and its value in two columns, by spaces, tabs and arrows", () => {
  assert.deepEqual(pairs("reward      ~0.05", "kl\t0.001", "grad_norm → 12,5", "clip ratio   5 % (all)"), [
    "reward: 0.05",
    "kl: 0.001",
    "grad_norm: 12,5",
    "clip ratio   5 % (all)",
  ]);
  assert.deepEqual(pairs("loss   nan", "reward   about 0.5", ""), ["loss: nan", "reward: 0.5", ""]);
});

Deno.test("columnsAsPairs() leaves prose, single rows and lines without an end as they are", () => {
  assert.equal(pairs("reward   0.5"), null);
  assert.equal(pairs("reward   0.5", "It says so.", "And so on.", "reward   0.6"), null);
  assert.equal(pairs("reward = 0.5", "kl = 0.1"), null, "a name and a value with a sign is another form");
  assert.equal(pairs("a" + " ".repeat(50_000) + "x", "b" + " ".repeat(50_000) + "x"), null);
});

Deno.test("PostReader reads two columns without a fence, and sentences in two columns as sentences", async () => {
  const text = "Hi, why is it so? It ends with:\n\nreward     0.05\nkl         0.001\n\nThe outputs are gibberish.\n";
  assert.deepEqual(recordsOf(await readPost(text)).map((one) => one.split(" ").slice(2).join(" ")), [
    "reward=0.05 kl=0.001",
  ]);
});

Deno.test("readColumns() wants each line to be set in columns", () => {
  const columns = (...texts: string[]) => {
    const intake = new Intake(), log = new LogReader(intake, "post");
    intake.openSource("post.md", "post", 0);
    return readColumns(log, texts.map((text, i) => ({ text, number: i + 1, ended: true })));
  };
  assert(columns("reward   0.5", "kl   0.1") && !columns("reward   0.5", "kl   0.1", "and so on"));
});
