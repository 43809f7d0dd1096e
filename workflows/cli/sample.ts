/** `sample`: completions of a run's policy for a prompt of one's own. @module */
import { messagesIn, messagesText } from "../../data/datasets/messages.ts";
import type { RunFolder } from "../../data/open_run_folder.ts";
import { askedText } from "../../notebooks/asked_text.ts";
import type { IdsOf } from "../../gpu/sampling/options.ts";
import { defineCommand } from "./command.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { openTypedRun } from "../explore/find_run.ts";
import { ownPrompts } from "./own_prompts.ts";
import { runsFolder } from "../terminal/paths.ts";
import { typedImages, withTypedImages } from "./sample_images.ts";
import { SampleStream } from "./sample_stream.ts";
import { printable, shortened, stderr, stdout, textTable } from "../terminal/terminal.ts";

export const sample = defineCommand({
  about: "Talk to the result of a run: completions, log-probs, rewards",
  usage: "RUN [--prompt TEXT]... [-n 8] [--temperature 1] [options]",
  words: [1, 1],
  options: {
    prompt: {
      about: "what the policy is asked; may be repeated (default: a held-out prompt of the run)",
      value: "TEXT",
      multiple: true,
    },
    image: {
      about:
        "a PNG, JPEG or WebP file that each prompt shows, where it has <image>, else before its text; may be repeated",
      value: "FILE",
      multiple: true,
    },
    system: { about: "what the system says before each prompt; it goes through the chat template", value: "TEXT" },
    raw: { about: "texts as they are, not through the chat template as the run's prompts" },
    n: { about: "completions per prompt (default 8)", value: "N", short: "n" },
    temperature: { about: "softmax temperature, 0 = greedy (default 1)", value: "T" },
    "top-p": { about: "keep the most likely tokens up to this probability (default 1)", value: "P" },
    "max-new-tokens": { about: "longest completion, tokens (default: as the run sampled, else 32)", value: "N" },
    seed: { about: "seed of the draws (default 1)", value: "N" },
    answer: { about: "ground truth: each completion gets the reward of the run's verifier", value: "TEXT" },
    json: { about: "one JSON object per completion" },
    runs: { about: "folder of the runs (default: runs/ in the project)", value: "DIR" },
  },
  examples: [
    "last",
    "last --prompt 12+34= --answer 46",
    'last --prompt "12 + 34?" --system "Answer with a number."',
    'last --image cat.png --prompt "Find all cats."',
  ],
  async run(
    [typed],
    {
      prompt: asked,
      image,
      system,
      raw,
      n,
      temperature,
      "top-p": topP,
      "max-new-tokens": most,
      seed,
      answer,
      json,
      runs,
    },
  ) {
    const run = openTypedRun(typed!, runsFolder(runs));
    const own = asked ?? ownPrompts(run).slice(0, 1), shown = typedImages(image ?? []);
    if (!own.length) throw new UsageError("Cannot sample: the run has no prompts; want --prompt TEXT");
    if (raw && system !== undefined) {
      throw new UsageError(
        "Cannot sample: --system goes through the chat template and --raw leaves it out; leave one out",
      );
    }
    if (raw && shown.length > 0) {
      throw new UsageError(
        "Cannot sample: the chat template has the place of --image and --raw leaves it out; leave one out",
      );
    }
    const { settingValues } = await import("../../steps/options/settings_table.ts");
    const { PLAIN_SAMPLING } = await import("../../steps/options/sampling_settings.ts");
    const longest = most ?? String(settingValues(run.table("settings")).get("max_new_tokens") ?? 32);
    const count = number("n", n ?? "8", 1, 10_000, true);
    const settings = {
      group: count,
      maxNewTokens: number("max-new-tokens", longest, 1, 1e6, true),
      values: {
        ...PLAIN_SAMPLING,
        temperature: number("temperature", temperature ?? "1", 0, 100),
        top_p: number("top-p", topP ?? "1", Number.MIN_VALUE, 1),
      },
      draws: { seed: number("seed", seed ?? "1", 0, 2 ** 32 - 1, true), stream: "sample_groups", trainStep: 0 },
    };
    const { openPolicy } = await import("./open_policy.ts");
    const { policy, from } = await openPolicy(run, { chat: raw !== true });
    const prompt = shown.length === 0 ? own : await withTypedImages(policy, own, shown);
    const texts = prompt.map((text) => system === undefined ? text : withSystem(system, text));
    const how = texts.some((text) => policy.format(text) !== text) ? ", prompts by the chat template" : "";
    stderr.line(`${run.manifest.id}, ${from}${how}`);
    const stream = new SampleStream(stdout, (ids) => policy.decode(ids));
    const show = (idsOf: IdsOf) => Promise.resolve(stream.show(idsOf(0) ?? []));
    const completions = await policy.sampler.sample(texts, settings, stdout.live && !json ? show : undefined);
    stream.end();
    policy.release();
    const prompts = completions.map((_, i) => prompt[Math.floor(i / count)]!);
    const rewards = await rewarded(run, completions.map(({ text }) => text), prompts, answer);
    const rows = completions.map(({ text, tokenIds, truncated, logprobs }, i): Row => {
      const logprob = logprobs.reduce((a, b) => a + b, 0);
      return { prompt: prompts[i]!, completion: text, tokens: tokenIds.length, truncated, logprob, ...rewards[i] };
    });
    if (!json) { for (const line of rowLines(rows, stdout.columns)) stdout.line(line); }
    else {
      completions.forEach(({ tokenIds, logprobs }, i) =>
        stdout.json(JSON.stringify({ ...rows[i], token_ids: [...tokenIds], logprobs: [...logprobs] }))
      );
    }
    return 0;
  },
});

