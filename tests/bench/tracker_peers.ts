/**
 * What other trackers take for what a run of ours does with its metrics: writing them, and serving them to a browser.
 *
 * Each program does it its own way and nothing more; what is counted is said in the figure's line. Python is started anew
 * for each, and the time is that of what is named, imports left out for writing, taken in for serving.
 * @module
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { RUN_FILES, segmentPath } from "../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../data/tables/mod.ts";
import { openEvents } from "../../workflows/store/events.ts";

/** One line beside ours. */
interface PeerFigure {
  readonly what: string;
  readonly measured: number;
  readonly goal: number;
  readonly unit: string;
}

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Reads rows of numbers, one object per line, and gives `step` and the scalars of each. */
const ROWS = `import json, sys, time
rows = [json.loads(line) for line in open(sys.argv[1])]
rows = [(row.pop("train_step"), row) for row in rows]
`;

/** The event files that torch's SummaryWriter makes, by TensorBoard's own writer. */
const TENSORBOARD = `${ROWS}
from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.event_file_writer import EventFileWriter
began = time.perf_counter()
writer = EventFileWriter(sys.argv[2])
for step, row in rows:
    for name, value in row.items():
        summary = Summary(value=[Summary.Value(tag=name, simple_value=value)])
        writer.add_event(Event(wall_time=time.time(), step=step, summary=summary))
writer.close()
print(time.perf_counter() - began)`;

const WANDB = `${ROWS}
import wandb
run = wandb.init(mode="offline", dir=sys.argv[2], project="bench", settings=wandb.Settings(silent=True))
began = time.perf_counter()
for step, row in rows:
    run.log(row, step=step)
run.finish()
print(time.perf_counter() - began)`;

/** A call for each train step, as its trainers make them; the store is of files. */
const MLFLOW = `${ROWS}
import os
os.environ["MLFLOW_ALLOW_FILE_STORE"] = "true"
import mlflow
mlflow.set_tracking_uri("file://" + sys.argv[2])
mlflow.set_experiment("bench")
mlflow.start_run()
rows = rows[:len(rows) // 10]
began = time.perf_counter()
for step, row in rows:
    mlflow.log_metrics(row, step=step)
took = time.perf_counter() - began
mlflow.end_run()
print(took)`;

const LOGGED = {
  tensorboard: { program: TENSORBOARD, what: "  TensorBoard's EventFileWriter, an event per value", share: 1 },
  wandb: { program: WANDB, what: "  W&B offline, log() per train step, finish()", share: 1 },
  mlflow: { program: MLFLOW, what: "  MLflow file store, log_metrics() of a tenth", share: 0.1 },
} as const;

async function output(command: string, args: readonly string[]): Promise<string> {
  const env = { WANDB_SILENT: "true", WANDB_MODE: "offline", MLFLOW_TRACKING_URI: "", GIT_PYTHON_REFRESH: "quiet" };
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args], env }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

/** Which of the modules a Python has; without Python none. */
async function installed(python: string | undefined): Promise<(keyof typeof LOGGED)[]> {
  if (python === undefined) return [];
  const names = Object.keys(LOGGED) as (keyof typeof LOGGED)[];
  const has = await Promise.all(
    names.map((name) => output(python, ["-c", `import ${name}`]).then(() => true, () => false)),
  );
  return names.filter((_, i) => has[i]);
}

/**
 * Seconds for writing the metrics of a run of ours, and from the start of the program until they are served over HTTP;
 * what is not installed is said.
 *
 * folder   a run's folder with the rows in its tables
 * rows     the same rows, `train_step` and numbers
 */
