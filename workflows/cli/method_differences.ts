/** What TRL, verl, OpenRLHF and Visual-RFT compute differently under one name: the last table of docs/methods.md. @module */

interface MethodDifference {
  readonly name: string;
  /** What each system does. */
  readonly systems: string;
  /** Which option here means which, or what is done instead. */
  readonly ours: string;
}

export const METHOD_DIFFERENCES: readonly MethodDifference[] = [
  {
    name: "CISPO",
    systems:
      "TRL caps the ratio at `epsilon_high` itself (0.2 by default, so that every weight is at most 0.2) and has no " +
      "lower bound; verl clips it to [1 - low, 1 + high]",
    ours: "`preset: trl/cispo` and `preset: verl/cispo`; set bounds yourself only with one of them in mind",
  },
  {
    name: "`grpo` as a loss",
    systems: "TRL: mean over completions of the mean over their tokens; verl's `vanilla` is a mean over all tokens",
    ours: "`aggregation: sequence_mean` and `aggregation: token_mean`",
  },
  {
    name: "`dr_grpo`",
    systems: "TRL: a constant divisor, completions times `max_completion_length`, with the deviation kept unless " +
      "`scale_rewards=none`; OpenRLHF: only the deviation is dropped; verl: `norm_adv_by_std_in_grpo=false` with " +
      "`seq-mean-token-sum-norm`",
    ours: "`aggregation: sequence_sum_norm` is the divisor, `estimator: dr_grpo` of `compute_advantages` the missing " +
      "deviation; neither brings the other",
  },
  {
    name: "`dapo`, `cispo`, `vespo` in TRL",
    systems: "divide by the tokens of the whole rollout, other losses by those of the update",
    ours: "`aggregation: rollout_token_mean`; its sum over the updates of a rollout is the mean over the rollout",
  },
  {
    name: "completions without a counted token",
    systems: "count in TRL's mean over completions; verl (geo_mean apart) and OpenRLHF leave them out",
    ours: "as in TRL; `verl/…` and `openrlhf/…` presets leave them out",
  },
  {
    name: "ratio of a sequence",
    systems:
      "GSPO in TRL, verl and OpenRLHF: exp of the mean over tokens; TRL's RLOO: exp of the sum. verl keeps a gradient per " +
      "token, which differs where advantages vary within a completion",
    ours: "`ratio_level: sequence`, `sequence_sum`, and `sequence_token` for verl's gradient",
  },
  {
    name: "bound of the log-ratio",
    systems:
      "verl ±20 before exp (not in gspo, geo_mean, clip_cov, kl_cov, dro), OpenRLHF ±20 in ppo; TRL none: a log-ratio of 60 " +
      "gives 1e26",
    ours: "`log_ratio_bound`; none by default, 20 in the presets of verl and OpenRLHF",
  },
  {
    name: "deviation of a group",
    systems: "all divide by n - 1; added to it: TRL 1e-4, verl 1e-6, OpenRLHF 1e-9, Visual-RFT 1e-4",
    ours: "`eps`, 1e-4 unless a preset says otherwise",
  },
  {
    name: "whitening of a batch",
    systems:
      "verl: n - 1, 1e-8 inside the root, so that equal returns give 1.1e-5; OpenRLHF: n, variance at least 1e-8",
    ours: "`variance: unbiased` and `biased` of the estimators that whiten; presets choose",
  },
  {
    name: "a group of one",
    systems:
      "TRL refuses it (0 in evaluation); verl: the reward itself in grpo, rloo and opo, an error in grpo_passk; OpenRLHF: " +
      "NaN in group_norm and rloo, 0 in reinforce_baseline",
    ours: "`group_of_one: refuse`, before the run; `zero`, `reward` as in TRL and verl, which the presets choose",
  },
  {
    name: "equal rewards in a group",
    systems: "rounding noise over eps in all systems, some 1e-12",
    ours: "exactly 0",
  },
  {
    name: "a reward that is NaN or infinite",
    systems:
      "TRL maps NaN to 0 and infinities to ±1.8e308, which scale_rewards=none hands to the loss; verl and OpenRLHF compute on " +
      "with it (OpenRLHF after clipping to ±10)",
    ours: "a named error of `score_rewards` or `compute_advantages`; `reward_clip` clips finite ones only",
  },
  {
    name: "`k3`",
    systems:
      "TRL: not bounded; verl: difference within ±20, result within ±10, gradient 0 beyond; OpenRLHF: the result of k1 and k2 " +
      "within ±10 too",
    ours: "not bounded; `kl_difference_bound`, `kl_bound`, which the presets of verl and OpenRLHF set",
  },
  {
    name: "`k3+` and its like",
    systems: "verl only: the value of k3 with the gradient of k2, never bounded",
    ours: "`kl_estimator: k3+`; k1 alone as a loss has a gradient of mean 0 and teaches nothing",
  },
  {
    name: "KL and the ratio",
    systems:
      "TRL 1.16 multiplies the KL by the ratio, with gradient, by default (`use_bias_correction_kl`); older versions, verl " +
      "and OpenRLHF do not",
    ours: "`kl_times_ratio: true`; false by default",
  },
  {
    name: "order of the terms",
    systems:
      "TRL adds the KL after the entropy mask, the off-policy mask and the sampler's weight: these do not touch it",
    ours: "the same order",
  },
  {
    name: "sampler and trainer",
    systems:
      "TRL: `…_truncate` clamps on both sides, `…_mask` zeroes outside; verl: a number is an upper bound, `lo_hi` zeroes " +
      "outside; OpenRLHF: tis clamps both sides, seq-mask-tis filters by the sequence's mean",
    ours: "`sampler_bounds`, `sampler_outside: truncate` or `mask`, `sampler_weights: token` or `sequence`",
  },
  {
    name: "`clip_ratio`, `clip_fraction`",
    systems:
      "TRL counts ratios outside by the sign of A, per completion at sequence level; verl and OpenRLHF count tokens whose " +
      "bounded term is the worse one; TRL's `completions/clipped_ratio` is about truncation",
    ours: "`clip_fraction` of `updates` counts as TRL does; truncation is `truncated_fraction`",
  },
  {
    name: "verl's `clip_ratio`",
    systems: "does nothing while `clip_ratio_low` and `clip_ratio_high` are set, and they are by default",
    ours: "`clip_low` and `clip_high` only",
  },
  {
    name: "IPO",
    systems: "TRL: log-ratios per token; OpenRLHF: sums",
    ours: "`dpo_loss: ipo` is TRL's; the entry for sums stands beside it under Losses of pairs",
  },
  {
    name: "`label_smoothing`",
    systems: "ignored by TRL's `sigmoid`, read by OpenRLHF's DPO",
    ours: "read by the losses that say so; refused where it would be ignored",
  },
  {
    name: "KL of KTO",
    systems:
      "TRL and OpenRLHF's KTOLoss: mismatched pairs, no gradient, at least 0; OpenRLHF's `vanilla_loss`: the mean of the " +
      "batch's other class, with gradient, which ends in NaN",
    ours: "`loss: kto`; `kto_vanilla` is there to be recognised",
  },
  {
    name: "a NaN on padding",
    systems: "TRL and OpenRLHF: a NaN loss; verl's value survives in token-mean, its gradient only in vanilla and gpg",
    ours:
      "a loss that is not finite changes no weight, and its place is named; the KL to the reference looks at counted tokens only",
  },
  {
    name: "all completions masked",
    systems: "TRL: loss 0; verl and OpenRLHF: NaN, token-sum and geo_mean of verl 0",
    ours: "the step refuses the batch or says so in a finding: never a silent 0",
  },
  {
    name: "OpenRLHF's rewards",
    systems: "clipped to ±10 after shaping; gamma is 1 whatever is set, except in reinforce and gae",
    ours: "`shaped_clip: [-10, 10]`, which the presets `openrlhf/…` choose; `gamma` of the estimators that read it",
  },
  {
    name: "Visual-RFT's detection and grounding",
    systems:
      "a first box with the same y1 as the true one earns 1 for IoU and confidence whatever the rest is (Math-Verify compares " +
      "one number); reversed corners and two boxes are misread",
    ours: "the rewards `visual/NAME` do not; `compat: true` reproduces it; docs/visual_rewards.md has each case",
  },
  {
    name: "dynamic sampling",
    systems:
      "verl keeps groups whose `metric` has spread, samples further generation batches until the train batch is full, drops " +
      "what is over, and raises after `max_num_gen_batches` (0 = never); OpenRLHF keeps groups whose mean score lies " +
      "within `dynamic_filtering_range`, both bounds left out, and samples on as long as there are prompts",
    ours:
      "`filter_groups` behind `score_rewards`: `keep: spread` or `range`. Where too few groups passed, the engine runs the " +
      "steps since `sample_groups` again within the train step: no update lies between, so that every group is of the same " +
      "policy and a stop between two samplings changes nothing. Further samplings draw prompts that the train step has not " +
      "had, from an order of their own: the first sampling is what it is without a filter. `max_batches` (10) ends it; " +
      "`too_few` is fewer, stop (verl) or replay. Every group sampled is a row of the table `groups`, and reward, accuracy " +
      "and zero_spread_fraction of `metrics` are of all of them: in verl they are of what the filter left",
  },
  {
    name: "replay",
    systems: "none of the four replays groups of earlier train steps",
    ours:
      "`too_few: replay` fills up with the latest groups that passed, each prompt once; column `replayed_from`. They are of " +
      "an older policy: `sampler_weights: token` of `apply_update` weighs them by how much it has changed since",
  },
  {
    name: "prompts by pass rate",
    systems: "none of the four draws prompts by how often they were solved",
    ours: "`draw: pass_rate` of `sample_groups`: in proportion to 4 p (1 - p), at least 0.05, with p = (right + 1) / " +
      "(completions + 2) over the last `pass_rate_steps` train steps, read from the table `groups`",
  },
  {
    name: "bypass mode of verl",
    systems: "old_logprobs are the sampler's; rejection then compares the sampler with the policy of the update",
    ours:
      "`old_logprobs: sampler`; `sampler_weights` are refused beside it, `sampler_reject` looks at the policy before the " +
      "first update, in the pass that it costs. `completions.old_logprobs` stays the trainer's, so that the gap to the " +
      "sampler is told",
  },
  {
    name: "KL that an adaptive coefficient follows",
    systems:
      "verl: mean over completions of the mean over tokens, of the KL in the reward; OpenRLHF: mean over the batch",
    ours:
      "`kl_target` of `compute_advantages`: the column `reward_kl`, as verl; of `apply_update`: the column `kl`, a mean " +
      "over tokens by `kl_estimator`. Both read the last row of `metrics` with its `completions`: nothing hidden has to " +
      "survive a stop. A KL that is not finite moves nothing, and the run says so; theirs is NaN from then on",
  },
];
