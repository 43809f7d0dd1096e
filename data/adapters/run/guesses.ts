/** Which system printed a run and which algorithm it is. @module */
import type { MetricName } from "../../columns.ts";
import type { RewardStdScope } from "../../run_rows.ts";
import { SYSTEM_LIST, type SystemName } from "../../systems.ts";
import type { AlgorithmName, ImportedMessage, ImportedSetting } from "./imported_run.ts";
import { type Launch, launchOf, type VisualScript, visualScript } from "./visual_scripts.ts";
import type { WideTable } from "./wide_table.ts";

/** Printed names, or the starts of them, that only one system has. */
const NAMES = {
  torchforge: ["grpo_loss/", "buffer/sample/"],
  "nemo-rl": ["token_mult_prob_error", "gen_kl_error"],
  "ms-swift": ["global_step/max_steps", "memory(GiB)", "train_speed("],
  "visual-rft": ["rewards/accuracy_reward_iou", "rewards/accuracy_reward_confidence"],
  "vlm-r1": ["rewards/iou_reward"],
  llamafactory: ["current_steps"],
  "deepspeed-chat": ["act_loss|"],
  openrlhf: ["actor_grad_norm", "vllm_kl", "act_lr", "kto_loss", "gpt_loss"],
  verl: ["actor/", "critic/", "val-core/"],
} satisfies Partial<Record<SystemName, readonly string[]>>;

/** Those that are started by scripts of the same names. */
const VISUAL: ReadonlySet<SystemName> = new Set<VisualScript["system"]>(["visual-rft", "vlm-r1", "r1-v-family"]);

/** What only one system has among its settings; the first that is there decides. */
const SETTING_SIGNS: readonly ((settings: readonly ImportedSetting[], launch: Launch) => SystemName | null)[] = [
  named("verl", /^actor_rollout_ref\./),
  named("ms-swift", /^rlhf_type$/),
  (_, launch) => visualScript(launch)?.system ?? null,
  named("llamafactory", /^(lora_target|finetuning_type|pref_loss)$/),
  named("openrlhf", /^(actor|algo|rollout|ds)\.|^(advantage_estimator|n_samples_per_prompt)$/),
];

function named(system: SystemName, pattern: RegExp) {
  return (settings: readonly ImportedSetting[]) => settings.some(({ name }) => pattern.test(name)) ? system : null;
}

