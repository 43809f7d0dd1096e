/** verl's main_ppo: its Hydra keys as options of our steps. @module */
import { alike, choice, computed, each, lacking, noNumber, number, placeOf } from "./entries.ts";
import { chatVariables, thinking } from "./chat_variables.ts";
import { modelPlace } from "./hub_names.ts";
import { recomputes } from "./low_memory.ts";
import { passesNote, SOME_STEPS } from "./hugging_face.ts";
import { GROUND_TRUTH, passesOver } from "./row_count.ts";
import type { Given, Made, Settings, Table } from "./table.ts";
import { verlCritic } from "./verl_critic.ts";
import { verlAdvantages } from "./verl_advantages.ts";
import { verlCorrection } from "./verl_correction.ts";
import { verlLoss } from "./verl_loss.ts";
import { fileOf, VERL_REWARDS } from "./verl_rewards.ts";
import { VERL_IMAGES } from "./verl_images.ts";
import { VERL_MACHINE } from "./verl_machine.ts";
import { shownValue, type Value } from "./written.ts";

const A = "actor_rollout_ref.actor.", R = "actor_rollout_ref.rollout.", M = "actor_rollout_ref.model.";

/** Slices of a rollout and updates on it: both batches are in prompts, rollout.n completions each. */
function updatesOf(given: Given) {
  const prompts = given.count("data.train_batch_size", 1024), mini = given.count(`${A}ppo_mini_batch_size`, 256);
  const epochs = given.count(`${A}ppo_epochs`, 1), slices = Math.max(1, Math.round(prompts / mini));
  return {
    prompts,
    mini,
    slices,
    updates: slices * epochs,
    isWhole: prompts >= mini && Number.isInteger(prompts / mini),
  };
}

/** The answer of a row is a field, whatever stands in the file. */
export const VERL_FIXED: Settings = { "load_prompts.answer_column": GROUND_TRUTH };

/** verl leaves the last, smaller batch of an epoch out. */
const epochSteps = (given: Given) =>
  passesOver(given, updatesOf(given).prompts, given.number("trainer.total_epochs", 30), false) ?? SOME_STEPS;

const totalUpdates = (given: Given) => {
  const steps = given.number("trainer.total_training_steps", 0);
  return (steps > 0 ? steps : epochSteps(given)) * updatesOf(given).updates;
};

/** The batch, whatever stands in the file. */
export function verlBatch(given: Given): Settings {
  const { prompts, slices, updates } = updatesOf(given);
  return {
    "sample_groups.prompts_per_step": prompts,
    "apply_update.minibatches": slices,
    "apply_update.updates_per_rollout": updates,
    "workflow.train_steps": SOME_STEPS,
  };
}

const batch = (value: Value, given: Given): Made => {
  if (typeof value !== "number") return noNumber(value);
  const { prompts, mini, slices, updates, isWhole } = updatesOf(given);
  return isWhole
    ? {
      set: { "apply_update.minibatches": slices, "apply_update.updates_per_rollout": updates },
      note: `${prompts} prompts of a rollout ÷ ${mini} of an update`,
    }
    : {
      lacks:
        `${prompts} prompts of a rollout are no whole number of updates of ${mini}, which verl refuses too; ${slices} slices are made`,
    };
};

