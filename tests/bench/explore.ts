/**
 * Notebooks and pages: how long until there is something to look at?
 *
 *     deno task bench explore [--rounds 5]
 *
 * The median of ROUNDS of: a fresh process until the first chart's bundle (kernel start apart); a chart of 10,000 rows to its
 * specification and to PNG; a run's 1,000,000 completions with their token ids until they are opened, averaged, filtered; the
 * report of 5,000 train steps and its size. Beside pandas and matplotlib doing the same with the same rows, and TensorBoard, W&B
 * offline and MLflow taking and serving the metrics of 5,000 train steps, where NONZERO_PEERS_PYTHON has them. Goals: 3 s,
 * 150 ms, 400 ms, 0.5 s, 3 s and 5 MB.
 * @module
 */
import { join } from "node:path";
import * as aq from "arquero";
import { fileURLToPath } from "node:url";
import { RUN_FILES, segmentPath } from "../../data/run_folder.ts";
import { encodeTable, tableOfRows } from "../../data/tables/mod.ts";
import type { TableName } from "../../data/columns.ts";
import { tableBundle } from "../../notebooks/display.ts";
import type { Run } from "../../workflows/explore/run.ts";
import { writeReport } from "../../workflows/run/write_report.ts";
import { openRun } from "../../workflows/explore/open.ts";
import { UsageError } from "../../workflows/terminal/usage_error.ts";
import { benchArguments, numbers, typed } from "./arguments.ts";
import { trackerFigures } from "./tracker_peers.ts";
import { fabricateRun } from "../workflows/cli/fabricated_run.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ID = "20260102-030405-large-aaaa";
const METRICS = ["loss", "reward", "reward_std", "zero_spread_fraction", "accuracy", "advantage_std", "entropy", "kl"];
const MORE = [
  "clip_fraction",
  "completion_length",
  "truncated_fraction",
  "grad_norm",
  "update_size",
  "step_ms",
  "update_ms",
];

/** A number that moves like a metric: a slope with noise, the same in every round. */
const value = (i: number, k: number) => Math.abs(Math.sin(i * 0.013 * (k + 1)) + 0.3 * Math.sin(i * 12.9898 * (k + 3)));

function metricsRows(steps: number) {
  return Array.from({ length: steps }, (_, i) => ({
    train_step: i + 1,
    phase: "rollout",
    step_id: "u",
    ...Object.fromEntries([...METRICS, ...MORE].map((name, k) => [name, value(i, k)])),
  }));
}

const TOKENS = Int32Array.from({ length: 40 }, (_, i) => i);

function completionRows(from: number, to: number, perStep: number) {
  return Array.from({ length: (to - from + 1) * perStep }, (_, i) => {
    const train_step = from + Math.floor(i / perStep), sample = i % 8;
    return {
      train_step,
      prompt_id: Math.floor(i / 8) % 97,
      sample,
      prompt: `What is ${train_step} plus ${sample}?`,
      answer: `${train_step + sample}`,
      text: `The answer is ${train_step + sample + (i % 3)}, I think.`,
      truncated: i % 9 === 0,
      completion_tokens: 20 + (i % 40),
      reward: i % 3 ? 0 : 1,
      advantage: i % 3 ? -0.5 : 1,
      correct: i % 3 === 0,
      token_ids: TOKENS,
    };
  });
}

function writeSegments(
  folder: string,
  name: TableName,
  steps: number,
  size: number,
  rows: (a: number, b: number) => object[],
) {
  Deno.removeSync(join(folder, RUN_FILES.tables, name), { recursive: true });
  Deno.mkdirSync(join(folder, RUN_FILES.tables, name), { recursive: true });
  for (let from = 1; from <= steps; from += size) {
    const table = tableOfRows(name, rows(from, from + size - 1) as Record<string, unknown>[]);
    Deno.writeFileSync(join(folder, segmentPath(name, from, from + size - 1)), encodeTable(name, table));
  }
}

function makeRun(runs: string, steps: number, perStep: number): string {
  const folder = fabricateRun(runs, ID, { train_step: steps });
  const metrics = metricsRows(steps);
  writeSegments(folder, "metrics", steps, 100, (from, to) => metrics.slice(from - 1, to));
  writeSegments(folder, "completions", steps, 100, (from, to) => completionRows(from, to, perStep));
  return folder;
}

const meanReward = (run: Run) => run.completions.rollup({ mean: aq.op.mean("reward") }).get("mean", 0);

/** Of a million completions the wrong ones of a prompt, the first ten as a notebook shows them. */
function someShown(run: Run) {
  const isWanted = (row: { prompt_id: number; reward: number }) => row.prompt_id === 7 && row.reward === 0;
  return tableBundle(run.completions.filter(isWanted).slice(0, 10));
}

/** Rows as trackers take them: numbers alone. */
function numbersOf(rows: readonly Readonly<Record<string, unknown>>[]): Record<string, number>[] {
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).flatMap(([k, v]) => typeof v === "number" ? [[k, v]] : []))
  );
}

async function median(rounds: number, action: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < rounds; i++) {
    const started = performance.now();
    await action();
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
}