/** Guesses the system from its entry script, from marks in the text, then from printed names, then from settings. */
export function guessSystem(
  marks: ReadonlyMap<string, string>,
  printed: readonly string[],
  settings: readonly ImportedSetting[],
  messages: readonly ImportedMessage[],
): SystemName | null {
  const launch = launchOf(settings, [...marks.values()].filter((line) => !/^\s*#/.test(line)));
  const started = launch.script === null ? null : visualScript(launch);
  if (started !== null) return started.system;
  // A script of another name is none of theirs, whatever folder it lies in.
  const isOpen = (system: SystemName) => launch.script === null || !VISUAL.has(system);
  return SYSTEM_LIST.find(([system]) => marks.has(system) && isOpen(system))?.[0] ??
    (Object.keys(NAMES) as (keyof typeof NAMES)[]).find((system) =>
      NAMES[system].some((start) => printed.some((name) => name.startsWith(start)))
    ) ??
    SETTING_SIGNS.map((sign) => sign(settings, launch)).find((system) => system !== null) ??
    (isTrl(printed, settings, messages) ? "trl" : null);
}

/** Names of the notebook table and of the logs of transformers' Trainer, on which TRL builds. */
const TRL_NAMES = [
  "Training Loss",
  "learning_rate",
  "grad_norm",
  "completions/mean_length",
  "frac_reward_zero_std",
  "completion_length",
];

/** TRL, or transformers and PEFT below it: many systems build on them, so it is asked last. */
function isTrl(
  printed: readonly string[],
  settings: readonly ImportedSetting[],
  messages: readonly ImportedMessage[],
): boolean {
  const option = /^(trainer|trl|version\.trl|num_generations|max_completion_length)$/;
  return TRL_NAMES.some((name) => printed.includes(name)) || settings.some(({ name }) => option.test(name)) ||
    messages.some(({ kind, text }) => kind === "trainable_parameters" && text.includes("|| all params"));
}

const WORDS: readonly [RegExp, AlgorithmName][] = [
  [/kto/i, "kto"],
  [/dpo|simpo|orpo|cpo|ipo/i, "dpo"],
  [/rloo/i, "rloo"],
  [/grpo|group_norm|dapo|gspo/i, "grpo"],
  [/reinforce/i, "reinforce"],
  [/ppo|^gae$/i, "ppo"],
  [/sft/i, "sft"],
];
const ROLLOUT_NAMES = new Set(["max_completion_length", "mask_truncated_completions", "num_generations"]);
const SCRIPT = /(?:train_|cli\.train_|trl |\/)(kto|dpo|grpo|ppo|rloo|sft)(?:[_.\s]|$)/i;

const OPENRLHF_PPO = /\bopenrlhf[./]cli[./]train_ppo(?:_ray)?\b/;
const CRITIC = /^-{0,2}critic_(?:num_nodes|num_gpus_per_node|learning_rate|pretrain)$/;

function wordFor(text: string): AlgorithmName | null {
  return WORDS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** The algorithm that the first of some texts names. */
function firstWord(texts: readonly unknown[]): AlgorithmName | null {
  return texts.map((text) => typeof text === "string" ? wordFor(text) : null).find((word) => word !== null) ?? null;
}

/** Guesses the algorithm from settings that name it, then from what a person calls it, then from the columns only it prints, then from words. */
export function guessAlgorithm(
  settings: readonly ImportedSetting[],
  metrics: WideTable,
  text: string,
  spoken: ReadonlyMap<AlgorithmName, number> = new Map(),
): AlgorithmName | null {
  const called = spokenAlgorithm(spoken);
  return firstWord(settings.filter(({ option }) => option === "algorithm").map(({ value }) => value)) ??
    // Any training may be called fine-tuning, or have an adapter: what only another prints is believed before that.
    (called === "sft" ? samplingShown(settings, metrics) : null) ?? called ?? criticAlgorithm(settings) ??
    printedAlgorithm(metrics) ??
    settledAlgorithm(settings, text) ??
    // A loss and no reward.
    (metrics.columns.has("loss") ? "sft" : firstWord(settings.map(({ name }) => name)));
}

/** Metrics that stand beside a reward where completions are sampled; a reward model's log has none of them. */
const BESIDE_REWARD = [
  "kl",
  "entropy",
  "reward_std",
  "completion_length",
  "truncated_fraction",
  "zero_spread_fraction",
  "clip_fraction",
] as const satisfies readonly MetricName[];

/** What samples completions or compares two log-probs, by what only that prints or is told; null where nothing shows it. */
function samplingShown(settings: readonly ImportedSetting[], metrics: WideTable): AlgorithmName | null {
  const has = (name: MetricName) => metrics.columns.has(name);
  const isSampled = has("reward") && BESIDE_REWARD.some(has), printed = printedAlgorithm(metrics);
  const isGrouped = settings.some(({ option, value }) => option === "group_size" && Number(value) > 1);
  if (has("chosen_logprob") || isSampled || isGrouped && has("reward")) return printed;
  return isGrouped ? settledAlgorithm(settings, "") : null;
}

const EARLIER = 0.5; // Weight of a stage that others follow.

/** What the prose of a post is about: the algorithm that it names most. */
function spokenAlgorithm(spoken: ReadonlyMap<AlgorithmName, number>): AlgorithmName | null {
  // Of "SFT, then DPO" it is the later stage that is reported, unless the other is named over and over.
  const weight = ([name, count]: [AlgorithmName, number]) =>
    name === "sft" && spoken.size > 1 ? count * EARLIER : count;
  return [...spoken].toSorted((a, b) => weight(b) - weight(a))[0]?.[0] ?? null;
}

function printedAlgorithm({ columns, printed }: WideTable): AlgorithmName | null {
  const names = [...printed.values()].flatMap(({ names }) => names);
  const has = (...wanted: MetricName[]) => wanted.some((name) => columns.has(name));
  const prints = (start: string) => names.some((name) => name.startsWith(start));
  if (prints("kto_loss")) return "kto";
  if (has("chosen_reward", "rejected_reward", "chosen_logprob")) {
    // KTO prints one side's rewards and kl, and no accuracy of pairs.
    return !has("preference_accuracy") && (has("kl") || !has("reward_margin")) ? "kto" : "dpo";
  }
  if (has("value_loss", "critic_grad_norm") || prints("policy/approxkl_avg") || prints("ppo/")) return "ppo";
  const isGroup =
    has("zero_spread_fraction", "truncated_fraction", "completion_length", "terminated_length", "reward") ||
    [...columns.keys()].some((name) => name.startsWith("reward."));
  return isGroup || prints("grpo_loss/") ? "grpo" : null; // torchforge
}

/** A critic of OpenRLHF or DeepSpeed-Chat and no estimator: PPO, whatever the size of a group is. */
function criticAlgorithm(settings: readonly ImportedSetting[]): AlgorithmName | null {
  const isNamed = settings.some(({ option }) => option === "algorithm");
  return !isNamed && settings.some(({ name }) => CRITIC.test(name)) ? "ppo" : null;
}

/** What settings besides the algorithm's own, and the script's name in the text, say of it. */
function settledAlgorithm(settings: readonly ImportedSetting[], text: string): AlgorithmName | null {
  const isNamed = settings.some(({ option }) => option === "algorithm");
  if (!isNamed && OPENRLHF_PPO.test(text)) return "ppo"; // Its estimator is GAE unless another is written.
  if (settings.some(({ option }) => option === "group_size")) return "grpo";
  const script = SCRIPT.exec(text)?.[1];
  if (script !== undefined) return wordFor(script);
  const named = settings.find(({ option, value }) =>
    typeof value === "string" && option !== "reward_functions" &&
    /(^|[^a-z])(grpo|kto|dpo|rloo|ppo|sft)([^a-z]|$)/i.test(value)
  );
  if (named !== undefined) return wordFor(String(named.value));
  return settings.some(({ name }) => ROLLOUT_NAMES.has(name)) ? "grpo" : null;
}

/** Is `reward_std` measured within groups (TRL up to 0.26) or over the batch (from 0.27)? */
export function rewardStdScope(settings: readonly ImportedSetting[], metrics: WideTable): RewardStdScope {
  const trl = settings.find(({ name }) => name === "trl" || name === "version.trl")?.value;
  const version = typeof trl === "string" ? /^(\d+)\.(\d+)/.exec(trl) : null;
  if (version !== null) return Number(version[1]) === 0 && Number(version[2]) <= 26 ? "group" : "batch";
  const std = metrics.columns.get("reward_std");
  if (std === undefined) return "unknown";
  const names = metrics.printed.get("completion_length")?.names ?? [];
  const functions = [...metrics.columns].filter(([name]) => name.startsWith("reward_std.")).map(([, cells]) => cells);
  const isOld = names.includes("completion_length") && !names.includes("completions/mean_length"); // before TRL 0.16
  if (functions.length === 0 && isOld) return "group";
  const share = metrics.columns.get("zero_spread_fraction");
  for (const [row, value] of std.entries()) {
    if (value === null || !Number.isFinite(value)) continue;
    // It is above 0 where no group has spread.
    if (share?.[row] === 1 && value > 1e-6) return "batch";
    const scope = scopeByFunctions(value, functions.map((cells) => cells[row] ?? null));
    if (scope !== null) return scope;
  }
  return "unknown";
}

/** What the deviations of the reward functions, which are the batch's, say of that of the reward; null for nothing. */
function scopeByFunctions(value: number, functions: readonly (number | null)[]): RewardStdScope | null {
  const single = functions.length === 1 ? functions[0]! : null;
  if (single !== null && Number.isFinite(single) && Math.abs(single) > 1e-3) {
    return Math.abs(single - value) <= 2e-3 * Math.abs(single) ? "batch" : "group";
  }
  return value < 1e-9 && functions.some((other) => (other ?? 0) > 1e-3) ? "group" : null;
}