/** `lo_hi`, e.g. of an optimizer: the schedule and its warm-up. */
function optimizer(step: string, prefix: string, rate: number, updates: (given: Given) => number): Table {
  const warmup = (given: Given): Made => {
    const steps = given.number(`${prefix}lr_warmup_steps`, -1),
      share = given.number(`${prefix}lr_warmup_steps_ratio`, 0);
    // verl moves its schedule once a train step, whatever number of updates that has.
    const per = updatesOf(given).updates, first = steps >= 0 ? steps : Math.floor(share * (updates(given) / per));
    return {
      set: { [`${step}.warmup_updates`]: first * per },
      note: first > 0 && per > 1 ? `${first} train steps of ${per} updates` : "",
    };
  };
  return {
    [`${prefix}lr`]: number(`${step}.learning_rate`, rate),
    [`${prefix}weight_decay`]: computed(
      0.01,
      (value) =>
        typeof value !== "number" ? noNumber(value) : {
          set: { [`${step}.weight_decay`]: value },
          note: value > 0 ? "on matrices only; verl decays biases and norms too" : "",
        },
    ),
    [`${prefix}betas`]: computed([0.9, 0.999], (value) => {
      const [first, second] = Array.isArray(value) ? value : [];
      return typeof first !== "number" || typeof second !== "number"
        ? noNumber(value)
        : { set: { [`${step}.beta1`]: first, [`${step}.beta2`]: second } };
    }),
    [`${prefix}lr_scheduler_type`]: {
      ...choice("constant", {}, ""),
      also: [`${prefix}warmup_style`],
      make: (value, given) =>
        value === null || value === "constant" ? { set: { [`${step}.schedule`]: "constant" } } : value === "cosine"
          ? {
            set: {
              [`${step}.schedule`]: "cosine",
              [`${step}.schedule_updates`]: updates(given),
              [`${step}.schedule_floor`]: given.number(`${prefix}min_lr_ratio`, 0),
            },
          }
          : { lacks: `schedule "${shownValue(value)}" is not here; the learning rate stays constant` },
    },
    [`${prefix}lr_warmup_steps`]: computed(
      -1,
      (value, given) =>
        typeof value === "number" && value >= 0 ? warmup(given) : { equal: "lr_warmup_steps_ratio holds" },
    ),
    [`${prefix}lr_warmup_steps_ratio`]: computed(
      0,
      (value, given) => typeof value === "number" ? warmup(given) : noNumber(value),
    ),
    [`${prefix}min_lr_ratio`]: computed(
      0,
      (value, given) =>
        given.value(`${prefix}lr_scheduler_type`) === "cosine"
          ? { set: { [`${step}.schedule_floor`]: value } }
          : { equal: "without effect unless the schedule is cosine" },
    ),
    ...each(`${prefix}num_cycles ${prefix}zero_indexed_step`, alike("half a cosine, from the first update")),
    [`${prefix}total_training_steps`]: alike("follows from the train steps"),
    [`${prefix}optimizer`]: choice("AdamW", { AdamW: { equal: "AdamW" } }, "AdamW takes its place"),
    ...each(
      `${prefix}optimizer_impl ${prefix}override_optimizer_config`,
      lacking("AdamW takes its place", { at: ["torch.optim", null], text: "AdamW" }),
    ),
    [`${prefix}clip_grad`]: computed(
      1,
      (value) => typeof value !== "number" ? noNumber(value) : { set: { [`${step}.max_grad_norm`]: value } },
    ),
  };
}

