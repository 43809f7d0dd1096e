/**
 * Metrics that stock trainers print and no rule reads: known, carried along under their own names, and nothing to tell.
 *
 * Sources: the loggers of transformers and TRL, verl's `metric_utils.py` and `seqlen_balancing.py`, OpenRLHF's trainers.
 * @module
 */

/** By trainer; evaluation's and training's prefixes are taken off. */
const UNUSED: readonly RegExp[] = [
  // ***** transformers and TRL *****
  /^(?:train_)?(?:runtime|samples_per_second|steps_per_second|tokens_per_second|model_preparation_time)$/,
  /^(?:total_flos|num_tokens_per_second)$/,
  /^clip_ratio\/(?:low_min|high_max)$/,
  /^cispo_clip_ratio$/,
  /^(?:logits|logps)\/(?:chosen|rejected)(?:_sum)?$/,
  /^(?:aux_loss|tools\/call_frequency|unique_prompts|val\/ratio_var|val\/num_eos_tokens|eps|objective\/non_score_reward)$/,
  // ***** verl *****
  /^(?:perf|timing_s|timing_per_token_ms|global_seqlen)\/.+$/,
  /^critic\/(?:score|rewards|returns|values|advantages)\/(?:mean|max|min|std)$/,
  /^(?:prompt_length|response_length|response_length_non_aborted|num_turns)\/(?:mean|max|min|clip_ratio)$/,
  /^response\/aborted_ratio$/,
  /^training\/(?:rollout_probs_diff_std|rollout_probs_diff_valid|num_gen_batches)$/,
  // ***** OpenRLHF *****
  /^(?:total_length|tot_len|tlen|total_len)$/,
  /^timing\/.+$/,
  /^\w+_response_length_mean$/,
];

/** True of a name, as it stands behind its prefixes, that a stock trainer prints and no column takes. */
export function isUnused(name: string): boolean {
  return UNUSED.some((pattern) => pattern.test(name));
}
