/** Damaged files of every kind: a partial result or a named error, never a crash and never a number that is not there. */
import assert from "node:assert/strict";
import { readFiles, readText, readTexts } from "./read_text.ts";

const CASES = new URL("../../cases/", import.meta.url);

/** A small generator, seeded by the caller. */
function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

const SAMPLES = [
  "101-trl-kto/log.txt",
  "101-trl-kto/trainer_state.json",
  "027-verl-2060-healthy-gsm8k/log.txt",
  "036-openr1-704-kl-nan-loss-finite/log.txt",
  "041-dschat-444-inf-actor-critic-loss/log.txt",
  "043-unsloth-constrained-decoding-kl-10000/log.txt",
  "006-swift-intragroup-std-zero/config.txt",
  "018-vlmr1-image-corrupted-iou0/completions.txt",
  "106-trl-grpo/generation_config.json",
];

for (const sample of SAMPLES) {
  Deno.test(`readRun() survives ${sample} with bytes changed, taken out and put in`, async () => {
    const bytes = await Deno.readFile(new URL(sample, CASES));
    const next = random(sample.length);
    for (let round = 0; round < 12; round++) {
      const damaged = [...bytes.subarray(0, 6000)];
      for (let i = 0; i < 30; i++) {
        const at = Math.floor(next() * damaged.length), kind = next();
        if (kind < 0.4) damaged[at] = Math.floor(next() * 256);
        else if (kind < 0.7) damaged.splice(at, Math.floor(next() * 40));
        else damaged.splice(at, 0, ...[..."{}[]':,|"].map((c) => c.charCodeAt(0)));
      }
      const name = sample.split("/").at(-1)!;
      const run = await readFiles({ [name]: Uint8Array.from(damaged) }).catch((error: unknown) => error);
      // A damaged log may look like two runs; anything else is one run or a named error.
      if (run instanceof Error) assert.match(run.message, /^(Cannot |Expected values to be strictly equal)/);
    }
  });
}

for (
  const [what, text] of [
    ["braces without end", "{".repeat(200_000)],
    ["quotes without end", "{'".repeat(50_000)],
    ["brackets without end", "{'loss': " + "[".repeat(100_000)],
    [
      "a line of a million columns",
      "{'loss': 0.5, " + Array.from({ length: 100_000 }, (_, i) => `'c${i}': 1`).join(", ") + "}",
    ],
    ["pipes", "| step ".repeat(100_000)],
    ["spaces", "step: 1" + " ".repeat(200_000) + "x"],
    ["colons", "a:".repeat(100_000)],
    ["carriage returns", "\r".repeat(200_000)],
    ["an escape without end", "\x1b]0;" + "x".repeat(200_000)],
    ["dashes", "-".repeat(200_000)],
    ["dashes and a heading", ("-".repeat(45_000) + "x Step\n").repeat(3)],
    ["bars that do not close", ("%| " + "| 1/2 [".repeat(6000) + "\n").repeat(3)],
    ["digits", "step:1 - actor/pg_loss:" + "9".repeat(200_000) + "\n"],
    ["names without end", "{'" + "n".repeat(200_000) + "': 1.0, 'loss': 0.5}\n"],
    ["equals signs", "a=".repeat(100_000)],
    ["flags", "--a ".repeat(50_000)],
  ] as const
) {
  Deno.test(`readRun() gets through ${what} in time that grows with its length`, async () => {
    const start = Deno.memoryUsage().heapUsed;
    const run = await readText(text);
    assert(run.metrics.rows <= 1);
    assert(Deno.memoryUsage().heapUsed - start < 5e8);
  });
}

Deno.test("readRun() reads a file while it is written: more text, more rows, never fewer", async () => {
  const text = await Deno.readTextFile(new URL("101-trl-kto/log.txt", CASES));
  let rows = 0;
  for (let end = 1000; end <= text.length; end += 700) {
    const [run] = await readTexts(text.slice(0, end));
    assert(run!.metrics.rows >= rows);
    rows = run!.metrics.rows;
  }
  assert(rows >= 28);
});