/** A prompt with a system's message before it. */
function withSystem(system: string, prompt: string): string {
  const messages = messagesIn(prompt) ?? [{ role: "user", content: prompt }];
  return messagesText([{ role: "system", content: system }, ...messages.filter(({ role }) => role !== "system")]);
}

interface Row extends Rewarded {
  readonly prompt: string;
  readonly completion: string;
  readonly tokens: number;
  readonly truncated: boolean;
  readonly logprob: number;
}

/** A table as wide as the terminal: of a long text its beginning. */
function rowLines(rows: readonly Row[], columns: number): string[] {
  const rewarded = rows.some((row) => "reward" in row), room = Math.max(24, columns - (rewarded ? 45 : 20));
  const cells = rows.map((row) => [
    shortened(printable(askedText(row.prompt)), Math.min(40, Math.floor(room / 3))),
    shortened(printable(row.completion) + (row.truncated ? "…" : ""), Math.min(60, Math.floor((2 * room) / 3))),
    String(row.tokens),
    row.logprob.toFixed(3),
    ...(rewarded ? [shortened(printable(row.answer ?? "–"), 20), String(row.reward ?? "–")] : []),
  ]);
  return textTable(["prompt", "completion", "tokens", "log-prob", ...(rewarded ? ["answer", "reward"] : [])], cells);
}

function number(name: string, text: string, least: number, most: number, whole = false): number {
  const value = text.trim() === "" ? NaN : Number(text);
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  const at = least === Number.MIN_VALUE ? "above 0" : `at least ${least}`;
  throw new UsageError(
    `Cannot read ${name.length > 1 ? "--" : "-"}${name}: it is "${text}", want ${
      whole ? "a whole number" : "a number"
    } ${at} and at most ${most}`,
  );
}

/** What is known of a completion: the answer to its prompt and 1 where the verifier accepts it, else 0. */
type Rewarded = { readonly answer?: string; readonly reward?: number | null };

/**
 * The run's own verifier for prompts of the run, and for others where an answer is given: it is taken to be of the kind
 * of the run's first prompt. A prompt whose answer nobody knows gets no reward.
 */
async function rewarded(
  run: RunFolder,
  texts: readonly string[],
  prompts: readonly string[],
  given?: string,
): Promise<Rewarded[]> {
  const { judge } = await import("../../steps/rewards/programs/judge.ts");
  const { closeSandboxes } = await import("../../steps/rewards/sandbox/pool.ts");
  const rows = run.table("prompts").objects() as Record<string, unknown>[];
  if (!rows.length && given !== undefined) {
    throw new RangeError(`Cannot reward completions: run ${run.manifest.id} has no prompts`);
  }
  const asked = prompts.map((prompt) => {
    const known = rows.find((row) => row["prompt"] === prompt), answer = given ?? known?.["answer"] ?? null;
    return answer === null ? null : { ...known ?? rows[0], prompt, answer };
  });
  const judged = asked.map((row) => row ?? { verifier: null });
  const right = await judge(texts, judged, { runId: run.manifest.id, stepId: "sample", signal: NEVER });
  await closeSandboxes(run.manifest.id);
  return asked.map((row, i) =>
    row === null ? {} : { answer: String(row.answer), reward: right[i] === null ? null : Number(right[i]) }
  );
}

const NEVER = new AbortController().signal;
