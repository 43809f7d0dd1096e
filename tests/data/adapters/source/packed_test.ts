/** Logs that are packed: every format, in a folder, alone, by a pattern; and files that are no gzip, or a bomb of one. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { readRun } from "../../../../data/adapters/read_run.ts";
import { column, readFiles } from "../read_text.ts";

const RECORD = (step: number) => `{'loss': 0.${step}, 'grad_norm': 1.0, 'learning_rate': 1e-06, 'step': ${step}}\n`;
const LINES = [1, 2, 3].map(RECORD).join("");
const STATE = '{"log_history": [{"loss": 0.5, "grad_norm": 1.5, "step": 10}], "max_steps": 40}';

/** A log that hardly shrinks, of many pieces. */
function longLog(records: number): string {
  let state = 7;
  const digits = () => String(state = (state * 1103515245 + 12345) % 2147483648);
  return Array.from({ length: records }, (_, i) => `{'loss': 0.${digits()}, 'kl': 0.${digits()}, 'step': ${i + 1}}\n`)
    .join("");
}

Deno.test("a packed log is read as what it holds, alone and in a folder, under its own name", async () => {
  for (
    const [name, text, format, losses] of [
      ["train.log.gz", LINES, "console", [0.1, 0.2, 0.3]],
      ["logging.JSONL.GZ", LINES.replaceAll("'", '"'), "console", [0.1, 0.2, 0.3]],
      ["trainer_state.json.gz", STATE, "trainer_state", [0.5]],
      ["history.csv.gz", "step,loss,grad_norm\n1,0.25,1\n2,0.5,1\n", "csv", [0.25, 0.5]],
    ] as const
  ) {
    for (const alone of [true, false]) {
      const run = await readFiles({ [name]: gzipSync(text) }, alone);
      assert.deepEqual([column(run, "loss"), run.sources[0]!.format], [losses, format], name);
      assert(run.sources[0]!.path.endsWith(name) && run.sources[0]!.partial === null);
      assert.equal(run.sources[0]!.bytes_read, text.length);
    }
  }
});

Deno.test("packed files stand beside others: settings of one, records of another, weights and archives of none", async () => {
  const run = await readFiles({
    "args.yaml.gz": gzipSync("beta: 0.04\nnum_generations: 8\n"),
    "log.txt.1.gz": gzipSync(LINES),
    "log.txt": [4, 5].map(RECORD).join(""),
    "model.safetensors.gz": gzipSync("weights"),
    "all.tar.gz": gzipSync("archive"),
    "all.tgz": gzipSync("archive"),
  });
  assert.deepEqual(run.metrics.train_step, [1, 2, 3, 4, 5]);
  assert.deepEqual(run.settings.map(({ option, value }) => [option, value]), [["kl_coef", 0.04], ["group_size", 8]]);
  assert.deepEqual(run.sources.length, 3);
});

Deno.test("a pattern finds packed files", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeFile(`${folder}/a.log.gz`, gzipSync(LINES));
    const runs = await readRun([`${folder}/*.gz`]);
    assert.deepEqual(runs.map(({ rows }) => rows.tables.metrics!.numRows()), [3]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("of a packed log that is cut off or damaged the beginning is read, and what is wrong is said", async () => {
  const packed = gzipSync(longLog(60_000), { level: 1 });
  const run = await readFiles({ "log.txt.gz": packed.subarray(0, packed.length - 1000) }, true);
  assert(run.metrics.rows > 10_000);
  assert.match(
    run.sources[0]!.partial!,
    /^Cannot unpack .*log\.txt\.gz: its gzip data is damaged or cut off after \d+ bytes of text$/,
  );
  const damaged = packed.slice();
  damaged[damaged.length >> 1]! ^= 255;
  assert.match((await readFiles({ "log.txt.gz": damaged })).sources[0]!.partial!, /^Cannot unpack /);
  for (const content of [LINES, gzipSync(LINES).subarray(0, 15), "\x1f\x8b", "x"]) {
    const broken = await readFiles({ "a.log.gz": content, "b.log": LINES });
    assert.deepEqual(broken.metrics.train_step, [1, 2, 3]);
    assert.match(broken.sources[0]!.partial!, /^Cannot unpack .*a\.log\.gz: its gzip data is damaged or cut off/);
  }
  assert.equal((await readFiles({ "a.log.gz": gzipSync("") })).sources[0]!.partial, "it is empty");
});

Deno.test("a gzip that unpacks to far more than a log does is stopped, in little memory", async () => {
  const bomb = gzipSync(new Uint8Array(110e6).fill(123), { level: 1 });
  for (const name of ["log.txt.gz", "trainer_state.json.gz", "args.yaml.gz"]) {
    const before = Deno.memoryUsage().rss, run = await readFiles({ [name]: bomb, "b.log": LINES });
    assert.deepEqual(run.metrics.train_step, [1, 2, 3]);
    assert.match(run.sources.find(({ path }) => path.endsWith(name))!.partial!, /^Cannot (unpack|read) .*\.gz/);
    assert(Deno.memoryUsage().rss - before < 4e8, name);
  }
});