/** Data, sampling, rewards, advantages, loss, critic and length of the run. */
export const VERL_PPO: Table = {
  ...VERL_MACHINE,
  ...VERL_REWARDS,
  "data.train_files": computed(undefined, (value) => {
    const name = fileOf(value);
    return name === null ? noNumber(value) : {
      set: { "load_prompts.file": placeOf(name.replace(/^\$\w+\//, ""), "data") },
      note: Array.isArray(value) && value.length > 1 ? "one file is read: join them" : "",
    };
  }, { asText: true }),
  "data.val_files": lacking("add a step evaluate, and rows with split held_out", {
    at: [null],
    text: "nothing is evaluated",
  }),
  "data.prompt_key": computed("prompt", (value) => ({ set: { "load_prompts.prompt_column": value } })),
  "data.train_batch_size": computed(
    1024,
    (value, given) =>
      typeof value !== "number"
        ? noNumber(value)
        : { set: { "sample_groups.prompts_per_step": updatesOf(given).prompts } },
  ),
  "data.gen_batch_size": computed(
    null,
    (value) =>
      value === null
        ? { equal: "as train_batch_size" }
        : { lacks: "as many prompts are sampled as are trained on; filter_groups samples more where too few pass" },
  ),
  "data.max_prompt_length": lacking("prompts are never cut; shorten those of the file"),
  "data.max_response_length": { ...number("sample_groups.max_new_tokens", 512), also: [`${R}response_length`] },
  ...each(
    "data.truncation data.filter_overlong_prompts data.filter_overlong_prompts_workers",
    alike("a prompt that is too long is refused"),
  ),
  "data.train_max_samples": computed(
    -1,
    (value) =>
      typeof value === "number" && value > 0 ? { set: { "load_prompts.limit": value } } : { equal: "all rows" },
  ),
  ...each(
    "data.shuffle data.validation_shuffle data.seed data.val_batch_size data.val_max_samples",
    alike("rows are drawn by the seed of the workflow"),
  ),
  "data.apply_chat_template_kwargs": chatVariables(),
  "data.apply_chat_template_kwargs.enable_thinking": thinking(),
  "data.apply_chat_template_kwargs.*": lacking("write it into chat_template_kwargs of load_model"),
  [`${M}enable_gradient_checkpointing`]: recomputes("apply_update"),
  ...each(
    "data.tokenizer data.use_shm data.function_tool_path data.return_raw_input_ids data.return_raw_chat data.return_full_prompt " +
      "data.dataloader_num_workers data.image_patch_size data.trust_remote_code data.custom_cls.path data.custom_cls.name " +
      "data.return_multi_modal_inputs data.tool_config_path",
    alike("the rows of the file decide"),
  ),
  [`${M}path`]: computed("~/models/deepseek-llm-7b-chat", (value, given) => {
    const name = fileOf(value);
    return name === null ? noNumber(value) : { set: { "load_model.model": modelPlace(name, given) }, note: name };
  }, { asText: true }),
  ...VERL_IMAGES,
  ...each(
    `${M}lora.rank ${M}lora.alpha`,
    lacking("Megatron's adapters stand in fused layers; write lora of load_model", {
      at: [0, 32],
      text: "all weights train",
    }),
  ),
  [`${R}n`]: number("sample_groups.group_size", 1),
  [`${R}temperature`]: number("sample_groups.temperature", 1),
  [`${R}top_p`]: number("sample_groups.top_p", 1),
  [`${R}top_k`]: computed(
    -1,
    (value) => typeof value === "number" ? { set: { "sample_groups.top_k": Math.max(0, value) } } : noNumber(value),
  ),
  [`${R}do_sample`]: computed(
    true,
    (value) => value === false ? { set: { "sample_groups.temperature": 0 } } : { equal: "it samples" },
  ),
  [`${A}ppo_mini_batch_size`]: computed(256, batch),
  [`${A}ppo_epochs`]: computed(
    1,
    (value, given) =>
      typeof value !== "number"
        ? noNumber(value)
        : { set: { "apply_update.updates_per_rollout": updatesOf(given).updates } },
  ),
  ...each(
    `${A}shuffle ${A}data_loader_seed`,
    lacking("slices of a rollout keep their order", { at: [false, 42], text: "slices keep their order" }),
  ),
  [`${A}grad_clip`]: number("apply_update.max_grad_norm"),
  ...optimizer("apply_update", `${A}optim.`, 1e-6, totalUpdates),
  ...verlAdvantages(),
  ...verlLoss(),
  ...verlCorrection(),
  ...verlCritic((step, prefix, rate) => optimizer(step, prefix, rate, totalUpdates)),
  "trainer.total_training_steps": computed(
    null,
    (value) =>
      typeof value === "number" && value > 0
        ? { set: { "workflow.train_steps": value } }
        : { equal: "total_epochs holds" },
  ),
  "trainer.total_epochs": computed(
    30,
    (value, given) => {
      if (given.number("trainer.total_training_steps", 0) > 0) return { equal: "total_training_steps holds" };
      if (given.rows != null && typeof value === "number" && value > 0) {
        const note = passesNote(given, value, updatesOf(given).prompts);
        return { set: { "workflow.train_steps": epochSteps(given) }, note };
      }
      return {
        lacks: `the rows of the data set are not known here: the run has ${SOME_STEPS} train steps; put ${
          shownValue(value)
        } × rows ÷ ${updatesOf(given).prompts} in their place`,
      };
    },
    { tell: true },
  ),
  "trainer.save_freq": computed(
    -1,
    (value) =>
      typeof value === "number" && value > 0
        ? { set: { "workflow.checkpoint.every": value } }
        : { equal: "a checkpoint at the end" },
  ),
  ...each("trainer.max_actor_ckpt_to_keep", {
    make: (value) => typeof value === "number" ? { set: { "workflow.checkpoint.keep": value } } : { equal: "as here" },
  }),
};
