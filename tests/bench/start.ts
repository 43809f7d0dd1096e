/**
 * A newcomer's latency: from starting `deno run` to the end of the first GRPO train step, and its peak memory.
 *
 *     deno task bench start -- --model FOLDER [--repeats 3] [--max-new 32] [--threads 2]
 *
 * The child is the command line itself, `run FILE --json`, with a workflow of one train step.
 * @module
 */
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { stringify } from "yaml";
import { PERMISSIONS } from "../../workflows/cli/install.ts";
import { options, report } from "./rows.ts";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

function workflow(folder: string, newTokens: number): unknown {
  return {
    name: "start",
    seed: 1,
    device: "cpu",
    steps: [
      { uses: "load_prompts", with: { task: "addition", digits: 3, min_digits: 3, limit: 512 } },
      { uses: "load_model", with: { model: resolve(folder) } },
      {
        repeat: 1,
        steps: [
          { uses: "sample_groups", with: { prompts_per_step: 8, group_size: 8, max_new_tokens: newTokens } },
          { uses: "score_rewards", with: { rewards: [{ uses: "verifier" }] } },
          { uses: "compute_advantages" },
          { uses: "apply_update", with: { learning_rate: 1e-4 } },
        ],
      },
    ],
  };
}

/** Seconds to the event of the first train step, of the step alone, and peak MiB of the process. */
async function once(file: string, runs: string, threads: string) {
  const started = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-q", "--no-prompt", ...PERMISSIONS, "--config", join(PROJECT, "deno.json")],
      ...[join(PROJECT, "tests/bench/start_child.ts"), "run", file, "--json", "--runs", runs, "--threads", threads],
    ],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let text = "", seconds = NaN;
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (Number.isNaN(seconds) && text.includes('"event":"train_step"')) seconds = (performance.now() - started) / 1000;
  }
  await child.status;
  const rows = text.trim().split("\n").map((line) => JSON.parse(line) as Record<string, number>);
  const step = rows.find((row) => "step_ms" in row), last = rows.at(-1)!;
  if (!step) throw new Error(`Cannot time the start: the run ended with ${JSON.stringify(rows.at(-2))}`);
  return { seconds, first_step_seconds: step["step_ms"]! / 1000, peak_rss_mb: last["peak_rss_mb"]! };
}

export async function main(args: readonly string[]): Promise<void> {
  const { model, repeats, threads, ...given } = options(args, { repeats: "3", threads: "2", "max-new": "32" });
  for (const folder of model) {
    const temporary = Deno.makeTempDirSync(), newTokens = Number(given["max-new"]);
    try {
      const file = join(temporary, "start.yaml"), rows = [];
      Deno.writeTextFileSync(file, stringify(workflow(folder, newTokens)));
      for (let i = 0; i < Number(repeats); i++) rows.push(await once(file, join(temporary, "runs"), threads));
      const head = { bench: "start", model: basename(folder), new_tokens: newTokens, threads: Number(threads) };
      report(head, rows, undefined, 0);
    } finally {
      Deno.removeSync(temporary, { recursive: true });
    }
  }
}

if (import.meta.main) await main(Deno.args);