export async function trackerFigures(
  folder: string,
  rows: readonly Readonly<Record<string, number>>[],
): Promise<PeerFigure[]> {
  const python = Deno.env.get("NONZERO_PEERS_PYTHON"), there = await installed(python);
  const missing = Object.keys(LOGGED).filter((name) => !there.includes(name as keyof typeof LOGGED));
  if (missing.length > 0) {
    console.error(`Left out: ${missing.join(", ")}; want a Python that has them in NONZERO_PEERS_PYTHON`);
  }
  const values = Object.keys(rows[0]!).length - 1, scratch = await Deno.makeTempDir();
  try {
    const file = join(scratch, "rows.jsonl");
    await Deno.writeTextFile(file, rows.map((row) => JSON.stringify(row)).join("\n"));
    const ours = writeOurs(join(scratch, "ours"), rows);
    const figures = [seconds(`${rows.length} train steps of ${values} metrics: tables, events`, ours)];
    for (const name of there) {
      const { program, what, share } = LOGGED[name], to = join(scratch, name);
      await Deno.mkdir(to);
      const took = Number((await output(python!, ["-c", program, file, to])).trim().split("\n").at(-1));
      figures.push(seconds(`${what}${ratio(took / share, ours)}`, took));
    }
    const served = await watchServes(folder);
    figures.push(seconds("fresh process to the metrics served (watch)", served));
    if (there.includes("tensorboard")) {
      const took = await tensorboardServes(python!, join(scratch, "tensorboard"), rows.length);
      figures.push(seconds(`  tensorboard --logdir, all points of one metric${ratio(took, served)}`, took));
    }
    return figures;
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
}

const seconds = (what: string, measured: number): PeerFigure => ({ what, measured, goal: NaN, unit: "s" });

const ratio = (theirs: number, ours: number) => ` (${(theirs / ours).toPrecision(2)} x ours)`;

/** Seconds from the start of \`watch RUN\` until its page has been read whole: it holds the rows of all charts. */
async function watchServes(folder: string): Promise<number> {
  const began = performance.now();
  const args = [
    "run",
    "-A",
    "-q",
    "--no-check",
    "--config",
    join(ROOT, "deno.json"),
    join(ROOT, "workflows/cli/main.ts"),
  ];
  await using child = running(Deno.execPath(), [...args, "watch", folder, "--port", "0"]);
  const address = await child.says(/http:\/\/\S+/);
  const page = await (await fetch(address)).text();
  if (!page.includes("</html>")) throw new Error(`Cannot read ${address}: it is no page`);
  return (performance.now() - began) / 1000;
}

/** Seconds from the start of TensorBoard until it gives the points of one scalar: it reads while it serves. */
async function tensorboardServes(python: string, logs: string, points: number): Promise<number> {
  const began = performance.now();
  const args = ["-m", "tensorboard.main", "--logdir", logs, "--port", "0", "--host", "127.0.0.1"];
  await using child = running(python, [...args, "--samples_per_plugin", `scalars=${points}`, "--load_fast=false"]);
  const address = await child.says(/http:\/\/[\d.]+:\d+/);
  for (;;) {
    const answer = await fetch(`${address}/data/plugin/scalars/scalars?run=.&tag=reward`).catch(() => null);
    const read = answer?.ok ? await answer.json() as unknown[] : (await answer?.body?.cancel(), []);
    if (read.length === points) return (performance.now() - began) / 1000;
    if (performance.now() - began > 120_000) {
      throw new Error(`Cannot wait for TensorBoard: ${read.length} of ${points} points`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A program that serves until the block is left. */
function running(command: string, args: readonly string[]) {
  const child = new Deno.Command(command, { args: [...args], stdout: "piped", stderr: "piped" }).spawn();
  let said = "";
  const found: ((text: string) => void)[] = [];
  const listen = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      said += text;
      for (const look of found) look(said);
    }
  };
  const heard = [listen(child.stdout), listen(child.stderr)];
  return {
    says(pattern: RegExp): Promise<string> {
      return new Promise((resolve, reject) => {
        found.push((text) => {
          const match = pattern.exec(text);
          if (match !== null) resolve(match[0]);
        });
        child.status.then(() => reject(new Error(`It ended: ${said}`)));
      });
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await Promise.all(heard);
    },
  };
}

/** Train steps between checkpoints: as many rows are one segment. */
const SEGMENT = 20;

/** Seconds in which a run's own tables and events take the rows, as the engine writes them without a checkpoint's fsync. */
function writeOurs(folder: string, rows: readonly Readonly<Record<string, number>>[]): number {
  Deno.mkdirSync(join(folder, RUN_FILES.tables, "metrics"), { recursive: true });
  const began = performance.now(), events = openEvents(folder, () => {}, () => new Date());
  for (let from = 0; from < rows.length; from += SEGMENT) {
    const part = rows.slice(from, from + SEGMENT);
    for (const row of part) events.write({ event: "train_step", ...row });
    const path = join(folder, segmentPath("metrics", from + 1, from + part.length));
    Deno.writeFileSync(path, encodeTable("metrics", tableOfRows("metrics", part)));
  }
  events.close();
  return (performance.now() - began) / 1000;
}
