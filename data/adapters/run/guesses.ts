/**
 * Which system printed a run and which algorithm it is, each with the reason.
 * @module
 */
import type { RewardStdScope } from "../../run_rows.ts";
import type { AlgorithmName, Guess, ImportedMessage, ImportedSetting, SystemName } from "./imported_run.ts";
import type { WideTable } from "./wide_table.ts";

/** Marks in the order in which they decide: the narrower name first. */
const MARK_ORDER: readonly SystemName[] = [
  "nonzero",
  "torchforge",
  "nemo-rl",
  "mlx",
  "deepspeed-chat",
  "ms-swift",
  "unsloth",
  "llamafactory",
  "visual-rft",
  "vlm-r1",
  "r1-v-family",
  "openrlhf",
  "verl",
];

/** A printed name, or the start of one, that only one system has. */
const NAMES: readonly { system: SystemName; start: string }[] = [
  { system: "torchforge", start: "grpo_loss/" },
  { system: "torchforge", start: "buffer/sample/" },
  { system: "nemo-rl", start: "token_mult_prob_error" },
  { system: "nemo-rl", start: "gen_kl_error" },
  { system: "ms-swift", start: "global_step/max_steps" },
  { system: "ms-swift", start: "memory(GiB)" },
  { system: "ms-swift", start: "train_speed(" },
  { system: "visual-rft", start: "rewards/accuracy_reward_iou" },
  { system: "visual-rft", start: "rewards/accuracy_reward_confidence" },
  { system: "vlm-r1", start: "rewards/iou_reward" },
  { system: "llamafactory", start: "current_steps" },
  { system: "deepspeed-chat", start: "act_loss|" },
  { system: "openrlhf", start: "actor_grad_norm" },
  { system: "openrlhf", start: "vllm_kl" },
  { system: "openrlhf", start: "act_lr" },
  { system: "openrlhf", start: "kto_loss" },
  { system: "openrlhf", start: "gpt_loss" },
  { system: "verl", start: "actor/" },
  { system: "verl", start: "critic/" },
  { system: "verl", start: "val-core/" },
];

