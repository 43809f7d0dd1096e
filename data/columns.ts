/**
 * The one dictionary of columns: what every table of a run holds, with type, unit and meaning.
 *
 * Steps, diagnoses, charts, the store and the adapters of foreign logs all read it; a column that is not here does not
 * exist, except the task's own columns of `prompts` and one `reward.<name>` per reward function of `completions`.
 * @module
 */

/** How a column is stored: the Arrow type written for it. */
export type ColumnType =
  | "int32"
  | "float32"
  | "float64"
  | "utf8"
  | "category"
  | "bool"
  | "list<int32>"
  | "list<float32>"
  | "list<utf8>"
  | "json";

/** What one column means. `json` columns hold a JSON text. */
export interface Column {
  readonly type: ColumnType;
  /** nats, tokens, ms, bytes, "fraction of completions", … or "" for a name or a text. */
  readonly unit: string;
  readonly about: string;
}

const TRAIN_STEP: Column = { type: "int32", unit: "train steps", about: "progress over the whole run, from 1" };

const PROMPTS = {
  prompt_id: { type: "int32", unit: "", about: "number of the prompt in its table, from 0" },
  prompt: { type: "utf8", unit: "", about: "what is asked, as text before any chat template" },
  answer: { type: "utf8", unit: "", about: "the ground truth the verifier compares with" },
  split: { type: "category", unit: "", about: "train, validation or held_out; decided by a hash of the content" },
  difficulty: { type: "float32", unit: "0 to 1", about: "the task's own estimate of how hard the prompt is" },
} as const satisfies Record<string, Column>;

const COMPLETIONS = {
  train_step: TRAIN_STEP,
  prompt_id: { type: "int32", unit: "", about: "the prompt this completion answers" },
  sample: { type: "int32", unit: "", about: "number within its group, from 0" },
  prompt: { type: "utf8", unit: "", about: "the prompt's text" },
  answer: { type: "utf8", unit: "", about: "the prompt's ground truth" },
  text: { type: "utf8", unit: "", about: "the completion, decoded without special tokens" },
  truncated: { type: "bool", unit: "", about: "reached max_new_tokens without an end of sequence" },
  completion_tokens: { type: "int32", unit: "tokens", about: "length of the completion, its end of sequence included" },
  reward: { type: "float32", unit: "", about: "weighted sum of the reward functions, before any normalisation" },
  advantage: { type: "float32", unit: "", about: "what multiplies the log-ratio" },
  correct: { type: "bool", unit: "", about: "the task's verifier accepts the completion" },
  entropy: { type: "float32", unit: "nats per token", about: "mean entropy of the policy at temperature 1" },
  token_ids: { type: "list<int32>", unit: "", about: "the completion's tokens, its end of sequence included" },
  completion_mask: { type: "list<float32>", unit: "", about: "1 on completion tokens that count in the loss" },
  old_logprobs: { type: "list<float32>", unit: "nats", about: "log p of the policy that sampled, at its temperature" },
  ref_logprobs: { type: "list<float32>", unit: "nats", about: "log p of the reference, at the sampling temperature" },
  sampler_logprobs: { type: "list<float32>", unit: "nats", about: "log p per token as the sampler reported it" },
} as const satisfies Record<string, Column>;

