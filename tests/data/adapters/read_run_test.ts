import assert from "node:assert/strict";
import { readRun } from "../../../data/adapters/read_run.ts";
import { column, readFiles, readTexts } from "./read_text.ts";

const RECORD = "{'loss': 0.5, 'grad_norm': 1.0, 'learning_rate': 1e-06, 'epoch': 0.1}\n";

Deno.test("readRun() names a path that is not there, and a pattern that matches nothing", async () => {
  await assert.rejects(
    readRun(["/no/such/file.log"]),
    /^NotFound: Cannot read "\/no\/such\/file.log": there is no such file/,
  );
  await assert.rejects(readRun(["/no/such/*.log"]), /^NotFound: Cannot read "\/no\/such\/\*.log": nothing matches/);
});

Deno.test("readRun() names a link in a circle", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.symlink(`${folder}/loop`, `${folder}/loop`);
    await assert.rejects(readRun([`${folder}/loop`]), /Cannot read ".*loop": it is a link in a circle/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("readRun() reads each path as a run of its own, and a pattern as its files", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/a.log`, RECORD);
    await Deno.writeTextFile(`${folder}/b.log`, RECORD + RECORD);
    const seen: string[] = [];
    const runs = await readRun([`${folder}/*.log`, `${folder}/a.log`], { onSource: (path) => seen.push(path) });
    assert.deepEqual(runs.map(({ rows }) => rows.tables.metrics!.numRows()), [1, 2, 1]);
    assert.equal(seen.length, 3);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

const BLOCK = "------------- 24-14 Accuracy reward: 1.0 -------------\ncontent: a\nsol: a\n";

Deno.test("readRun() reads a log and the file of its completions as one run, in any order and from two folders", async () => {
  const folder = await Deno.makeTempDir();
  const at = (name: string) => `${folder}/${name}`;
  const shapes = async (...names: string[]) =>
    (await readRun(names.map(at))).map(({ path, sources, rows, system }) => [
      path.slice(folder.length + 1),
      rows.tables.metrics!.numRows(),
      rows.tables.completions!.numRows(),
      sources.length,
      system,
    ]);
  try {
    await Promise.all(["one", "two", "both"].map((name) => Deno.mkdir(at(name))));
    await Promise.all(
      [
        ["one/train.log", RECORD + RECORD],
        ["one/debug.txt", BLOCK],
        ["two/train.log", RECORD],
        [
          "two/debug.txt",
          BLOCK + BLOCK,
        ],
        ["both/a.log", RECORD],
        ["both/b.log", RECORD],
        ["both/debug.txt", BLOCK],
      ].map(([name, text]) => Deno.writeTextFile(at(name!), text!)),
    );
    const joined = ["one/train.log", 2, 1, 2, "visual-rft"];
    assert.deepEqual(await shapes("one/train.log", "one/debug.txt"), [joined]);
    assert.deepEqual(await shapes("one/debug.txt", "one/train.log"), [joined]);
    assert.deepEqual(await shapes("one/train.log", "two/debug.txt"), [["one/train.log", 2, 2, 2, "visual-rft"]]);
    assert.deepEqual(await shapes("one/train.log", "two/train.log", "two/debug.txt", "one/debug.txt"), [
      joined,
      ["two/train.log", 1, 2, 2, "visual-rft"],
    ]);
    // Of which of two logs it is, nothing says; and two files of completions alone are two.
    const apart = (await shapes("both/a.log", "both/b.log", "both/debug.txt")).map(([path]) => path);
    assert.deepEqual(apart, ["both/a.log", "both/b.log", "both/debug.txt"]);
    assert.deepEqual((await shapes("one/debug.txt", "two/debug.txt")).map(([path]) => path), [
      "one/debug.txt",
      "two/debug.txt",
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("readRun() reads each post as a run of its own, side by side, in a folder, and beside a log", async () => {
  const folder = await Deno.makeTempDir(), at = (name: string) => `${folder}/${name}`;
  const paths = async (...names: string[]) =>
    (await readRun(names.map(at))).map(({ path, sources }) => [path.slice(folder.length + 1), sources.length]);
  try {
    await Promise.all(["posts", "run"].map((name) => Deno.mkdir(at(name))));
    const texts = {
      "a.md": `GRPO with TRL:\n\n${RECORD}${RECORD}`,
      "b.md": 'PPO, verl, why is it so?\n\nOutput: "!!!!!!!!!!!!!!!!!!!!"\n',
      "c.txt": "DPO，TRL，回答：「哈哈哈哈哈哈哈哈」，为什么会这样？\n",
      "train.log": RECORD,
      "debug.txt": BLOCK,
      "run/train.log": RECORD,
      "run/notes.md": "# Model\n\nTrained with GRPO.\n",
    };
    for (const [name, text] of Object.entries(texts)) await Deno.writeTextFile(at(name), text);
    for (const name of ["a.md", "b.md"] as const) await Deno.writeTextFile(at(`posts/${name}`), texts[name]);
    const each = ["a.md", "b.md", "c.txt"].map((name) => [name, 1]);
    assert.deepEqual(await paths("a.md", "b.md", "c.txt"), each);
    assert.deepEqual(await paths("posts"), [["posts/a.md", 1], ["posts/b.md", 1]]);
    assert.deepEqual(await paths("b.md", "train.log"), [["b.md", 1], ["train.log", 1]]);
    assert.deepEqual(await paths("run"), [["run", 2]], "a folder of a run is one");
    const [joined] = await readRun(["train.log", "debug.txt"].map(at));
    assert.deepEqual(
      joined!.skipped.filter(({ reason }) => reason.includes("completions are read")).map(({ source }) => source),
      [
        at("debug.txt"),
      ],
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("readRun() reads an empty folder without a run and says so", async () => {
  const run = await readFiles({});
  assert.equal(run.metrics.rows, 0);
  assert.deepEqual(run.skipped.map(({ reason }) => reason), ["a folder without a file that a doctor reads"]);
});

Deno.test("readRun() lets one broken file of a folder not hide the others", async () => {
  const run = await readFiles({
    "events.out.tfevents.1": "this is no event file at all, but long enough",
    "log.txt": RECORD,
    "run-x.wandb": ":W&B" + "garbage that is no block of records",
    "trainer_state.json": '{"best_metric": null',
  });
  assert.deepEqual(column(run, "loss"), [0.5]);
  const partial = run.sources.filter(({ partial }) => partial !== null).map(({ format }) => format);
  assert.deepEqual(partial, ["tensorboard", "wandb", "trainer_state"]);
});

Deno.test("readRun() survives every prefix of a log, and never reads a value that is not there", async () => {
  const log = "step:1 - actor/pg_loss:0.125 - actor/grad_norm:12.500\n" + RECORD +
    "| Step | Training Loss |\n|---|---|\n| 7 | 0.625 |\nreward: 0.75\n";
  const allowed = new Set([0.125, 12.5, 0.5, 1, 1e-6, 0.1, 0.625, 0.75]);
  for (let end = 0; end <= log.length; end += 3) {
    for (const { metrics } of await readTexts(log.slice(0, end))) {
      for (const [name, values] of metrics.columns) {
        for (const value of values) {
          assert(value === null || allowed.has(value), `${name} ${value} after ${end} characters`);
        }
      }
    }
  }
});
