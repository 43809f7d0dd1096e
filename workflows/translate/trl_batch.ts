/** The batch arithmetic and the sampling options of TRL's GRPO and RLOO. @module */
import { alike, computed, each, lacking, noNumber, number } from "./entries.ts";
import { chatVariables, toolSchemas } from "./chat_variables.ts";
import { type Counting, epochSteps } from "./hugging_face.ts";
import type { Entry, Given, Made, Settings, Table } from "./table.ts";
import { isRecord, shownValue } from "./written.ts";

/** The batch arithmetic of TRL (grpo_trainer.py, GRPOConfig.__post_init__). */
function rolloutOf(given: Given) {
  const device = given.count("per_device_train_batch_size", 8), processes = given.count("num_processes", 1);
  const accumulation = given.count("gradient_accumulation_steps", 1), group = given.count("num_generations", 8);
  const generation = given.number("generation_batch_size", 0);
  const perGeneration = generation > 0
    ? generation / (device * processes)
    : given.count("steps_per_generation", accumulation);
  // Fewer micro-batches per rollout than per update: an update takes several rollouts, which here is one.
  const slices = Math.max(1, perGeneration / accumulation), passes = given.count("num_iterations", 1);
  const completions = device * processes * Math.max(perGeneration, accumulation);
  return {
    prompts: completions / group,
    minibatches: slices,
    updates: slices * passes,
    text: `${device} × ${Math.max(perGeneration, accumulation)} micro-batches × ${processes} ` +
      `${processes === 1 ? "process" : "processes"} = ${completions} completions in groups of ${group}`,
    problem: !Number.isInteger(completions / group)
      ? `${completions} completions are no whole number of groups of ${group}; TRL refuses this too`
      : !Number.isInteger(slices)
      ? `${perGeneration} micro-batches of a rollout are no whole number of updates of ${accumulation}`
      : null,
  };
}

const totalUpdates = (given: Given) => {
  const steps = given.number("max_steps", -1);
  return steps > 0 ? steps : epochSteps(given, promptsOf(given)) * Math.max(1, Math.round(rolloutOf(given).updates));
};

const promptsOf = (given: Given) => batchSettings(given)["sample_groups.prompts_per_step"] as number;

/** What the batch options make together. */
const batch: Entry["make"] = (value, given): Made => {
  if (value === null) return { equal: "follows from the others" };
  if (typeof value !== "number") return noNumber(value);
  const { prompts, minibatches, updates, text, problem } = rolloutOf(given);
  if (problem !== null) return { lacks: `${problem}; prompts_per_step is rounded` };
  return {
    set: {
      "sample_groups.prompts_per_step": prompts,
      "apply_update.minibatches": minibatches,
      "apply_update.updates_per_rollout": updates,
    },
    note: text,
  };
};

/** The batch as whole numbers, set whatever stands in the file. */
export function batchSettings(given: Given): Settings {
  const { prompts, minibatches, updates } = rolloutOf(given);
  const whole = (value: number) => Math.max(1, Math.round(value));
  return {
    "sample_groups.prompts_per_step": whole(prompts),
    "apply_update.minibatches": whole(minibatches),
    "apply_update.updates_per_rollout": whole(minibatches) * whole(updates / minibatches),
  };
}

const off = (target: "sample_groups.top_k" | "sample_groups.min_p", none: number): Entry =>
  computed(
    none,
    (value) =>
      value === null || typeof value === "number" && value <= 0
        ? { set: { [target]: 0 } }
        : typeof value === "number"
        ? { set: { [target]: value } }
        : noNumber(value),
  );

