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

const column =
  <Type extends ColumnType>(type: Type) => (unit: string, about: string): Column & { readonly type: Type } => ({
    type,
    unit,
    about,
  });

const int32 = column("int32"), float32 = column("float32"), float64 = column("float64"), bool = column("bool");
const utf8 = column("utf8"), category = column("category"), json = column("json");
const int32List = column("list<int32>"), float32List = column("list<float32>"), utf8List = column("list<utf8>");

// What means the same wherever it stands.
const TRAIN_STEP = int32("train steps", "progress over the whole run, from 1");
const ANSWER = utf8("", "the prompt's ground truth");
const PROMPT = utf8("", "the prompt's text");
const CORRECT = bool("", "the task's verifier accepts the completion");
const TRUNCATED = bool("", "reached max_new_tokens without an end of sequence");
const SOURCE = category("", "the file, as the user named it");
const LINE = int32("", "line in the file, from 1");

const PROMPTS = {
  prompt_id: int32("", "number of the prompt in its table, from 0"),
  prompt: utf8("", "what is asked, as text before any chat template"),
  answer: utf8("", "the ground truth the verifier compares with"),
  split: category("", "train, validation or held_out; decided by a hash of the content"),
  difficulty: float32("0 to 1", "the task's own estimate of how hard the prompt is"),
};

const COMPLETIONS = {
  train_step: TRAIN_STEP,
  prompt_id: int32("", "the prompt this completion answers"),
  sample: int32("", "number within its group, from 0"),
  prompt: PROMPT,
  answer: ANSWER,
  text: utf8("", "the completion, decoded without special tokens"),
  truncated: TRUNCATED,
  completion_tokens: int32("tokens", "length of the completion, its end of sequence included"),
  reward: float32("", "weighted sum of the reward functions, before any normalisation"),
  advantage: float32("", "what multiplies the log-ratio; of one per token the mean over those that count"),
  advantages: float32List("", "what multiplies the log-ratio of each token, where tokens of a completion differ"),
  values: float32List("", "return that the critic expects at each token"),
  returns: float32List("", "what is to come after each token: what a critic shall learn"),
  correct: CORRECT,
  entropy: float32("nats per token", "mean entropy of the policy at temperature 1, before the updates"),
  token_ids: int32List("", "the completion's tokens, its end of sequence included"),
  completion_mask: float32List("", "1 on completion tokens that count in the loss"),
  old_logprobs: float32List("nats", "log p of the policy that sampled, at its temperature"),
  ref_logprobs: float32List("nats", "log p of the reference, at the sampling temperature"),
  sampler_logprobs: float32List("nats", "log p per token as the sampler reported it"),
  log_sum_squares: float32List("nats", "log of the sum over the vocabulary of p², per token, as old_logprobs"),
  greedy_text: utf8("", "the prompt's greedy completion: scored beside the others, not trained on"),
  greedy_tokens: int32("tokens", "length of the greedy completion, its end of sequence included"),
  greedy_truncated: bool("", "the greedy completion reached max_new_tokens"),
  greedy_reward: float32("", "reward of the greedy completion"),
  replayed_from: int32("train steps", "the train step that sampled it, where that is an earlier one"),
};

const PREFERENCES = {
  preference_id: int32("", "number of the row in its table, from 0"),
  prompt: PROMPT,
  split: PROMPTS.split,
  chosen: utf8("", "the completion that is preferred; a list of messages as JSON"),
  rejected: utf8("", "the completion that the other is preferred to"),
  completion: utf8("", "a completion that is desirable or not"),
  label: bool("", "whether it is desirable"),
  line: int32("", "line of the file that holds it, from 1 (number of the row where there are no lines)"),
  chosen_ref_logprobs: float32List("nats", "log p per token of the chosen completion under the reference"),
  rejected_ref_logprobs: float32List("nats", "log p per token of the rejected completion under the reference"),
  ref_logprobs: float32List("nats", "log p per token of the completion under the reference"),
  mismatched_ref_logprobs: float32List(
    "nats",
    "log p under the reference of the completion of the row above in its batch, after this row's prompt",
  ),
};

/** Completions that wait within a train step until enough groups have passed: between train steps it has no rows. */
const KEPT = { ...COMPLETIONS, generation_batch: int32("", "the sampling after which they were set aside, from 1") };

const GROUPS = {
  train_step: TRAIN_STEP,
  prompt_id: int32("", "the prompt of the group"),
  generation_batch: int32("", "number of the sampling within its train step, from 1"),
  completions: int32("completions", "completions of the group"),
  reward: float64("", "mean reward of the group"),
  reward_std: float64("", "standard deviation of the reward within the group, null for fewer than two"),
  reward_spread: float64("", "largest minus smallest reward of the group"),
  pass_rate: float64("fraction of completions", "completions the verifier accepts, null without a verifier"),
  passed: bool("", "the filter let the group pass"),
};