/** Guesses the system from marks in the text, then from printed names, then from settings. */
export function guessSystem(
  marks: ReadonlyMap<string, string>,
  printed: readonly string[],
  settings: readonly ImportedSetting[],
  messages: readonly ImportedMessage[],
): Guess<SystemName> {
  for (const system of MARK_ORDER) {
    const why = marks.get(system);
    if (why !== undefined) return { name: system, reason: `the text shows it: "${why.slice(0, 80)}"` };
  }
  for (const { system, start } of NAMES) {
    const hit = printed.find((name) => name.startsWith(start));
    if (hit !== undefined) return { name: system, reason: `it prints "${hit}"` };
  }
  const text = settings.find(({ value }) => typeof value === "string" && /ViRFT|virft|Visual-RFT/.test(value));
  if (text !== undefined) return { name: "visual-rft", reason: `"${text.name}" is ${text.value}` };
  if (settings.some(({ name }) => name.startsWith("actor_rollout_ref."))) {
    return { name: "verl", reason: 'its configuration has "actor_rollout_ref"' };
  }
  if (settings.some(({ name }) => name === "rlhf_type")) {
    return { name: "ms-swift", reason: 'its configuration has "rlhf_type"' };
  }
  if (settings.some(({ name }) => name === "max_pixels") && settings.some(({ name }) => name === "dataset_name")) {
    return { name: "visual-rft", reason: 'its flags have "max_pixels" beside TRL\'s' };
  }
  if (settings.some(({ name }) => name === "lora_target" || name === "finetuning_type" || name === "pref_loss")) {
    return { name: "llamafactory", reason: "its configuration has LLaMA-Factory's names" };
  }
  if (
    settings.some(({ name }) => /^(actor|algo|rollout|ds)\.|^(advantage_estimator|n_samples_per_prompt)$/.test(name))
  ) {
    return { name: "openrlhf", reason: "its flags have OpenRLHF's names" };
  }
  if (printed.includes("Training Loss")) {
    return { name: "trl", reason: 'it prints "Training Loss" as the notebook table of transformers does' };
  }
  const hf = ["learning_rate", "grad_norm", "completions/mean_length", "frac_reward_zero_std", "completion_length"];
  const hit = hf.find((name) => printed.includes(name));
  if (hit !== undefined) return { name: "trl", reason: `it prints "${hit}" as transformers' Trainer does` };
  const trl = settings.find(({ name }) =>
    /^(trainer|trl|version\.trl|num_generations|max_completion_length)$/.test(name)
  );
  if (trl !== undefined) return { name: "trl", reason: `its configuration has "${trl.name}"` };
  if (messages.some(({ kind, text }) => kind === "trainable_parameters" && text.includes("|| all params"))) {
    return { name: "trl", reason: 'it prints "trainable params: … || all params" as PEFT does' };
  }
  return { name: null, reason: "nothing in it is of a known system" };
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
const ALGORITHM_OPTIONS = new Set(["algorithm"]);
const SCRIPT = /(?:train_|cli\.train_|trl |\/)(kto|dpo|grpo|ppo|rloo|sft)(?:[_.\s]|$)/i;

function wordFor(text: string): AlgorithmName | null {
  return WORDS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** Guesses the algorithm from settings that name it, then from the columns only it prints. */
export function guessAlgorithm(
  settings: readonly ImportedSetting[],
  metrics: WideTable,
  text: string,
): Guess<AlgorithmName> {
  const { columns } = metrics;
  for (const { option, name, value } of settings) {
    if (option === null || !ALGORITHM_OPTIONS.has(option) || typeof value !== "string") continue;
    const word = wordFor(value);
    if (word !== null) return { name: word, reason: `"${name}" is ${value}` };
  }
  const prints = (...names: string[]) => names.find((name) => columns.has(name)) ?? null;
  const printed = [...metrics.printed.values()].flatMap(({ names }) => names);
  const has = (start: string) => printed.find((name) => name.startsWith(start)) ?? null;
  if (has("kto_loss") !== null) return { name: "kto", reason: 'it prints "kto_loss"' };
  if (prints("chosen_reward", "rejected_reward", "chosen_logprob") !== null) {
    if (columns.has("preference_accuracy")) return { name: "dpo", reason: "it prints accuracies of pairs" };
    if (columns.has("kl") || columns.get("reward_margin") === undefined) {
      return { name: "kto", reason: "it prints one side's rewards and kl, and no accuracy of pairs" };
    }
    return { name: "dpo", reason: "it prints rewards of chosen and rejected completions" };
  }
  const ppo = prints("value_loss", "critic_grad_norm") ?? has("policy/approxkl_avg") ?? has("ppo/");
  if (ppo !== null) return { name: "ppo", reason: `it prints "${ppo}"` };
  const group =
    prints("zero_spread_fraction", "truncated_fraction", "completion_length", "terminated_length", "reward") ??
      [...columns.keys()].find((name) => name.startsWith("reward.")) ?? null;
  if (group !== null) return { name: "grpo", reason: `it prints "${group}" and no critic` };
  const number = settings.find(({ option }) => option === "group_size");
  if (number !== undefined) return { name: "grpo", reason: `its configuration has "${number.name}"` };
  const script = SCRIPT.exec(text);
  if (script !== null) return { name: wordFor(script[1]!), reason: `the text names ${script[0].trim()}` };
  for (const { name, option, value } of settings) {
    if (typeof value !== "string" || option === "reward_functions") continue;
    if (!/(^|[^a-z])(grpo|kto|dpo|rloo|ppo|sft)([^a-z]|$)/i.test(value)) continue;
    return { name: wordFor(value), reason: `"${name}" is ${value}` };
  }
  const rollout = settings.find(({ name }) => ROLLOUT_NAMES.has(name));
  if (rollout !== undefined) return { name: "grpo", reason: `its configuration has "${rollout.name}"` };
  if (columns.has("loss")) return { name: "sft", reason: "it prints a loss and no reward" };
  const flag = settings.find(({ name }) => wordFor(name) !== null);
  if (flag !== undefined) return { name: wordFor(flag.name), reason: `its configuration has "${flag.name}"` };
  return { name: null, reason: "nothing in it tells the algorithm" };
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
