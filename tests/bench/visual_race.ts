/**
 * Train steps of the visual workflows in the library beside the same GRPO in plain PyTorch, run in turn.
 *
 *     deno task bench visual_race [--task detection] [--repeats 3] [--steps 20] [--threads 2] [--python PYTHON] [--json]
 *
 * Without `--task`, both tasks. Ours is `deno task run` on the workflow as it stands, with its rewards, tables, events and
 * diagnosis; theirs is tests/peers/visual_grpo.py: transformers' own Qwen2-VL of the same size, as many prompts, completions and
 * tokens, the image encoded once for all completions of its group. Who goes first changes with every repeat, a step is the median
 * of a run's steps after its first two, a ratio is that of the two runs of a repeat.
 * @module
 */
import { loadavg } from "node:os";
import { join } from "node:path";
import { UsageError } from "../../workflows/terminal/usage_error.ts";
import { PROJECT } from "../../workflows/terminal/paths.ts";
import { pythonWith } from "../peers/python_with.ts";
import { among, benchArguments, typed } from "./arguments.ts";
import { measuredRun } from "./models/measured_run.ts";
import { median } from "./rows.ts";

const TASKS = ["detection", "classification"] as const;
const UNTIMED = 2, GOAL = 1.3;

/** Of one run of either program. */
export interface Side {
  /** Median of a train step, after the first two. */
  readonly seconds: number;
  readonly peakMib: number;
}

/** Seconds of each train step of reinforcement among the events of a run, one JSON object a line; a warm start has others. */
export function stepSeconds(events: string): number[] {
  return events.split("\n").filter((line) => line.includes('"train_step"')).map((line) => JSON.parse(line))
    .filter(({ event, phase }) => event === "train_step" && phase === "rollout").map(({ step_ms }) => step_ms / 1000);
}

/** What a side's runs come to, and the ratio of each pair: theirs by ours. */
export function compared(ours: readonly Side[], theirs: readonly Side[]) {
  const ratios = ours.map(({ seconds }, i) => theirs[i]!.seconds / seconds);
  const side = (runs: readonly Side[]) => ({
    seconds: median(runs.map(({ seconds }) => seconds)),
    peak_mib: Math.round(Math.max(...runs.map(({ peakMib }) => peakMib))),
  });
  return {
    ours: side(ours),
    pytorch: side(theirs),
    ratio: median(ratios),
    least: Math.min(...ratios),
    most: Math.max(...ratios),
    goal: GOAL,
    met: median(ratios) >= GOAL,
  };
}

async function ours(task: string, { steps, threads }: Given): Promise<Side> {
  const runs = await Deno.makeTempDir();
  try {
    const file = `workflows/library/visual_${task}.yaml`;
    const words = ["run", file, "-p", `train_steps=${steps}`, "--threads", threads, "--runs", runs];
    const { code, stderr, peakBytes } = await measuredRun(words);
    if (code !== 0) throw new Error(`Cannot time ${file}: exit code ${code}\n${stderr.slice(-600)}`);
    const [run] = [...Deno.readDirSync(runs)].filter(({ isDirectory }) => isDirectory);
    const seconds = stepSeconds(await Deno.readTextFile(join(runs, run!.name, "events.jsonl")));
    return { seconds: median(seconds.slice(UNTIMED)), peakMib: peakBytes / 2 ** 20 };
  } finally {
    await Deno.remove(runs, { recursive: true });
  }
}

async function theirs(task: string, { steps, threads, python }: Given): Promise<Side> {
  const script = join(PROJECT, "tests/peers/visual_grpo.py"), digits = await Deno.makeTempFile({ suffix: ".csv" });
  try {
    const packed = (await Deno.open(join(PROJECT, "data/tasks/visual/digits.csv.gz"))).readable;
    await Deno.writeFile(digits, packed.pipeThrough(new DecompressionStream("gzip")));
    const options = ["--task", task, "--train", "merger+text", "--steps", String(steps), "--threads", threads];
    const { code, stdout, stderr } = await new Deno.Command(python, { args: [script, digits, ...options] }).output();
    const text = new TextDecoder();
    if (code !== 0) throw new Error(`Cannot time ${script}: exit code ${code}\n${text.decode(stderr).slice(-600)}`);
    const { median_seconds, peak_mib } = JSON.parse(text.decode(stdout).trim().split("\n").at(-1)!);
    return { seconds: median_seconds, peakMib: peak_mib };
  } finally {
    await Deno.remove(digits);
  }
}

interface Given {
  readonly steps: number;
  readonly threads: string;
  readonly python: string;
}

/** A whole number of at least `least`. Throws UsageError for anything else. */
function count(option: string, text: string, least: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= least) return number;
  throw new UsageError(`Cannot read ${option}: "${text}", want a whole number of at least ${least}`);
}

function given(args: readonly string[]) {
  return typed(() => {
    const { task, repeats, steps, threads, python, json } = benchArguments(args, {
      task: TASKS.join(","),
      repeats: "3",
      steps: "20",
      threads: "2",
      python: "",
      json: false,
    });
    const found = python || pythonWith("transformers");
    if (found) {
      const tasks = among("--task", task, TASKS), repeat = count("--repeats", repeats, 1);
      return { tasks, repeats: repeat, json, steps: count("--steps", steps, UNTIMED + 1), threads, python: found };
    }
    throw new UsageError("Cannot race: no Python with torch and transformers, want one by --python PYTHON");
  });
}

export async function main(args: readonly string[]): Promise<void> {
  const { tasks, repeats, json, ...how } = given(args);
  for (const task of tasks) {
    const runs: { ours: Side[]; theirs: Side[] } = { ours: [], theirs: [] };
    for (let repeat = 0; repeat < repeats; repeat++) {
      const pair = [["ours", ours], ["theirs", theirs]] as const;
      for (const [who, run] of repeat % 2 ? pair.toReversed() : pair) {
        const load = loadavg()[0]!.toFixed(2), side = await run(task, how);
        runs[who].push(side);
        console.error(`${task} ${repeat + 1} ${who}: ${side.seconds.toFixed(3)} s a train step (load before ${load})`);
      }
    }
    const result = compared(runs.ours, runs.theirs), seconds = (side: { seconds: number }) => side.seconds.toFixed(3);
    if (json) console.log(JSON.stringify({ task, ...result }));
    else {
      console.log(
        `${task}: ours ${seconds(result.ours)} s, PyTorch ${seconds(result.pytorch)} s a train step: ` +
          `${result.ratio.toFixed(2)} times as fast (${result.least.toFixed(2)} to ${result.most.toFixed(2)}), ` +
          `goal ${GOAL} ${
            result.met ? "met" : "missed"
          }; peak ${result.ours.peak_mib} and ${result.pytorch.peak_mib} MiB`,
      );
    }
  }
}

if (import.meta.main) await main(Deno.args);
