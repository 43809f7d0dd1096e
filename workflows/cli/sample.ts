/** `sample`: completions of a run's policy for a prompt of one's own. @module */
import type { RunFolder } from "../../data/open_run_folder.ts";
import { defineCommand, UsageError } from "./command.ts";
import { openTypedRun } from "./find_run.ts";
import { runsFolder } from "./paths.ts";
import { printable, stderr, stdout, textTable } from "./terminal.ts";

export const sample = defineCommand({
  name: "sample",
  about: "Talk to the result of a run: completions, log-probs, rewards",
  usage: "RUN --prompt TEXT [-n 8] [--temperature 1] [options]",
  words: [1, 1],
  options: {
    prompt: { about: "what the policy is asked; may be repeated", value: "TEXT", multiple: true },
    n: { about: "completions per prompt (default 8)", value: "N", short: "n" },
    temperature: { about: "softmax temperature, 0 = greedy (default 1)", value: "T" },
    "top-p": { about: "keep the most likely tokens up to this probability (default 1)", value: "P" },
    "max-new-tokens": { about: "longest completion, tokens (default: as the run sampled, else 32)", value: "N" },
    seed: { about: "seed of the draws (default 1)", value: "N" },
    answer: { about: "ground truth: each completion gets the reward of the run's verifier", value: "TEXT" },
    json: { about: "one JSON object per completion" },
    runs: { about: "folder of the runs (default: runs/ in the project)", value: "DIR" },
  },
  notes: ["Example: deno task sample last --prompt 12+34= --answer 46"],
  async run([typed], { prompt, n, temperature, "top-p": topP, "max-new-tokens": most, seed, answer, json, runs }) {
    if (!prompt?.length) throw new UsageError("Cannot sample: want --prompt TEXT");
    const run = openTypedRun(typed!, runsFolder(runs));
    const count = number("n", n ?? "8", 1, 10_000, true);
    const values = {
      temperature: number("temperature", temperature ?? "1", 0, 100),
      top_k: 0,
      top_p: number("top-p", topP ?? "1", Number.MIN_VALUE, 1),
      min_p: 0,
      repetition_penalty: 1,
    };
    const maxNewTokens = number("max-new-tokens", most ?? String(setting(run, "max_new_tokens") ?? 32), 1, 1e6, true);
    const draws = number("seed", seed ?? "1", 0, 2 ** 32 - 1, true);
    const { openPolicy } = await import("./open_policy.ts");
    const { uniform } = await import("../../data/random.ts");
    const { policy, from } = await openPolicy(run);
    stderr.line(`${run.manifest.id}, ${from}`);
    const completions = await policy.sample(prompt, {
      group: count,
      maxNewTokens,
      values,
      uniforms: (row, token) => uniform(draws, "sample_groups", 0, row, token),
    });
    policy.release();
    const reward = answer === undefined ? null : await verifier(run, answer);
    const rows = completions.map((c, i) => ({
      prompt: prompt[Math.floor(i / count)]!,
      completion: c.text,
      tokens: c.tokenIds.length,
      truncated: c.truncated,
      logprob: c.logprobs.reduce((a, b) => a + b, 0),
      ...(reward ? { answer, reward: reward(c.text, prompt[Math.floor(i / count)]!) } : {}),
    }));
    if (json) {
      for (const [i, row] of rows.entries()) {
        stdout.line(JSON.stringify({
          ...row,
          token_ids: [...completions[i]!.tokenIds],
          logprobs: [...completions[i]!.logprobs],
        }));
      }
      return 0;
    }
    const head = ["prompt", "completion", "tokens", "log-prob", ...(reward ? ["reward"] : [])];
    const cells = rows.map((row) => [
      printable(row.prompt).slice(0, 40),
      printable(row.completion).slice(0, 60) + (row.truncated ? "…" : ""),
      String(row.tokens),
      row.logprob.toFixed(3),
      ...("reward" in row ? [row.reward === null ? "–" : String(row.reward)] : []),
    ]);
    for (const line of textTable(head, cells)) stdout.line(line);
    return 0;
  },
});

function number(name: string, text: string, least: number, most: number, whole = false): number {
  const value = text.trim() === "" ? NaN : Number(text);
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  const at = least === Number.MIN_VALUE ? "above 0" : `at least ${least}`;
  throw new UsageError(
    `Cannot read --${name}: it is "${text}", want ${whole ? "a whole number" : "a number"} ${at} and at most ${most}`,
  );
}

/** A setting of the run's table `settings`, or null. */
function setting(run: RunFolder, name: string): unknown {
  const settings = run.table("settings");
  const rows = settings.objects() as { name: string; value: unknown }[];
  const value = rows.findLast((row) => row.name === name)?.value ?? null;
  return typeof value === "string" ? JSON.parse(value) : value;
}

/** 1 where the run's own verifier accepts a completion, else 0; the prompt's own columns come from the run's prompts. */
async function verifier(run: RunFolder, answer: string): Promise<(text: string, prompt: string) => number | null> {
  const { verify } = await import("../../data/tasks/verifiers/verify.ts");
  const rows = run.table("prompts").objects() as Record<string, unknown>[];
  const any = rows[0];
  if (any === undefined) throw new RangeError(`Cannot reward completions: run ${run.manifest.id} has no prompts`);
  return (text, prompt) => {
    const known = rows.find((row) => row["prompt"] === prompt) ?? any;
    const right = verify(text, { ...known, prompt, answer } as Parameters<typeof verify>[1]);
    return right === null ? null : Number(right);
  };
}