/** Options of batch and sampling. */
export const TRL_SAMPLING: Table = {
  num_generations: computed(8, (value, given) => {
    const made = batch(value, given);
    return typeof value !== "number"
      ? noNumber(value)
      : "set" in made
      ? { set: { "sample_groups.group_size": value } }
      : { set: { "sample_groups.group_size": value }, note: "lacks" in made ? made.lacks : "" };
  }),
  per_device_train_batch_size: computed(8, batch),
  gradient_accumulation_steps: computed(1, batch),
  steps_per_generation: computed(null, batch),
  generation_batch_size: computed(null, batch),
  num_iterations: computed(1, batch),
  max_completion_length: number("sample_groups.max_new_tokens", 512),
  max_prompt_length: lacking("prompts are never cut: a prompt that is too long is refused; shorten the file's", {
    at: [null],
    text: "prompts are not cut",
  }),
  temperature: number("sample_groups.temperature", 1),
  top_p: number("sample_groups.top_p", 1),
  top_k: off("sample_groups.top_k", 0),
  min_p: off("sample_groups.min_p", 0),
  repetition_penalty: number("sample_groups.repetition_penalty", 1),
  generation_kwargs: computed(null, (value) => {
    if (value === null) return { equal: "none" };
    if (!isRecord(value)) return { lacks: `"${shownValue(value)}" cannot be read` };
    const own = Object.entries(value), known = ["temperature", "top_p", "top_k", "min_p", "repetition_penalty"];
    const set = Object.fromEntries(
      own.filter(([name]) => known.includes(name)).map(([name, v]) => [`sample_groups.${name}`, v]),
    );
    const lost = own.filter(([name]) => !known.includes(name)).map(([name]) => name);
    return { set, note: lost.length ? `not followed: ${lost.join(", ")}` : "over the options of the same name" };
  }),
  ...Object.fromEntries(
    ["temperature", "top_p", "top_k", "min_p", "repetition_penalty"].map((name) => [
      `generation_kwargs.${name}`,
      number(`sample_groups.${name}`),
    ]),
  ),
  generation_kwargs_source: alike("a note, no option"),
  chat_template_kwargs: chatVariables(),
  tools: toolSchemas(),
  cache_implementation: alike("the cache is built in"),
  mask_truncated_completions: computed(false, (value) => ({ set: { "sample_groups.mask_truncated": value === true } })),
  ...each(
    "use_transformers_continuous_batching use_transformers_paged transformers_continuous_batching_config",
    alike("completions are decoded together; rows_at_once bounds them"),
  ),
  ...each(
    "vllm_mode vllm_model_impl vllm_enable_sleep_mode vllm_server_base_url vllm_server_host vllm_server_port vllm_server_timeout " +
      "vllm_group_port vllm_gpu_memory_utilization vllm_max_model_length vllm_max_model_len vllm_tensor_parallel_size vllm_limit_mm_per_prompt " +
      "vllm_enable_prefix_caching vllm_enforce_eager vllm_device vllm_dtype vllm_server_pass_dataset sleep_level vllm_max_num_seqs move_model_batches " +
      "vllm_disable_custom_all_reduce async_generate",
    alike("the sampler is built in"),
  ),
  use_vllm: lacking("the sampler is built in and draws from the policy's own graph", {
    at: [false],
    text: "the sampler is built in",
  }),
  ...each(
    "vllm_structured_outputs_regex vllm_guided_decoding_regex",
    lacking("completions are not held to a pattern; a reward may ask for it", { at: [null], text: "no pattern" }),
  ),
  ...each(
    "environment_factory rollout_func max_tool_calling_iterations multi_turn_scheduler",
    lacking("completions are one turn, without tools", { at: [null], text: "no tools" }),
  ),
};

/** Options of the reference policy. */
export const TRL_REFERENCE: Table = {
  ref_model: lacking("the reference is a copy of the policy; put a folder into load_model: reference", {
    at: [null],
    text: "a copy",
  }),
  sync_ref_model: lacking("the reference stays as it is", { at: [false], text: "the reference stays" }),
  ...each("ref_model_mixup_alpha ref_model_sync_steps", alike("without effect unless sync_ref_model")),
};

/** How GRPO and RLOO count. */
export const TRL_COUNTING: Counting = {
  step: "apply_update",
  updates: totalUpdates,
  perStep: (given) => batchSettings(given)["apply_update.updates_per_rollout"] as number,
  rows: promptsOf,
};
