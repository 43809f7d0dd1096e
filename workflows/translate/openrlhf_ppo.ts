/** OpenRLHF's train_ppo_ray: its options as those of our steps. @module */
import { optionDefault } from "../../data/option_defaults.ts";
import { computed, each, lacking, noNumber, noSuch, number } from "./entries.ts";
import {
  OPENRLHF_MACHINE,
  openrlhfData,
  openrlhfEpochs,
  openrlhfLength,
  openrlhfModel,
  openrlhfOptimizer,
} from "./openrlhf.ts";
import { estimator, hasCritic, onlyCritic, OPENRLHF_CRITIC } from "./openrlhf_critic.ts";
import { OPENRLHF_REWARDS } from "./openrlhf_rewards.ts";
import type { Given, Made, Settings, Table } from "./table.ts";
import { shownValue, type Value } from "./written.ts";

/** rollout.batch_size in prompts, train.batch_size in completions. */
function updatesOf(given: Given) {
  const prompts = given.count("rollout.batch_size", 1024), group = given.count("rollout.n_samples_per_prompt", 1);
  const size = given.count("train.batch_size", 128), epochs = given.count("train.max_epochs", 1);
  const slices = Math.max(1, Math.round(prompts * group / size));
  return { prompts, group, size, slices, updates: slices * epochs, isWhole: Number.isInteger(prompts * group / size) };
}

const RUN = {
  target: "workflow.train_steps",
  batch: ["rollout.batch_size", 1024],
  epochs: "train.num_episodes",
} as const;

const totalUpdates = (given: Given) => openrlhfLength(given, RUN) * updatesOf(given).updates;

/** The batch, whatever stands in the file. */
export function openrlhfBatch(given: Given): Settings {
  const { prompts, slices, updates } = updatesOf(given);
  return {
    "sample_groups.prompts_per_step": prompts,
    "apply_update.minibatches": slices,
    "apply_update.updates_per_rollout": updates,
    ...(hasCritic(given) ? { "update_critic.minibatches": slices, "update_critic.updates_per_rollout": updates } : {}),
  };
}

const usesLoss = (given: Given) => given.value("algo.kl.use_loss") === true;
const ESTIMATORS = ["gae", "reinforce", "rloo", "reinforce_baseline", "group_norm", "dr_grpo"];
const CLIP = Number(optionDefault("clip_low", "openrlhf"));

/** The KL to the reference: off the reward, or in the loss. */
function kl(given: Given): Made {
  const coefficient = given.number("algo.kl.init_coef", 0.01), form = String(given.value("algo.kl.estimator"));
  if (coefficient === 0) return { set: { "load_model.reference": "none" }, note: "no reference, no KL" };
  const target = given.value("algo.kl.target"), step = usesLoss(given) ? "apply_update" : "compute_advantages";
  return {
    set: {
      [`${step}.kl_coef`]: coefficient,
      ...(form === "k1" ? {} : { [`${step}.kl_estimator`]: form }),
      ...(typeof target === "number"
        ? { [`${step}.kl_target`]: target, [`${step}.kl_horizon`]: given.number("algo.kl.horizon", 10000) }
        : {}),
      "load_model.reference": "copy",
    },
    note: usesLoss(given) ? "in the loss" : "in the reward, per token",
  };
}

const clips = (value: Value, given: Given): Made => {
  const both = given.value("actor.eps_clip_low_high"), one = given.number("actor.eps_clip", CLIP);
  const [low, high] = Array.isArray(both) ? both : [one, one];
  if (typeof low !== "number" || typeof high !== "number") return noNumber(value);
  return low === CLIP && high === CLIP
    ? { equal: `${CLIP} in the preset` }
    : { set: { "apply_update.clip_low": low, "apply_update.clip_high": high } };
};

const correction = (given: Given): Made => {
  if (given.value("algo.advantage.is_correction_enable") !== true) {
    return { equal: "without effect unless is_correction_enable" };
  }
  const type = String(given.value("algo.advantage.is_correction_type") ?? "tis"),
    bounds = given.value("algo.advantage.is_correction_threshold");
  return {
    set: {
      "apply_update.sampler_weights": "token",
      "apply_update.sampler_bounds": bounds,
      "apply_update.sampler_outside": type === "tis" ? "truncate" : type === "icepop" ? "mask" : "mask_sequence",
    },
    note: "near 1 here: the sampler is the policy's own graph",
  };
};