const FIRST_CHART = `const { openRun } = await import("${ROOT}workflows/mod.ts");
const run = await openRun(Deno.args.at(0));
await run.chart("reward").bundle();`;

const FIRST_FIGURE = `import sys
import pandas as pd
import matplotlib
matplotlib.use("agg")
import matplotlib.pyplot as plt
frame = pd.read_csv(sys.argv[1])
frame.plot(x="train_step", y="reward")
plt.savefig(sys.argv[2], dpi=100)`;

async function ofProcess(program: string, args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args: [...args], cwd: ROOT }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

interface Figure {
  readonly what: string;
  readonly measured: number;
  readonly goal: number;
  readonly unit: string;
}

async function measure(rounds: number): Promise<Figure[]> {
  const runs = await Deno.makeTempDir();
  try {
    const folder = makeRun(runs, 10_000, 8), run = await openRun(folder);
    run.chart("entropy"); // loads Vega
    const script = join(runs, "first_chart.ts");
    await Deno.writeTextFile(script, FIRST_CHART);
    const deno = ["run", "-A", "-q", "--no-check", "--config", join(ROOT, "deno.json"), script, folder];
    const first = await median(rounds, () => ofProcess(Deno.execPath(), deno));
    const spec = await median(rounds, () => run.chart("entropy"));
    const png = await median(rounds, () => run.chart("entropy").png());
    const peer = await peerFigures(runs, rounds);
    const million = makeRun(runs, 10_000, 100);
    const opened = await median(rounds, async () => (await openRun(million)).completions.numRows());
    const averaged = await median(rounds, async () => meanReward(await openRun(million)));
    const filtered = await median(rounds, async () => someShown(await openRun(million)));
    const page = makeRun(runs, 5000, 32), report = await median(rounds, () => writeReport(page));
    const trackers = await trackerFigures(page, numbersOf(metricsRows(5000)));
    return [
      { what: "fresh process to the first chart's bundle", measured: first / 1000, goal: 3, unit: "s" },
      ...peer.first,
      { what: "chart of 10,000 rows to its specification", measured: spec, goal: 150, unit: "ms" },
      { what: "chart of 10,000 rows to PNG", measured: png, goal: 400, unit: "ms" },
      ...peer.png,
      { what: "1,000,000 completions opened and counted", measured: opened / 1000, goal: 0.5, unit: "s" },
      { what: "  and their mean reward", measured: averaged / 1000, goal: 0.5, unit: "s" },
      { what: "  or filtered, ten of them shown", measured: filtered / 1000, goal: 0.5, unit: "s" },
      { what: "report of 5,000 train steps", measured: report / 1000, goal: 3, unit: "s" },
      { what: "its size", measured: Deno.statSync(join(page, RUN_FILES.report)).size / 1e6, goal: 5, unit: "MB" },
      ...trackers,
    ];
  } finally {
    await Deno.remove(runs, { recursive: true });
  }
}

/** The same by pandas and matplotlib: import and first picture, and a further picture of 10,000 rows. */
async function peerFigures(folder: string, rounds: number): Promise<{ first: Figure[]; png: Figure[] }> {
  const python = Deno.env.get("NONZERO_PEERS_PYTHON");
  const has = python !== undefined &&
    await ofProcess(python, ["-c", "import pandas, matplotlib"]).then(() => true, () => false);
  if (!has) return { first: [], png: [] };
  const csv = join(folder, "rows.csv"), out = join(folder, "out.png");
  const lines = metricsRows(10_000).map((row) => `${row.train_step},${(row as Record<string, unknown>)["reward"]}`);
  await Deno.writeTextFile(csv, ["train_step,reward", ...lines].join("\n"));
  const first = await median(rounds, () => ofProcess(python!, ["-c", FIRST_FIGURE, csv, out]));
  const again = FIRST_FIGURE.replace("frame.plot", "import time\nt = time.perf_counter()\nframe.plot") +
    "\nprint(time.perf_counter() - t)";
  const { stdout } = await new Deno.Command(python!, { args: ["-c", again, csv, out] }).output();
  return {
    first: [{ what: "  pandas and matplotlib", measured: first / 1000, goal: NaN, unit: "s" }],
    png: [{ what: "  matplotlib", measured: 1000 * Number(new TextDecoder().decode(stdout)), goal: NaN, unit: "ms" }],
  };
}

if (import.meta.main) {
  const { rounds } = typed(() => {
    const [rounds] = numbers("--rounds", benchArguments(Deno.args, { rounds: "5" }).rounds);
    if (!Number.isInteger(rounds) || rounds! < 1) {
      throw new UsageError(`Cannot measure ${rounds} rounds: want 1 or more`);
    }
    return { rounds: rounds! };
  });
  for (const { what, measured, goal, unit } of await measure(rounds)) {
    const verdict = Number.isNaN(goal) ? "" : `  goal ${goal} ${unit}${measured <= goal ? "" : "  MISSED"}`;
    console.log(`${what.padEnd(72)} ${measured.toPrecision(3).padStart(7)} ${unit}${verdict}`);
  }
}