const METRICS = {
  train_step: TRAIN_STEP,
  phase: { type: "category", unit: "", about: "sft, rollout or preference" },
  step_id: { type: "category", unit: "", about: "the workflow step that wrote the row" },
  loss: { type: "float64", unit: "nats per token", about: "mean loss over the train step's updates" },
  reward: { type: "float64", unit: "", about: "mean reward over the completions" },
  reward_std: { type: "float64", unit: "", about: "standard deviation of the reward over the whole batch" },
  group_reward_std: { type: "float64", unit: "", about: "mean over groups of the reward's standard deviation" },
  zero_spread_fraction: { type: "float64", unit: "fraction of groups", about: "of two rewards or more, all equal" },
  accuracy: { type: "float64", unit: "fraction of completions", about: "completions the verifier accepts" },
  format: { type: "float64", unit: "", about: "mean of the format reward" },
  advantage_mean: { type: "float64", unit: "", about: "mean advantage" },
  advantage_std: { type: "float64", unit: "", about: "standard deviation of the advantage" },
  entropy: { type: "float64", unit: "nats per token", about: "mean entropy of the policy at temperature 1" },
  kl: { type: "float64", unit: "nats per token", about: "estimated KL to the reference policy" },
  clip_fraction: { type: "float64", unit: "fraction of ratios", about: "ratios clipped: of tokens, or of completions" },
  ratio_mean: { type: "float64", unit: "", about: "mean importance ratio over completion tokens" },
  completion_length: { type: "float64", unit: "tokens", about: "mean completion length" },
  completion_length_min: { type: "float64", unit: "tokens", about: "shortest completion" },
  completion_length_max: { type: "float64", unit: "tokens", about: "longest completion" },
  terminated_length: { type: "float64", unit: "tokens", about: "mean length of completions that ended by themselves" },
  truncated_fraction: { type: "float64", unit: "fraction of completions", about: "completions that reached the cap" },
  unique_fraction: {
    type: "float64",
    unit: "fraction of a group",
    about: "distinct completions per group over group size",
  },
  loss_tokens: { type: "float64", unit: "tokens", about: "completion tokens that count in the loss" },
  grad_norm: { type: "float64", unit: "", about: "global L2 norm of the gradient before clipping" },
  learning_rate: { type: "float64", unit: "", about: "learning rate of the last update" },
  update_size: {
    type: "float64",
    unit: "",
    about: "norm of the weight change over learning rate and root of the parameter count",
  },
  relative_update: { type: "float64", unit: "", about: "norm of the weight change over the norm of the weights" },
  expected_loss: { type: "float64", unit: "nats per token", about: "closed form of the loss at ratio 1" },
  sampler_logprob_gap: { type: "float64", unit: "nats", about: "largest |old_logprobs - sampler_logprobs|" },
  non_finite: { type: "int32", unit: "values", about: "non-finite values in loss, gradients and weights" },
  tokens_per_second: {
    type: "float64",
    unit: "tokens per second",
    about: "completion tokens over the train step's time",
  },
  // What imported logs print besides: a run of ours may leave any of these out.
  reward_min: { type: "float64", unit: "", about: "smallest reward" },
  reward_max: { type: "float64", unit: "", about: "largest reward" },
  reward_after_kl: { type: "float64", unit: "", about: "mean reward after the KL penalty was taken off" },
  advantage_min: { type: "float64", unit: "", about: "smallest advantage" },
  advantage_max: { type: "float64", unit: "", about: "largest advantage" },
  return_mean: {
    type: "float64",
    unit: "",
    about: "mean return, or the sum over tokens of rewards after the KL penalty",
  },
  policy_loss: { type: "float64", unit: "nats per token", about: "policy-gradient part of the loss" },
  value_loss: { type: "float64", unit: "", about: "loss of the critic" },
  value_mean: { type: "float64", unit: "", about: "mean value the critic predicts" },
  critic_grad_norm: { type: "float64", unit: "", about: "global L2 norm of the critic's gradient before clipping" },
  critic_learning_rate: { type: "float64", unit: "", about: "learning rate of the critic" },
  total_loss: { type: "float64", unit: "", about: "policy, value and auxiliary losses together" },
  kl_sequence: { type: "float64", unit: "nats per completion", about: "KL to the reference summed over a completion" },
  kl_max: { type: "float64", unit: "nats per token", about: "largest estimated KL to the reference" },
  kl_coef: { type: "float64", unit: "", about: "weight of the KL term (adaptive in some systems)" },
  approx_kl: { type: "float64", unit: "nats per token", about: "mean of old_logprobs - logprobs" },
  clip_fraction_low: {
    type: "float64",
    unit: "fraction of completion tokens",
    about: "tokens clipped at the lower end",
  },
  clip_fraction_high: {
    type: "float64",
    unit: "fraction of completion tokens",
    about: "tokens clipped at the upper end",
  },
  terminated_length_min: { type: "float64", unit: "tokens", about: "shortest completion that ended by itself" },
  terminated_length_max: { type: "float64", unit: "tokens", about: "longest completion that ended by itself" },
  prompt_length: { type: "float64", unit: "tokens", about: "mean prompt length" },
  prompt_length_max: { type: "float64", unit: "tokens", about: "longest prompt" },
  prompt_truncated_fraction: { type: "float64", unit: "fraction of prompts", about: "prompts at the length limit" },
  sampler_logprob_gap_mean: { type: "float64", unit: "nats", about: "mean |old_logprobs - sampler_logprobs|" },
  sampler_probability_gap: {
    type: "float64",
    unit: "probability",
    about: "mean |p_old - p_sampler| per token (not a difference of logarithms)",
  },
  sampler_probability_gap_max: {
    type: "float64",
    unit: "probability",
    about: "largest |p_old - p_sampler| per token",
  },
  sampler_probability_correlation: { type: "float64", unit: "", about: "Pearson correlation of p_old and p_sampler" },
  sampler_kl: { type: "float64", unit: "nats per token", about: "mean of sampler_logprobs - old_logprobs" },
  sampler_ratio_mean: { type: "float64", unit: "", about: "mean importance ratio of trainer over sampler" },
  sampler_ratio_min: { type: "float64", unit: "", about: "smallest importance ratio of trainer over sampler" },
  sampler_ratio_max: { type: "float64", unit: "", about: "largest importance ratio of trainer over sampler" },
  sampler_ratio_std: { type: "float64", unit: "", about: "standard deviation of that importance ratio" },
  effective_sample_fraction: {
    type: "float64",
    unit: "fraction of tokens",
    about: "effective sample size over tokens",
  },
  sampler_lag: { type: "float64", unit: "train steps", about: "age of the policy that sampled" },
  chosen_reward: { type: "float64", unit: "", about: "kl_coef times log-ratio of chosen (desirable) completions" },
  rejected_reward: {
    type: "float64",
    unit: "",
    about: "kl_coef times log-ratio of rejected (undesirable) completions",
  },
  reward_margin: { type: "float64", unit: "", about: "chosen_reward - rejected_reward" },
  preference_accuracy: { type: "float64", unit: "fraction of pairs", about: "pairs whose margin is positive" },
  chosen_logprob: { type: "float64", unit: "nats per completion", about: "summed log p of chosen completions" },
  rejected_logprob: { type: "float64", unit: "nats per completion", about: "summed log p of rejected completions" },
  chosen_logits: { type: "float64", unit: "", about: "mean logit on chosen completions" },
  rejected_logits: { type: "float64", unit: "", about: "mean logit on rejected completions" },
  token_accuracy: {
    type: "float64",
    unit: "fraction of tokens",
    about: "tokens whose most likely prediction is right",
  },
  loss_scale: { type: "float64", unit: "", about: "scale of the fp16 loss scaler" },
  filtered_fraction: { type: "float64", unit: "fraction of groups", about: "groups that dynamic sampling let pass" },
  turns: { type: "float64", unit: "turns", about: "mean number of turns of a conversation" },
  tool_failure_fraction: { type: "float64", unit: "fraction of calls", about: "tool calls that failed" },
  process_memory: { type: "float64", unit: "bytes", about: "memory the system reports" },
  epoch: { type: "float64", unit: "passes", about: "passes over the data so far" },
  num_tokens: { type: "float64", unit: "tokens", about: "tokens seen so far, prompts included" },
  step_ms: { type: "float64", unit: "ms", about: "wall time of the train step" },
  sample_ms: { type: "float64", unit: "ms", about: "wall time of sampling" },
  score_ms: { type: "float64", unit: "ms", about: "wall time of rewards and advantages" },
  update_ms: { type: "float64", unit: "ms", about: "wall time of the updates" },
} as const satisfies Record<string, Column>;

