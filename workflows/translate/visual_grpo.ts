/** What Visual-RFT, VLM-R1 and R1-V have of one ancestor: GRPOConfig of TRL 0.14, with images. @module */
import { alike, computed, each, lacking, noNumber, number } from "./entries.ts";
import { type Counting, epochSteps, trainingArguments } from "./hugging_face.ts";
import type { Entry, Given, Made, Settings, Table } from "./table.ts";
import { TRL_REFERENCE, TRL_SAMPLING } from "./trl_batch.ts";
import { modelAndData } from "./trl_model.ts";

/** In what they differ as a rollout is counted. */
export interface VisualBatch {
  /** What the batch options count: prompts, each with its whole group, or completions. */
  readonly counts: "prompts" | "completions";
  /** They read num_iterations. */
  readonly iterates: boolean;
}

/** transformers' own top_k, in force where neither the trainer nor the model's folder says another. */
const TOP_K = 50;

function batchOf({ counts }: VisualBatch, given: Given) {
  const device = given.count("per_device_train_batch_size", 8), processes = given.count("num_processes", 1);
  const accumulation = given.count("gradient_accumulation_steps", 1), group = given.count("num_generations", 8);
  const rows = device * accumulation * processes, prompts = counts === "prompts" ? rows : rows / group;
  const factors = `${device} × ${accumulation} gradients × ${processes} ${processes === 1 ? "process" : "processes"}`;
  return {
    prompts,
    text: counts === "prompts"
      ? `${factors} = ${rows} prompts with ${group} completions each`
      : `${factors} = ${rows} completions in groups of ${group}`,
  };
}

/** The batch as whole numbers, set whatever stands in the file. */
export function visualBatch(batch: VisualBatch): (given: Given) => Settings {
  return (given) => ({
    "sample_groups.prompts_per_step": Math.max(1, Math.round(batchOf(batch, given).prompts)),
    ...(batch.iterates ? { "apply_update.updates_per_rollout": given.count("num_iterations", 1) } : {}),
  });
}

function countingOf(batch: VisualBatch): Counting {
  const rows = (given: Given) => visualBatch(batch)(given)["sample_groups.prompts_per_step"] as number;
  const perStep = (given: Given) => batch.iterates ? given.count("num_iterations", 1) : 1;
  return {
    step: "apply_update",
    rows,
    perStep,
    updates: (given) => {
      const steps = given.number("max_steps", -1);
      return steps > 0 ? steps : epochSteps(given, rows(given)) * perStep(given);
    },
  };
}

/** Objective and advantages: per-sequence means, k3 in the loss without the ratio, groups divided by deviation + 1e-4. */
export const VISUAL_FIXED: Settings = {
  "apply_update.preset": "grpo",
  "compute_advantages.preset": "trl/grpo",
};

/** The sampler of transformers takes temperature 1 whatever is said; that of vLLM takes what is said. */
const temperature: Entry["make"] = (value, given) =>
  given.value("use_vllm") !== true
    ? { equal: "read with vLLM alone: completions are drawn at 1 there and here" }
    : typeof value !== "number"
    ? noNumber(value)
    : { set: { "sample_groups.temperature": value }, note: "there log-probs are those of temperature 1 all the same" };

/** Names of a visual trainer's options that are the same for all three. */
export function visualTable(batch: VisualBatch): Table {
  const counted: Entry["make"] = (value, given): Made => {
    if (typeof value !== "number") return noNumber(value);
    const { prompts, text } = batchOf(batch, given);
    return Number.isInteger(prompts)
      ? { set: { "sample_groups.prompts_per_step": prompts }, note: text }
      : { lacks: `${text}: no whole number of groups, which is refused there too; prompts_per_step is rounded` };
  };
  return {
    ...modelAndData("load_prompts"),
    ...trainingArguments(countingOf(batch), 1e-6),
    ...TRL_REFERENCE,
    per_device_train_batch_size: computed(8, counted),
    gradient_accumulation_steps: computed(1, counted),
    num_generations: number("sample_groups.group_size", 8),
    max_completion_length: number("sample_groups.max_new_tokens", 256),
    max_prompt_length: lacking(
      "prompts are never cut: one that is too long is refused. There it is cut from the left for the update alone, and a " +
        "completion then begins with the rest of its prompt",
      { at: [null], text: "prompts are not cut" },
    ),
    temperature: computed(0.9, temperature),
    top_k: computed(
      TOP_K,
      (_, given) =>
        given.value("use_vllm") === true ? { equal: "off with vLLM" } : {
          set: { "sample_groups.top_k": TOP_K },
          note: "that of transformers, unless the model's folder has one; there log-probs know nothing of it",
        },
    ),
    use_vllm: TRL_SAMPLING["use_vllm"]!,
    ...each(
      "vllm_device vllm_gpu_memory_utilization vllm_dtype vllm_max_model_len vllm_enable_prefix_caching",
      alike("the sampler is built in"),
    ),
    vllm_guided_decoding_regex: TRL_SAMPLING["vllm_guided_decoding_regex"]!,
    beta: computed(0.04, (value) =>
      typeof value !== "number" ? noNumber(value) : {
        set: value > 0
          ? { "apply_update.kl_coef": value, "load_model.reference": "copy", "apply_update.kl_estimator": "k3" }
          : { "apply_update.kl_coef": 0, "load_model.reference": "none" },
        note: value > 0 ? "in the loss, k3" : "no reference, no KL",
      }),
    min_pixels: number("load_model.min_pixels", 3136),
    max_pixels: number("load_model.max_pixels", 12_845_056),
  };
}

/** The columns of a data set that holds an image, a problem and its solution. */
export const PROBLEM_COLUMNS: Settings = {
  "load_prompts.prompt_column": "problem",
  "load_prompts.answer_column": "solution",
  "load_prompts.image_column": "image",
};

/** A data set that the program opens as a folder of `save_to_disk`, or by its name on the Hub: names that mean none. */
export const NO_DATA = /^(?:not[_-]?used|this_is_not_used)$/i;