const METRICS = {
  train_step: TRAIN_STEP,
  phase: category("", "sft, rollout, preference or reward_model"),
  step_id: category("", "the workflow step that wrote the row"),
  loss: float64("nats per token", "mean loss over the train step's updates"),
  reward: float64("", "mean reward over the completions"),
  reward_std: float64("", "standard deviation of the reward over the whole batch"),
  group_reward_std: float64("", "mean over groups of the reward's standard deviation"),
  zero_spread_fraction: float64("fraction of groups", "of two rewards or more, all equal"),
  accuracy: float64("fraction of completions", "completions the verifier accepts"),
  format: float64("", "mean of the format reward"),
  advantage_mean: float64("", "mean advantage"),
  advantage_std: float64("", "standard deviation of the advantage"),
  entropy: float64("nats per token", "mean entropy of the policy at temperature 1, before the updates"),
  kl: float64("nats per token", "estimated KL to the reference policy; of KTO its batch's, nats per completion"),
  clip_fraction: float64("fraction of ratios", "ratios clipped: of tokens, or of completions"),
  ratio_mean: float64("", "mean importance ratio over completion tokens"),
  completion_length: float64("tokens", "mean completion length"),
  completion_length_min: float64("tokens", "shortest completion"),
  completion_length_max: float64("tokens", "longest completion"),
  terminated_length: float64("tokens", "mean length of completions that ended by themselves"),
  truncated_fraction: float64("fraction of completions", "completions that reached the cap"),
  unique_fraction: float64("fraction of a group", "distinct completions per group over group size"),
  loss_tokens: float64("tokens", "completion tokens that count in the loss"),
  grad_norm: float64("", "global L2 norm of the gradient before clipping"),
  learning_rate: float64("", "learning rate of the last update"),
  update_size: float64(
    "",
    "norm of the weight change over learning rate and root of the parameter count; none under SGD",
  ),
  relative_update: float64("", "norm of the weight change over the norm of the weights"),
  expected_loss: float64("nats per token", "closed form of the loss at ratio 1"),
  sampler_logprob_gap: float64("nats", "largest |old_logprobs - sampler_logprobs|"),
  non_finite: int32("values", "non-finite values in loss, gradients and weights"),
  tokens_per_second: float64("tokens per second", "completion tokens over the train step's time"),
  // What imported logs print besides: a run of ours may leave any of these out.
  reward_min: float64("", "smallest reward"),
  reward_max: float64("", "largest reward"),
  reward_after_kl: float64("", "mean reward after the KL penalty was taken off"),
  advantage_min: float64("", "smallest advantage"),
  advantage_max: float64("", "largest advantage"),
  return_mean: float64("", "mean return, or the sum over tokens of rewards after the KL penalty"),
  policy_loss: float64("nats per token", "policy-gradient part of the loss"),
  value_loss: float64("", "loss of the critic"),
  value_mean: float64("", "mean value the critic predicts"),
  critic_grad_norm: float64("", "global L2 norm of the critic's gradient before clipping"),
  critic_learning_rate: float64("", "learning rate of the critic"),
  value_clip_fraction: float64("fraction of completion tokens", "values whose bounded error was the larger one"),
  value_explained_variance: float64("fraction of variance", "share of the returns' variance that the values foretold"),
  return_std: float64("", "standard deviation of the returns over the tokens that count"),
  critic_non_finite: int32("updates", "updates of the critic that were not applied"),
  total_loss: float64("", "policy, value and auxiliary losses together"),
  kl_sequence: float64("nats per completion", "KL to the reference summed over a completion"),
  kl_max: float64("nats per token", "largest estimated KL to the reference"),
  kl_coef: float64("", "weight of the KL in the loss, in the updates of this train step"),
  reward_kl_coef: float64("", "weight of the KL in the reward, in this train step"),
  reward_kl: float64("nats per token", "KL that the reward pays for: mean over completions of their mean per token"),
  completions: int32("completions", "completions that the train step was made of"),
  entropy_coef: float64("", "weight of the entropy bonus, before it is known whether the update uses it"),
  approx_kl: float64("nats per token", "mean of old_logprobs - logprobs"),
  approx_kl_abs: float64("nats per token", "mean |old_logprobs - logprobs| (objective kl_cov)"),
  clip_fraction_low: float64("fraction of ratios", "ratios clipped at the lower end, or with a negative advantage"),
  clip_fraction_high: float64("fraction of ratios", "ratios clipped at the upper end, or with a positive advantage"),
  clip_fraction_low_min: float64("fraction of a completion's ratios", "smallest share clipped at the lower end"),
  clip_fraction_high_max: float64("fraction of a completion's ratios", "largest share clipped at the upper end"),
  dual_clip_fraction: float64("fraction of ratios", "ratios of negative advantages that ratio_cap bounded"),
  phi_mean: float64("", "mean weight of a completion (objective vespo)"),
  terminated_length_min: float64("tokens", "shortest completion that ended by itself"),
  terminated_length_max: float64("tokens", "longest completion that ended by itself"),
  prompt_length: float64("tokens", "mean prompt length"),
  prompt_length_max: float64("tokens", "longest prompt"),
  prompt_truncated_fraction: float64("fraction of prompts", "prompts at the length limit"),
  sampler_logprob_gap_mean: float64("nats", "mean |old_logprobs - sampler_logprobs|"),
  sampler_probability_gap: float64(
    "probability",
    "mean |p_old - p_sampler| per token (not a difference of logarithms)",
  ),
  sampler_probability_gap_max: float64("probability", "largest |p_old - p_sampler| per token"),
  sampler_probability_correlation: float64("", "Pearson correlation of p_old and p_sampler"),
  sampler_kl: float64("nats per token", "mean of sampler_logprobs - old_logprobs"),
  sampler_k3_kl: float64("nats per token", "the same divergence by the estimator k3, which is never below 0"),
  sampler_chi2: float64("", "mean of the squared ratio of trainer over sampler, minus 1"),
  sampler_ratio_mean: float64("", "mean importance ratio of trainer over sampler"),
  sampler_ratio_min: float64("", "smallest importance ratio of trainer over sampler"),
  sampler_ratio_max: float64("", "largest importance ratio of trainer over sampler"),
  sampler_ratio_std: float64("", "standard deviation of that importance ratio"),
  sampler_outside_fraction: float64("fraction of ratios", "ratios of trainer over sampler outside the bounds"),
  effective_sample_fraction: float64("fraction of tokens", "effective sample size over tokens"),
  rejected_fraction: float64("fraction of tokens", "tokens left out because sampler and trainer disagree"),
  rejected_completion_fraction: float64("fraction of completions", "completions that lost a token to that"),
  sampler_lag: float64("train steps", "age of the policy that sampled"),
  chosen_reward: float64("", "kl_coef times log-ratio of chosen (desirable) completions"),
  rejected_reward: float64("", "kl_coef times log-ratio of rejected (undesirable) completions"),
  reward_margin: float64("", "chosen_reward - rejected_reward"),
  preference_accuracy: float64("fraction of pairs", "pairs whose margin is positive"),
  chosen_logprob: float64("nats per completion", "summed log p of chosen completions"),
  rejected_logprob: float64("nats per completion", "summed log p of rejected completions"),
  chosen_logits: float64("", "mean logit on chosen completions"),
  rejected_logits: float64("", "mean logit on rejected completions"),
  validation_accuracy: float64(
    "fraction of pairs",
    "pairs of the split validation whose margin is positive; of completions, those on their side of 0",
  ),
  validation_margin: float64("", "reward_margin on the split validation"),
  token_accuracy: float64("fraction of tokens", "tokens whose most likely prediction is right"),
  loss_scale: float64("", "scale of the fp16 loss scaler"),
  filtered_fraction: float64("fraction of groups", "groups that dynamic sampling let pass"),
  generation_batches: float64("batches", "samplings of the train step until enough groups passed"),
  replayed_fraction: float64("fraction of completions", "completions of an earlier train step"),
  turns: float64("turns", "mean number of turns of a conversation"),
  tool_failure_fraction: float64("fraction of calls", "tool calls that failed"),
  process_memory: float64("bytes", "memory the system reports"),
  epoch: float64("passes", "passes over the data so far"),
  num_tokens: float64("tokens", "tokens seen so far, prompts included"),
  step_ms: float64("ms", "wall time of the train step"),
  sample_ms: float64("ms", "wall time of sampling"),
  score_ms: float64("ms", "wall time of rewards and advantages"),
  update_ms: float64("ms", "wall time of the updates"),
};