const OPTIMIZERS: Table = {
  ...openrlhfOptimizer({
    step: "apply_update",
    prefix: "actor.",
    rate: 1e-6,
    also: ["actor_learning_rate"],
    updates: totalUpdates,
  }),
  ...Object.fromEntries(
    Object.entries(
      openrlhfOptimizer({
        step: "update_critic",
        prefix: "critic.",
        rate: 9e-6,
        also: ["critic_learning_rate"],
        updates: totalUpdates,
      }, false),
    )
      .map(([name, entry]) => [name, onlyCritic(entry)]),
  ),
};

/** train_ppo_ray. */
export const OPENRLHF_PPO: Table = {
  ...OPENRLHF_MACHINE,
  ...openrlhfData("load_prompts", ["data.prompt_dataset", "prompt_data"]),
  ...OPTIMIZERS,
  ...OPENRLHF_REWARDS,
  "actor.model_name_or_path": openrlhfModel("load_model.model", ["pretrain"]),
  "critic.model_name_or_path": OPENRLHF_CRITIC,
  "data.input_key": computed("input", (value) => ({ set: { "load_prompts.prompt_column": value } }), {
    also: ["input_key"],
  }),
  "data.label_key": computed(
    null,
    (value) => value === null ? { equal: "the rows' answers" } : { set: { "load_prompts.answer_column": value } },
    { also: ["label_key"] },
  ),
  "data.max_len": computed(2048, (value, given) => {
    if (typeof value !== "number") return noNumber(value);
    const prompt = given.number("prompt_max_len", 1024);
    return typeof given.value("rollout.max_new_tokens") === "number"
      ? { equal: "max_new_tokens bounds completions" }
      : {
        set: { "sample_groups.max_new_tokens": value > prompt ? value - prompt : value },
        note: "what a prompt of the usual half leaves",
      };
  }, { also: ["max_len"] }),
  prompt_max_len: lacking("prompts are never cut; shorten those of the file"),
  "rollout.max_new_tokens": { ...number("sample_groups.max_new_tokens"), also: ["generate_max_len"] },
  "rollout.batch_size": computed(
    1024,
    (value, given) =>
      typeof value !== "number"
        ? noNumber(value)
        : { set: { "sample_groups.prompts_per_step": updatesOf(given).prompts } },
    { also: ["rollout_batch_size"] },
  ),
  "rollout.vllm_generate_batch_size": lacking(
    "as many prompts are sampled as are trained on; filter_groups samples more",
    { at: [null], text: "as rollout.batch_size" },
    { also: ["vllm_generate_batch_size"] },
  ),
  "rollout.n_samples_per_prompt": { ...number("sample_groups.group_size", 1), also: ["n_samples_per_prompt"] },
  "rollout.temperature": { ...number("sample_groups.temperature", 1), also: ["temperature"] },
  "rollout.top_p": { ...number("sample_groups.top_p", 1), also: ["top_p"] },
  "train.batch_size": computed(128, (value, given) => {
    if (typeof value !== "number") return noNumber(value);
    const { prompts, group, size, slices, updates, isWhole } = updatesOf(given);
    return isWhole
      ? {
        set: { "apply_update.minibatches": slices, "apply_update.updates_per_rollout": updates },
        note: `${prompts} × ${group} completions of a rollout ÷ ${size} of an update`,
      }
      : {
        lacks: `${prompts} × ${group} completions are no whole number of updates of ${size}; ${slices} slices are made`,
      };
  }, { also: ["train_batch_size"] }),
  "train.max_epochs": computed(
    1,
    (value, given) =>
      typeof value !== "number"
        ? noNumber(value)
        : { set: { "apply_update.updates_per_rollout": updatesOf(given).updates } },
    { also: ["max_epochs"] },
  ),
  "train.num_episodes": openrlhfEpochs(RUN, ["num_episodes"]),
  ...each(
    "train.async_enable train.async_queue_size train.partial_rollout_enable async_train async_queue_size partial_rollout",
    lacking("sampling and training take turns here", { at: [false, 1], text: "they take turns" }),
  ),
  "actor.policy_loss_type": computed(
    "ppo",
    (value) =>
      value === "ppo" || value === "gspo"
        ? { set: { "apply_update.preset": `openrlhf/${value}` } }
        : noSuch(value, "OpenRLHF", ["ppo", "gspo"]),
    { also: ["policy_loss_type"] },
  ),
  "actor.eps_clip": computed(CLIP, clips, { also: ["eps_clip"] }),
  "actor.eps_clip_low_high": computed(
    null,
    (value, given) => value === null ? { equal: "eps_clip on both sides" } : clips(value, given),
    { also: ["eps_clip_low_high"] },
  ),
  "actor.dual_clip": computed(
    null,
    (value) => typeof value === "number" ? { set: { "apply_update.ratio_cap": value } } : { equal: "no dual clip" },
    { also: ["dual_clip"] },
  ),
  "actor.entropy_coef": computed(
    null,
    (value) =>
      typeof value === "number" ? { set: { "apply_update.entropy_coef": value } } : { equal: "no entropy bonus" },
    { also: ["entropy_loss_coef"] },
  ),
  "algo.advantage.estimator": computed("gae", (value) => {
    const name = String(value);
    return ESTIMATORS.includes(name)
      ? {
        set: {
          "compute_advantages.preset": `openrlhf/${name}`,
          ...(name === "gae" ? { "workflow.with_load_critic": true, "workflow.with_compute_values": true } : {}),
        },
      }
      : noSuch(value, "OpenRLHF", ESTIMATORS);
  }, { also: ["advantage_estimator"] }),
  "algo.advantage.gamma": computed(
    1,
    (value, given) =>
      typeof value !== "number"
        ? noNumber(value)
        : hasCritic(given) || estimator(given) === "reinforce"
        ? { set: { "compute_advantages.gamma": value } }
        : { equal: `${estimator(given)} takes 1 there whatever it says` },
    { also: ["gamma"] },
  ),
  "algo.advantage.lambd": onlyCritic({ ...number("compute_advantages.lambda", 1), also: ["lambd"] }),
  "algo.advantage.no_std_norm": computed(
    false,
    (value, given) =>
      value !== true
        ? { equal: "as the estimator does" }
        : /^(?:gae|reinforce)/.test(estimator(given))
        ? { set: { "compute_advantages.divide_by_std": false } }
        : { equal: `without effect under ${estimator(given)}` },
    { also: ["no_advantage_std_norm"] },
  ),
  "algo.advantage.is_correction_enable": {
    default: false,
    also: ["enable_vllm_is_correction"],
    make: (_, given) => correction(given),
  },
  "algo.advantage.is_correction_threshold": {
    default: [0.5, 5],
    also: ["vllm_is_truncated_threshold"],
    make: (_, given) => correction(given),
  },
  "algo.advantage.is_correction_type": { default: "tis", make: (_, given) => correction(given) },
  "algo.kl.init_coef": {
    default: 0.01,
    also: ["init_kl_coef"],
    make: (value, given) => typeof value === "number" ? kl(given) : noNumber(value),
  },
  "algo.kl.estimator": {
    default: "k1",
    also: ["kl_estimator"],
    make: (value, given) =>
      ["k1", "k2", "k3"].includes(String(value))
        ? given.number("algo.kl.init_coef", 0.01) === 0 ? { equal: "no KL" } : kl(given)
        : { lacks: `"${shownValue(value)}" is not here; k1 takes its place` },
  },
  "algo.kl.use_loss": {
    default: false,
    also: ["use_kl_loss"],
    make: (value, given) => value === true ? kl(given) : { equal: "the KL is in the reward" },
  },
  "algo.kl.target": {
    default: null,
    also: ["kl_target"],
    make: (value, given) => value === null ? { equal: "a fixed weight" } : kl(given),
  },
  "algo.kl.horizon": {
    default: 10000,
    also: ["kl_horizon"],
    make: (_, given) =>
      given.value("algo.kl.target") === null ? { equal: "without effect unless kl.target" } : kl(given),
  },
  "critic.value_clip": onlyCritic({ ...number("update_critic.value_clip", 0.5), also: ["value_clip"] }),
  "critic.freezing_steps": lacking("policy and critic train from the first step", {
    at: [-1, 0],
    text: "both train from the first step",
  }, { also: ["freezing_actor_steps"] }),
  "algo.dynamic_filtering_enable": computed(
    false,
    (value, given) =>
      value !== true ? { equal: "every group is trained on" } : {
        set: { "filter_groups.keep": "range", "filter_groups.range": given.value("algo.dynamic_filtering_range") },
      },
    { also: ["dynamic_filtering"] },
  ),
  "algo.dynamic_filtering_range": computed(
    [0, 1],
    (value, given) =>
      given.value("algo.dynamic_filtering_enable") === true
        ? { set: { "filter_groups.range": value } }
        : { equal: "without effect unless enabled" },
    { also: ["dynamic_filtering_reward_range"] },
  ),
};
