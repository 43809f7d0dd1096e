/** How completions are sampled, and by which engine. @module */
import { type Hit, hit, type LaunchRule, ON_TRL } from "./rule.ts";
import type { Launch } from "./launch.ts";

const R = "actor_rollout_ref.rollout.";
const TEMPERATURES = ["temperature", "generation_kwargs.temperature", `${R}temperature`, "rollout.temperature"];
const HOT = 2, PENALTY = 1.02;

function hotSampling(launch: Launch): Hit | null {
  const told = launch.told(...TEMPERATURES);
  if (!launch.isRollout || told === undefined || typeof told.value !== "number" || told.value <= HOT) return null;
  return hit(
    `${
      launch.called(told.name)
    } ${told.value} draws tokens almost regardless of the policy: completions are noise, and none earns a reward`,
    [told],
    { name: told.name, value: 1 },
  );
}

function penalized(launch: Launch): Hit | null {
  const told = launch.told("repetition_penalty", "generation_kwargs.repetition_penalty");
  if (!launch.isRollout || told === undefined || typeof told.value !== "number" || told.value < PENALTY) return null;
  return hit(
    `repetition_penalty ${told.value} changes what is sampled, and the trainer computes log-probs without it: ratios are off from the first update`,
    [told],
    { name: told.name, value: 1 },
  );
}

function validationRepeats(launch: Launch): Hit | null {
  const count = launch.number(`${R}val_kwargs.n`), hot = launch.number(`${R}val_kwargs.temperature`) ?? 0;
  if (count === null || count < 2 || launch.flag(`${R}val_kwargs.do_sample`) === true && hot > 0) return null;
  const isSampled = launch.flag(`${R}val_kwargs.do_sample`) === true;
  return hit(
    `validation draws ${count} completions a prompt and ${
      isSampled ? "val_kwargs.temperature is 0" : "val_kwargs.do_sample is not on"
    }: all ${count} are the same`,
    [launch.told(`${R}val_kwargs.do_sample`), launch.told(`${R}val_kwargs.n`)],
    isSampled ? { name: `${R}val_kwargs.temperature`, value: 0.6 } : { name: `${R}val_kwargs.do_sample`, value: true },
    ...(isSampled || hot > 0 ? [] : [{ name: `${R}val_kwargs.temperature`, value: 0.6 }]),
  );
}

const VLLM =
  /^vllm_(?:mode|gpu_memory_utilization|tensor_parallel_size|server_host|server_base_url|enable_sleep_mode|max_model_len(?:gth)?)$/;

function engineIdle(launch: Launch): Hit | null {
  const told = launch.options.findLast(({ name }) => VLLM.test(name));
  if (!launch.isRollout || told === undefined || launch.isWritten("use_vllm") && launch.flag("use_vllm") !== false) {
    return null;
  }
  return hit(
    `${
      launch.called(told.name)
    } is set and use_vllm is not: completions are written by transformers, many times slower`,
    [launch.told("use_vllm"), told],
    { name: "use_vllm", value: true },
  );
}

function engineUneven(launch: Launch): Hit | null {
  const size = launch.number("vllm_tensor_parallel_size"), count = launch.processes;
  const isServed = launch.word("vllm_mode") === "server";
  if (size === null || count === null || isServed || launch.flag("use_vllm") !== true || count % size === 0) {
    return null;
  }
  return hit(
    `vllm_tensor_parallel_size ${size} does not divide the ${count} process${
      count === 1 ? "" : "es"
    } that vLLM shares devices with: it refuses to start`,
    [launch.told("vllm_tensor_parallel_size")],
    { name: "vllm_tensor_parallel_size", value: 1 },
  );
}

export const SAMPLING_RULES = {
  hot_sampling: {
    systems: [...ON_TRL, "verl", "openrlhf"],
    severity: "warning",
    about: "A temperature at which completions are noise.",
    change: "temperature",
    source: "unsloth, models/rl.py: a temperature of 10 or more is refused",
    check: hotSampling,
  },
  repetition_penalty_in_rollouts: {
    systems: ON_TRL,
    severity: "warning",
    about: "A repetition penalty, which the trainer's own log-probs do not have.",
    change: "repetition_penalty",
    source: "trl#6789, trl#7269",
    check: penalized,
  },
  validation_repeats: {
    systems: ["verl"],
    severity: "warning",
    about: "Several completions a prompt in validation, without sampling: they are all the same.",
    change: "actor_rollout_ref.rollout.val_kwargs.do_sample, val_kwargs.temperature",
    source: "verl, config/rollout/rollout.yaml, val_kwargs",
    wantsWhole: true,
    check: validationRepeats,
  },
  engine_idle: {
    systems: ["trl", "unsloth"],
    severity: "warning",
    about: "Options of vLLM without use_vllm: they have no effect.",
    change: "use_vllm",
    source: "TRL, grpo_config.py, use_vllm",
    wantsWhole: true,
    check: engineIdle,
  },
  engine_uneven: {
    systems: ["trl", "ms-swift"],
    severity: "error",
    about: "vLLM's tensor parallelism does not divide the processes.",
    change: "vllm_tensor_parallel_size",
    source: "TRL, grpo_trainer.py, __init__ (colocate)",
    check: engineUneven,
  },
} as const satisfies Record<string, LaunchRule>;