const UPDATES = {
  train_step: TRAIN_STEP,
  update: int32("updates", "optimizer application inside the train step, from 1"),
  loss: float64("nats per token", "loss before the update"),
  grad_norm: METRICS.grad_norm,
  clip_fraction: METRICS.clip_fraction,
  clip_fraction_low: METRICS.clip_fraction_low,
  clip_fraction_high: METRICS.clip_fraction_high,
  clip_fraction_low_min: METRICS.clip_fraction_low_min,
  clip_fraction_high_max: METRICS.clip_fraction_high_max,
  dual_clip_fraction: METRICS.dual_clip_fraction,
  phi_mean: METRICS.phi_mean,
  ratio_mean: METRICS.ratio_mean,
  ratio_histogram: float32List(
    "fraction of tokens",
    "importance ratios in 41 bins of their logarithm, 0.05 wide around 0, the outer ones with what is beyond",
  ),
  kl: METRICS.kl,
  approx_kl: METRICS.approx_kl,
  approx_kl_abs: METRICS.approx_kl_abs,
  policy_loss: METRICS.policy_loss,
  entropy: float64("nats per token", "mean entropy of the policy at the rollout's temperature, before this update"),
  entropy_coef: METRICS.entropy_coef,
  learning_rate: float64("", "learning rate of this update"),
  update_size: METRICS.update_size,
  relative_update: METRICS.relative_update,
  applied: bool("", "false when a non-finite loss or gradient left the weights as they were"),
};