const UPDATES = {
  train_step: TRAIN_STEP,
  update: { type: "int32", unit: "updates", about: "optimizer application inside the train step, from 1" },
  loss: { type: "float64", unit: "nats per token", about: "loss before the update" },
  grad_norm: { type: "float64", unit: "", about: "global L2 norm of the gradient before clipping" },
  clip_fraction: { type: "float64", unit: "fraction of ratios", about: "ratios clipped: of tokens, or of completions" },
  ratio_mean: { type: "float64", unit: "", about: "mean importance ratio over completion tokens" },
  kl: { type: "float64", unit: "nats per token", about: "estimated KL to the reference policy" },
  entropy: { type: "float64", unit: "nats per token", about: "mean entropy of the policy at temperature 1" },
  learning_rate: { type: "float64", unit: "", about: "learning rate of this update" },
  update_size: {
    type: "float64",
    unit: "",
    about: "norm of the weight change over learning rate and root of the parameter count",
  },
  relative_update: { type: "float64", unit: "", about: "norm of the weight change over the norm of the weights" },
  applied: { type: "bool", unit: "", about: "false when a non-finite loss or gradient left the weights as they were" },
} as const satisfies Record<string, Column>;

const GRADIENTS = {
  train_step: TRAIN_STEP,
  parameter: { type: "category", unit: "", about: "name of the parameter tensor" },
  grad_norm: { type: "float64", unit: "", about: "L2 norm of its gradient" },
  update_norm: { type: "float64", unit: "", about: "L2 norm of its change" },
  parameter_norm: { type: "float64", unit: "", about: "L2 norm of the tensor" },
  non_finite: { type: "int32", unit: "values", about: "non-finite values in gradient and tensor" },
} as const satisfies Record<string, Column>;

