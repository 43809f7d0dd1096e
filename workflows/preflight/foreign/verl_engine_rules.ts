/** What verl's passes and its sampling engine want of lengths and devices. @module */
import type { Launch } from "./launch.ts";
import { type Hit, hit, type LaunchRule } from "./rule.ts";

const A = "actor_rollout_ref.actor.", R = "actor_rollout_ref.rollout.", M = "actor_rollout_ref.model.";
const VALIDATE = "verl, utils/config.py, validate_config; workers/config/actor.py";
/** Defaults of ppo_trainer.yaml: tokens of a pass, tokens of the engine, its parallelism, lengths. */
const PASS = 16_384, BATCHED = 8192, PARALLEL = 2, LENGTH = 512;

/** Prompt and completion at their longest. */
function longest(launch: Launch): number | null {
  const [prompt, answer] = [
    launch.numberOr(LENGTH, "data.max_prompt_length"),
    launch.numberOr(LENGTH, "data.max_response_length"),
  ];
  return prompt === null || answer === null ? null : prompt + answer;
}

function passTooShort(launch: Launch): Hit | null {
  const name = `${A}ppo_max_token_len_per_gpu`, needs = longest(launch), each = launch.numberOr(PASS, name);
  const ulysses = launch.numberOr(1, `${A}ulysses_sequence_parallel_size`);
  if (
    launch.flag(`${A}use_dynamic_bsz`) !== true || needs === null || each === null || ulysses === null ||
    needs <= each * ulysses
  ) {
    return null;
  }
  return hit(
    `a sequence may have ${needs} tokens and a pass takes ${each * ulysses}${
      launch.isWritten(name) ? "" : " (the default)"
    }: the run stops at the first one that is longer`,
    [launch.told("data.max_response_length"), launch.told(name)],
    { name, value: Math.ceil(needs / ulysses) },
  );
}

function chunkTooShort(launch: Launch): Hit | null {
  const name = `${R}max_num_batched_tokens`,
    most = launch.numberOr(BATCHED, name),
    needs = launch.number(`${R}max_model_len`) ?? longest(launch);
  const off = launch.told(`${R}enable_chunked_prefill`);
  if (launch.flag(`${R}enable_chunked_prefill`) !== false || most === null || needs === null || most >= needs) {
    return null;
  }
  return hit(
    `without chunked prefill vLLM wants max_num_batched_tokens (${most}${
      launch.isWritten(name) ? "" : ", the default"
    }) to hold a whole sequence of ${needs} tokens: it refuses to start`,
    [launch.told(name), off],
    { name, value: needs },
  );
}

function parallelUneven(launch: Launch): Hit | null {
  const name = `${R}tensor_model_parallel_size`, size = launch.numberOr(PARALLEL, name), devices = launch.processes;
  if (
    launch.trainer !== "ppo" || launch.form !== "overrides" || size === null || devices === null || devices % size === 0
  ) {
    return null;
  }
  if (!launch.options.some((one) => one.name.startsWith(R))) return null;
  return hit(
    `tensor_model_parallel_size is ${size}${
      launch.isWritten(name) ? "" : " by default"
    } and does not divide ${devices} device${devices === 1 ? "" : "s"}: the engine refuses to start`,
    [launch.told(name), launch.told("trainer.n_gpus_per_node")],
    { name, value: 1 },
  );
}

function sequenceParallel(launch: Launch): Hit | null {
  const told = launch.told(`${A}ulysses_sequence_parallel_size`), packed = launch.flag(`${M}use_remove_padding`);
  if (typeof told?.value !== "number" || told.value < 2 || packed !== false) return null;
  return hit(
    "ulysses_sequence_parallel_size above 1 wants use_remove_padding, which is off: verl refuses to start",
    [told, launch.told(`${M}use_remove_padding`)],
    { name: `${M}use_remove_padding`, value: true },
  );
}

function randomBase(launch: Launch): Hit | null {
  const told = launch.told(`${R}load_format`);
  if (launch.hasAdapter !== true || told?.value !== "dummy" || launch.flag(`${M}lora.merge`) === true) return null;
  return hit(
    "load_format dummy starts the engine with random weights, and of an adapter only itself may be sent there: verl's guide asks for safetensors, or completions are noise",
    [launch.told(`${M}lora_rank`), told],
    { name: told.name, value: "safetensors" },
  );
}

export const VERL_ENGINE_RULES = {
  pass_too_short: {
    systems: ["verl"],
    severity: "error",
    about: "Under use_dynamic_bsz a pass takes fewer tokens than one sequence may have.",
    change: "actor_rollout_ref.actor.ppo_max_token_len_per_gpu",
    source: "verl, utils/seqlen_balancing.py, rearrange_micro_batches; verl#571, Weiyun1025/verl-internvl#15",
    check: passTooShort,
  },
  chunk_too_short: {
    systems: ["verl"],
    severity: "error",
    about: "Without chunked prefill the engine takes fewer tokens at once than a sequence may have.",
    change: "actor_rollout_ref.rollout.max_num_batched_tokens",
    source: "verl#189, verl#7624",
    check: chunkTooShort,
  },
  parallel_uneven: {
    systems: ["verl"],
    severity: "error",
    about: "The engine's tensor parallelism, 2 by default, does not divide the devices.",
    change: "actor_rollout_ref.rollout.tensor_model_parallel_size",
    source: "verl, workers/fsdp_workers.py, _build_rollout",
    check: parallelUneven,
  },
  sequence_parallel_padding: {
    systems: ["verl"],
    severity: "error",
    about: "Sequence parallelism without use_remove_padding.",
    change: "actor_rollout_ref.model.use_remove_padding",
    source: VALIDATE,
    check: sequenceParallel,
  },
  adapter_on_random_base: {
    systems: ["verl"],
    severity: "warning",
    about: "An adapter whose base is random in the sampling engine.",
    change: "actor_rollout_ref.rollout.load_format",
    source: "verl, docs/advance/ppo_lora.rst",
    check: randomBase,
  },
} as const satisfies Record<string, LaunchRule>;