const GRADIENTS = {
  train_step: TRAIN_STEP,
  parameter: category("", "name of the parameter tensor"),
  grad_norm: float64("", "L2 norm of its gradient"),
  update_norm: float64("", "L2 norm of its change"),
  parameter_norm: float64("", "L2 norm of the tensor"),
  non_finite: int32("values", "non-finite values in gradient and tensor"),
};

const EVALUATIONS = {
  train_step: TRAIN_STEP,
  step_id: category("", "the evaluate step that wrote the row"),
  mode: category("", "sampled (temperature 1) or greedy"),
  prompt_id: int32("", "the prompt"),
  prompt: PROMPT,
  answer: ANSWER,
  text: utf8("", "the completion"),
  reward: float32("", "weighted sum of the reward functions that the step names"),
  correct: CORRECT,
  truncated: TRUNCATED,
};

const OBSERVATIONS = {
  source: SOURCE,
  line: int32("", "line in the file, from 1 (record number where there are no lines)"),
  name: category("", "the metric's name as printed"),
  column: category("", "the column of metrics it maps to, or null"),
  train_step: TRAIN_STEP,
  value: float64("", "the value; NaN is a printed NaN, null a printed None"),
  decimals: int32("digits", "decimals printed, or null for full precision"),
  rank: int32("", "process rank, or null"),
};

const SETTINGS = {
  name: category("", "the option as written"),
  option: category("", "our name of it (data/options.ts), or null"),
  value: json("", "its value"),
  written_type: category("", "type as written: number, string, boolean, null, list, or expression of a program"),
  system: category("", "whose option it is"),
  source: SOURCE,
  line: LINE,
  column: int32("", "column in the line, from 1"),
};

const MESSAGES = {
  kind: category("", "what was recognised: trainable_parameters, overflow, exception, …"),
  text: utf8("", "the line"),
  value: float64("", "the number in it, or null"),
  train_step: TRAIN_STEP,
  source: SOURCE,
  line: LINE,
  count: int32("lines", "lines of this kind; only the first ones are rows"),
};

const CLAIMS = {
  subject: category("", "what a person speaks of: loss, reward, completions, …"),
  predicate: category("", "what they say of it: zero, not_finite, constant, garbled, …"),
  value: float64("", "the number in it, or null"),
  from: float64("train steps", "first train step of which it is said, or null"),
  to: float64("train steps", "last one, or null"),
  throughout: bool("", "it is said of the whole run"),
  by: category("", "who says it: author, quoted, other"),
  elsewhere: bool("", "it is said of another run, setting or time"),
  text: utf8("", "the clause"),
  source: SOURCE,
  line: LINE,
};

const FINDINGS = {
  train_step: TRAIN_STEP,
  cause: category("", "name of the cause"),
  codes: utf8List("", "catalogue codes that decided it"),
  severity: category("", "fatal, error, warning or info"),
  train_steps: int32List("train steps", "where it holds"),
  message: utf8("", "what was found"),
  hint: utf8("", "what to do"),
  evidence: json("", "the rows that prove it"),
  remedy: json("", "the change as a patch"),
  ruled_out: json("", "look-alikes excluded, each with its reason"),
};

/** Every table of a run and its columns. */
export const TABLES = {
  prompts: PROMPTS,
  completions: COMPLETIONS,
  preferences: PREFERENCES,
  groups: GROUPS,
  kept: KEPT,
  metrics: METRICS,
  updates: UPDATES,
  gradients: GRADIENTS,
  evaluations: EVALUATIONS,
  observations: OBSERVATIONS,
  settings: SETTINGS,
  messages: MESSAGES,
  claims: CLAIMS,
  findings: FINDINGS,
} as const satisfies Record<string, Record<string, Column>>;

export type TableName = keyof typeof TABLES;

/** The names of the metrics that a train step can have. */
export type MetricName = keyof typeof METRICS;
