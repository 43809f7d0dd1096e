import assert from "node:assert/strict";
import { LiveRun } from "../../../data/adapters/live_run.ts";
import { readRun } from "../../../data/adapters/read_run.ts";
import { uniform } from "../../../data/random.ts";
import { caseLogs } from "../../bench/followed_cases.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const rows = (runs: Awaited<ReturnType<typeof readRun>>) =>
  runs.map(({ rows, system, algorithm }) => [system, algorithm, rows.tables.metrics!.objects(), rows.log!.printed]);

/** The bytes in pieces of 1 to 400: characters, lines and records are cut anywhere. */
function* cut(text: string): Generator<Uint8Array> {
  const all = bytes(text);
  for (let at = 0, i = 0; at < all.length; i++) {
    const length = 1 + Math.floor(400 * uniform(7, "cut", 1, 0, i));
    yield all.subarray(at, at += length);
  }
}

Deno.test("LiveRun reads every case as readRun does, wherever its bytes are cut", async () => {
  for (const { name, file, text } of await caseLogs()) {
    const live = new LiveRun({ path: file, name: file });
    for (const piece of cut(text)) await live.feed(piece);
    await live.end();
    const whole = await readRun([new URL(`../../cases/${name}`, import.meta.url).pathname]);
    const path = (run: unknown) => JSON.stringify(run).replaceAll(/"source":"[^"]*"/g, "");
    assert.equal(path(rows(live.runs())), path(rows(whole)), name);
  }
});

Deno.test("LiveRun says what it holds between two pieces, as often as it is asked", async () => {
  const live = new LiveRun({ path: "-", name: "stdin" });
  for (let step = 1; step <= 3; step++) {
    await live.feed(bytes(`{'loss': 0.${step}, 'reward': 0.5, 'step': ${step}}\n`));
    const counts = [live.runs(), live.runs()].map((runs) => runs.at(-1)!.rows.tables.metrics!.numRows());
    assert.deepEqual(counts, [step, step]);
  }
});

Deno.test("LiveRun joins two views of one table as often as it is asked, and stays as it was", async () => {
  const live = new LiveRun({ path: "-", name: "stdin" });
  const table = (names: string[], value: (step: number, i: number) => number) =>
    `| step | ${names.join(" | ")} |\n|---|${"---|".repeat(names.length)}\n` +
    [1, 2, 3].map((step) => `| ${step} | ${names.map((_, i) => value(step, i)).join(" | ")} |\n`).join("") + "\n";
  await live.feed(bytes(table(["loss", "reward"], (step, i) => step / 10 + i)));
  await live.feed(bytes(table(["loss", "kl"], (step, i) => step / 10 + i * 2)));
  for (let again = 0; again < 3; again++) {
    const runs = live.runs();
    assert.equal(runs.length, 1);
    assert.deepEqual(runs[0]!.rows.tables.metrics!.array("kl"), [2.1, 2.2, 2.3]);
  }
});

Deno.test("LiveRun reads a bar that never ends its line, and takes a cut last line at the end only", async () => {
  const live = new LiveRun({ path: "-", name: "stdin" });
  for (let step = 1; step <= 4; step++) {
    await live.feed(
      bytes(`Train epoch [1/1]: 50%|██| ${step}/8 [00:10<00:10, act_loss=0.${step}, reward=0.5, kl=0]\r`),
    );
  }
  assert.equal(live.runs()[0]!.rows.tables.metrics!.numRows(), 4);
  const before = live.taken;
  await live.feed(bytes("{'loss': 0.25, 'reward': 0.5}"));
  assert.equal(live.taken, before);
  await live.end();
  assert(live.taken > before);
});

Deno.test("LiveRun knows a trainer state on standard input, says what it cannot read, and is empty without a byte", async () => {
  const state = new LiveRun({ path: "-", name: "stdin" });
  for (const piece of cut(`{\n  "max_steps": 3,\n  "log_history": [\n    {"loss": 0.5, "step": 1}\n  ]\n}\n`)) {
    await state.feed(piece);
  }
  await state.end();
  assert.deepEqual(state.runs()[0]!.sources.map(({ format }) => format), ["trainer_state"]);
  const binary = new LiveRun({ path: "-", name: "stdin" });
  await binary.feed(new Uint8Array(5000));
  assert.equal(binary.unread, "it is binary and of no known format");
  const empty = new LiveRun({ path: "-", name: "stdin" });
  await empty.end();
  assert.deepEqual([empty.unread, empty.runs()[0]!.rows.tables.metrics!.numRows()], ["it is empty", 0]);
});

Deno.test("LiveRun reads the configurations that lie beside the log first", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/config.yaml`, "learning_rate: 0.0\n");
    const live = new LiveRun({ path: "train.log", name: "train.log" });
    await live.readBeside(["gone.yaml", "config.yaml"].map((path) => ({ file: `${folder}/${path}`, path })));
    await live.feed(bytes("{'loss': 0.25, 'reward': 0.5}\n"));
    const [run] = live.runs();
    assert.equal(run!.settings.find(({ name }) => name === "learning_rate")?.value, 0);
    assert.equal(run!.rows.tables.metrics!.numRows(), 1);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