const EVALUATIONS = {
  train_step: TRAIN_STEP,
  step_id: { type: "category", unit: "", about: "the evaluate step that wrote the row" },
  mode: { type: "category", unit: "", about: "sampled (temperature 1) or greedy" },
  prompt_id: { type: "int32", unit: "", about: "the prompt" },
  prompt: { type: "utf8", unit: "", about: "the prompt's text" },
  answer: { type: "utf8", unit: "", about: "the prompt's ground truth" },
  text: { type: "utf8", unit: "", about: "the completion" },
  correct: { type: "bool", unit: "", about: "the task's verifier accepts the completion" },
  truncated: { type: "bool", unit: "", about: "reached max_new_tokens without an end of sequence" },
} as const satisfies Record<string, Column>;

const OBSERVATIONS = {
  source: { type: "category", unit: "", about: "the file, as the user named it" },
  line: { type: "int32", unit: "", about: "line in the file, from 1 (record number where there are no lines)" },
  name: { type: "category", unit: "", about: "the metric's name as printed" },
  column: { type: "category", unit: "", about: "the column of metrics it maps to, or null" },
  train_step: TRAIN_STEP,
  value: { type: "float64", unit: "", about: "the value; NaN is a printed NaN, null a printed None" },
  decimals: { type: "int32", unit: "digits", about: "decimals printed, or null for full precision" },
  rank: { type: "int32", unit: "", about: "process rank, or null" },
} as const satisfies Record<string, Column>;

const SETTINGS = {
  name: { type: "category", unit: "", about: "the option as written" },
  option: { type: "category", unit: "", about: "our name of it (data/options.ts), or null" },
  value: { type: "json", unit: "", about: "its value" },
  written_type: { type: "category", unit: "", about: "type as written: number, string, boolean, null, list" },
  system: { type: "category", unit: "", about: "whose option it is" },
  source: { type: "category", unit: "", about: "the file, as the user named it" },
  line: { type: "int32", unit: "", about: "line in the file, from 1" },
  column: { type: "int32", unit: "", about: "column in the line, from 1" },
} as const satisfies Record<string, Column>;

const MESSAGES = {
  kind: { type: "category", unit: "", about: "what was recognised: trainable_parameters, overflow, exception, …" },
  text: { type: "utf8", unit: "", about: "the line" },
  value: { type: "float64", unit: "", about: "the number in it, or null" },
  train_step: TRAIN_STEP,
  source: { type: "category", unit: "", about: "the file, as the user named it" },
  line: { type: "int32", unit: "", about: "line in the file, from 1" },
  count: { type: "int32", unit: "lines", about: "lines of this kind; only the first ones are rows" },
} as const satisfies Record<string, Column>;

const FINDINGS = {
  train_step: TRAIN_STEP,
  cause: { type: "category", unit: "", about: "name of the cause" },
  codes: { type: "list<utf8>", unit: "", about: "catalogue codes that decided it" },
  severity: { type: "category", unit: "", about: "fatal, error, warning or info" },
  train_steps: { type: "list<int32>", unit: "train steps", about: "where it holds" },
  message: { type: "utf8", unit: "", about: "what was found" },
  hint: { type: "utf8", unit: "", about: "what to do" },
  evidence: { type: "json", unit: "", about: "the rows that prove it" },
  remedy: { type: "json", unit: "", about: "the change as a patch" },
  ruled_out: { type: "json", unit: "", about: "look-alikes excluded, each with its reason" },
} as const satisfies Record<string, Column>;

/** Every table of a run and its columns. */
export const TABLES = {
  prompts: PROMPTS,
  completions: COMPLETIONS,
  metrics: METRICS,
  updates: UPDATES,
  gradients: GRADIENTS,
  evaluations: EVALUATIONS,
  observations: OBSERVATIONS,
  settings: SETTINGS,
  messages: MESSAGES,
  findings: FINDINGS,
} as const satisfies Record<string, Record<string, Column>>;

export type TableName = keyof typeof TABLES;

/** The names of the metrics that a train step can have. */
export type MetricName = keyof typeof METRICS;
