/** Options of what samples, filters and adapts between train steps, and their names in other systems. @module */
import type { Option } from "./option.ts";

const C = "algorithm.rollout_correction.";
const F = "algorithm.filter_groups.";
const I = "algo.advantage.is_correction_";

export const OFF_POLICY_OPTIONS = {
  // ***** sampler and trainer *****
  old_logprobs: {
    about: "ratios compare with the policy as trainer or sampler sees it",
    names: { verl: [`${C}bypass_mode`] },
    values: { verl: { sampler: "true", trainer: "false" } },
  },
  sampler_weights: {
    about: "weigh the loss by trainer over sampler, per token or completion",
    names: {
      trl: ["vllm_importance_sampling_mode", "vllm_importance_sampling_correction"],
      verl: [`${C}rollout_is`],
      openrlhf: [`${I}enable`, "enable_vllm_is_correction"],
    },
  },
  sampler_bounds: {
    about: "smallest and largest weight",
    names: {
      trl: ["vllm_importance_sampling_clip_max", "vllm_importance_sampling_clip_min", "vllm_importance_sampling_cap"],
      verl: [`${C}rollout_is_threshold`],
      openrlhf: [`${I}threshold`, "vllm_is_truncated_threshold"],
    },
  },
  sampler_outside: {
    about: "what becomes of weights outside the bounds",
    names: { openrlhf: [`${I}type`, "vllm_is_correction_type"] },
    values: { openrlhf: { truncate: "tis", mask: "icepop", mask_sequence: "seq-mask-tis" } },
  },
  sampler_normalize: {
    about: "divide the weights by their mean",
    names: { verl: [`${C}rollout_is_batch_normalize`] },
  },
  sampler_reject: {
    about: "leave out what is too far apart, by criterion",
    names: { verl: [`${C}rollout_rs`, `${C}rollout_rs_threshold`] },
  },
  // ***** controllers *****
  kl_target: {
    about: "KL that kl_coef follows",
    unit: "nats per token",
    names: { verl: ["algorithm.kl_ctrl.target_kl"], openrlhf: ["algo.kl.target", "kl_target"] },
  },
  kl_horizon: {
    about: "completions over which kl_coef adapts",
    unit: "completions",
    names: { verl: ["algorithm.kl_ctrl.horizon"], openrlhf: ["algo.kl.horizon", "kl_horizon"] },
  },
  entropy_target: {
    about: "entropy up to which there is a bonus that grows",
    unit: "nats per token",
    names: { trl: ["entropy_target"] },
  },
  entropy_coef_step: { about: "what entropy_coef moves by per update", names: { trl: ["entropy_coef_delta"] } },
  entropy_coef_min: { about: "smallest entropy_coef", names: { trl: ["entropy_coef_min"] } },
  entropy_coef_max: { about: "largest entropy_coef", names: { trl: ["entropy_coef_max"] } },
  // ***** dynamic sampling *****
  filter_groups: {
    about: "train on groups that teach something: spread, range or all",
    names: { verl: [`${F}enable`], openrlhf: ["algo.dynamic_filtering_enable", "dynamic_filtering"] },
    values: { verl: { spread: "true", all: "false" } },
  },
  filter_metric: { about: "what groups are judged by", names: { verl: [`${F}metric`] } },
  filter_range: {
    about: "mean between which a group is kept",
    names: { openrlhf: ["algo.dynamic_filtering_range", "dynamic_filtering_reward_range"] },
  },
  max_generation_batches: {
    about: "samplings of a train step until enough groups passed",
    unit: "batches",
    names: { verl: [`${F}max_num_gen_batches`] },
  },
} as const satisfies Record<string, Option>;
