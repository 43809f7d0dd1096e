import assert from "node:assert/strict";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { RUN_A, withRuns } from "./fabricated_run.ts";
import { inProcess } from "./in_process.ts";

/** Exports the metrics (and completions) of the fabricated run and gives the files by name. */
async function exported(
  runs: string,
  format: string,
  ...more: readonly string[]
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const out = join(runs, "out", format);
  const { code, out: said, err } = await inProcess(
    ["export", RUN_A, "--format", format, "--out", out, "--runs", runs, ...more],
  );
  assert.equal(code, 0, err);
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const { name } of Deno.readDirSync(out)) {
    if (name.startsWith(".")) continue;
    files.set(name, Deno.readFileSync(join(out, name)));
    assert(said.includes(name), said);
  }
  return files;
}

const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

/** The time of each record: after a header of 12 bytes, a tag and 8 bytes. */
function wallTimes(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset), times: number[] = [];
  for (let at = 0; at < bytes.length; at += 16 + Number(view.getBigUint64(at, true))) {
    times.push(view.getFloat64(at + 13, true));
  }
  return times;
}

Deno.test("export --format parquet writes tables that another reader reads", () =>
  withRuns(async (runs) => {
    const files = await exported(runs, "parquet");
    assert.deepEqual([...files.keys()].sort(), ["completions.parquet", "metrics.parquet"]);
    const rows = await parquetReadObjects({ file: files.get("metrics.parquet")!.buffer });
    assert.deepEqual(rows.map(({ train_step, reward }) => [train_step, reward]), [[1, 0.25], [2, 0.75]]);
  }));

Deno.test("export --format csv and jsonl write one table where one is named", () =>
  withRuns(async (runs) => {
    const csv = await exported(runs, "csv", "--table", "metrics");
    assert.deepEqual([...csv.keys()], ["metrics.csv"]);
    const [head, first] = text(csv.get("metrics.csv")).split(/\r?\n/);
    const cells = Object.fromEntries(head!.split(",").map((name, i) => [name, first!.split(",")[i]]));
    assert.deepEqual([cells["train_step"], cells["reward"]], ["1", "0.25"]);
    const jsonl = await exported(runs, "jsonl", "--table", "completions");
    const lines = text(jsonl.get("completions.jsonl")).trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(lines.map(({ text, correct }) => [text, correct])[3], ["4\n", true]);
  }));

Deno.test("export --format tensorboard writes the metrics' names, each row at the time of its train step", () =>
  withRuns(async (runs) => {
    const second = (s: number) => new Date(1767323045000 + 1000 * s).toISOString();
    const events = [
      { event: "run_started", time: second(0) },
      { event: "train_step", train_step: 1, time: second(30.5) },
      { event: "train_step", train_step: 2, time: second(75) },
    ];
    Deno.writeTextFileSync(join(runs, RUN_A, "events.jsonl"), events.map((e) => JSON.stringify(e)).join("\n") + "\n");
    const files = await exported(runs, "tensorboard", "--table", "metrics");
    const [[name, bytes]] = [...files] as [[string, Uint8Array]];
    assert.deepEqual([name, files.size], ["events.out.tfevents.1767323045.nonzero", 1]);
    assert(text(bytes).includes("brain.Event:2") && text(bytes).includes("reward"));
    // The metrics, then the completions as text.
    const times = [1767323075.5, 1767323120];
    assert.deepEqual(wallTimes(bytes), [1767323045, ...times, ...times]);
  }));

Deno.test("export --format trainer_state writes a log that the doctor and TRL's readers know", () =>
  withRuns(async (runs) => {
    const state = JSON.parse(text((await exported(runs, "trainer_state")).get("trainer_state.json")));
    assert.deepEqual(state.log_history.map((row: Record<string, unknown>) => [row["step"], row["reward"]]), [
      [1, 0.25],
      [2, 0.75],
    ]);
  }));

Deno.test("export refuses a missing format or folder, an unknown table and a run without rows, exit 2", () =>
  withRuns(async (runs) => {
    const refuses = async (args: readonly string[], message: RegExp) => {
      const { code, err } = await inProcess(["export", RUN_A, "--runs", runs, ...args]);
      assert.match(err, message);
      assert.equal(code, 2);
    };
    await refuses(
      ["--out", "x"],
      /want --format parquet \| csv \| jsonl \| tensorboard \| trainer_state \| wandb \| mlflow \| visual_rft_log \| hf/,
    );
    await refuses(["--format", "csv"], /want --out DIR/);
    await refuses(["--format", "csv", "--out", join(runs, "o"), "--table", "metric"], /"metric".*"metrics"/);
    await refuses(
      ["--format", "csv", "--out", join(runs, "o"), "--table", "updates"],
      /its table updates has no rows; it has completions, metrics/,
    );
    await refuses(["--format", "hf", "--out", join(runs, "o"), "--table", "metrics"], /as hf: it is no table of rows/);
  }));
