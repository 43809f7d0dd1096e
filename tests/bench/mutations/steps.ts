/** Faults in steps/: rewards, advantages, the steps of a train step, the rules of the doctor. @module */
import { mutationsOf } from "./mutation.ts";

export const STEPS = mutationsOf({
  "steps/rewards/exact_match.ts": [
    ["case_always_ignored", "ignore_case ? stripped.toLowerCase() : stripped", "stripped.toLowerCase()"],
    ["white_space_counts", "strip ? text.trim() : text", "text"],
    ["always_right", "plain(answer) === plain(answers[i]!) ? 1 : 0", "plain(answer) === plain(answers[i]!) ? 1 : 1"],
  ],
  "steps/rewards/format.ts": [
    ["a_part_is_enough", "`^(?:${shape})$`", "`(?:${shape})`"],
    ["dot_stops_at_line_ends", 'flags: "s"', 'flags: ""'],
  ],
  "steps/rewards/length_penalty.ts": [
    ["sign", "cost === 0 ? 0 : -cost", "cost"],
    ["no_allowance", "tokens - free_tokens", "tokens"],
    ["cap_is_a_floor", "Math.min(max_penalty,", "Math.max(max_penalty,"],
  ],
  "steps/rewards/numeric_match.ts": [
    ["of_the_whole_text", "answer === null ? null : lastNumber(answer)", "lastNumber(text)"],
  ],
  "steps/rewards/overlong.ts": [
    ["starts_at_the_cap", "tokens - (max_new_tokens - buffer)", "tokens - max_new_tokens"],
    ["unbounded", "-Math.min(1, over / buffer)", "-over / buffer"],
  ],
  "steps/rewards/regex.ts": [
    ["found_and_missing_swapped", "found, missing };", "found: missing, missing: found };"],
    ["case_ignored", 'ignore_case ? "i" : ""', '"i"'],
  ],
  "steps/rewards/repetition_penalty.ts": [
    ["one_gram_short", "units.length - ngram + 1", "units.length - ngram"],
    ["share_of_distinct", "-(1 - distinct.size / total)", "-(distinct.size / total)"],
  ],
  "steps/rewards/weighted_sum.ts": [
    ["weights_ignored", "weights[i]! * value", "value"],
    ["null_is_0", "let sum: number | null = null", "let sum: number | null = 0"],
  ],
  "steps/rewards/user_code.ts": [
    ["one_attempt_more", "attempt < retries &&", "attempt <= retries &&"],
    ["last_reply_twice", "if (replies.at(-1) !== last) replies.push(last)", "replies.push(last)"],
  ],
  "steps/advantages/grpo.ts": [
    ["sign", "(reward - group.mean) / divisor", "(group.mean - reward) / divisor"],
    ["eps_dropped", "group: group.std + eps", "group: group.std"],
    ["batch_is_group", "batch: whole.std + eps", "batch: group.std + eps"],
    ["none_divides", "none: 1 }", "none: group.std + eps }"],
    ["mean_dropped", "(reward - group.mean) / divisor", "reward / divisor"],
  ],
  "steps/advantages/group_of_one.ts": [
    ["lonely_is_0", "refuse: NaN", "refuse: 0"],
    ["only_scored_is_lonely", "sizes[group]! > 1 ? 0 :", ""],
  ],
  "steps/advantages/rloo.ts": [
    ["own_reward_in_the_mean", "(reward - mean) * (count / (count - 1))", "reward - mean"],
    ["normalize_ignored", "if (!normalize)", "if (true)"],
    ["eps_of_its_own", "(value - mean) / (std + eps)", "(value - mean) / (std + 1e-4)"],
    ["no_spread_divides_by_0", "!compared[row] || spread === 0", "!compared[row]"],
  ],
  "steps/advantages/reinforce_plus_plus.ts": [
    ["baseline_ignored", "const shaped = baseline", "const shaped = false"],
    ["gamma_ignored", "masks, gamma, gaps)", "masks, 1, gaps)"],
  ],
  "steps/advantages/gae.ts": [
    ["no_bootstrap", "gamma * nextValue - values[t]!", "- values[t]!"],
    ["lambda_ignored", "gamma * lambda))", "gamma))"],
    ["returns_are_advantages", "value + batch.values![i]![t]!", "value"],
  ],
  "steps/advantages/gdpo.ts": [
    ["weights_ignored", "(reward_weights[name] ?? 1) * value", "value"],
    ["tokens_like_the_batch", 'given.finish === "tokens"', "false"],
  ],
  "steps/advantages/optimal_token_baseline.ts": [
    ["weights_not_squared", "* weight * weight", "* weight"],
    ["tail_keeps_its_baseline", "zero_tail && lengths", "false && lengths"],
    ["places_ignored", 'positions === "all" ? t : n', "t"],
  ],
  "steps/advantages/token_rewards.ts": [
    ["reward_first", "lastIndexOf.call(mask, 1)", "indexOf.call(mask, 1)"],
    ["gaps_discount", "returns[t]! + (1 - counts) * ahead", "returns[t]!"],
    ["unscored_count", "batch.rewards[row] === null ? new Float32Array(mask.length) : mask", "mask"],
  ],
  "steps/compute_advantages.ts": [
    ["unjudged_tokens_move", "counted(tokens, countedMasks(batch))", "counted(tokens, tokenMasks(batch))"],
    ["masked_tokens_move", "masks[i]![t] ? value : 0", "value"],
  ],
  "steps/advantages/token_kl.ts": [
    ["kl_reversed", "logprobs[t]! - refLogprobs[t]!", "refLogprobs[t]! - logprobs[t]!"],
    ["kl_of_masked_tokens", "counts ? plainKl", "true ? plainKl"],
  ],
  "steps/advantages/batch.ts": [
    ["kl_rewarded", "reward - shaping.kl_coef * sum(kl[row]!)", "reward + shaping.kl_coef * sum(kl[row]!)"],
    ["token_kl_rewarded", "-shaping.kl_coef * nats", "shaping.kl_coef * nats"],
    ["reference_unchecked", "mask[t] && !Number.isFinite(reference)", "false"],
    [
      "clip_from_below_only",
      "truncationPenalty(reward, given) : reward, low), high)",
      "truncationPenalty(reward, given) : reward, low), Infinity)",
    ],
  ],
  "steps/measure_tokens.ts": [
    ["at_temperature_1", "policy.sequences(prompts, ids), at)", "policy.sequences(prompts, ids), 1)"],
  ],
  "steps/sample_greedy.ts": [
    ["not_greedy", "{ ...PLAIN_SAMPLING, temperature: 0 }", "PLAIN_SAMPLING"],
  ],
  "steps/sample_groups.ts": [
    ["group_left_out_of_the_cost", "const rows = prompts * group,", "const rows = prompts,"],
    [
      "reference_at_temperature_1",
      "await reference.logprobs(sequences, temperature)",
      "await reference.logprobs(sequences, 1)",
    ],
    ["old_at_temperature_1", "await policy.logprobs(sequences, temperature)", "await policy.logprobs(sequences, 1)"],
    ["truncated_always_count", "drops: mask_truncated", "drops: false"],
    ["wrong_prompt", "prompts[Math.floor(i / group_size)]!", "prompts[i % prompts.length]!"],
    ["draws_of_every_step", "`sample_groups.${batch}`, trainStep }", "`sample_groups.${batch}`, trainStep: 0 }"],
    ["further_batches_draw_alike", "`sample_groups.${batch}`", '"sample_groups"'],
  ],
  "steps/prompts/draw_prompts.ts": [
    ["first_step_skips_prompts", "let at = (trainStep - 1) * count", "let at = trainStep * count"],
    ["every_pass_alike", "Math.floor(at / size)", "0"],
    ["all_splits", "if (splits[i] === draw.split) rows.push(i)", "rows.push(i)"],
    ["prompts_twice", "if (!left || !drawn.has(ids[row]!)) chosen.push(row)", "chosen.push(row)"],
    ["weights_ignored", " / drawWeight(rates.get(id) ?? null)", ""],
  ],
  "steps/prompts/pass_rates.ts": [
    ["no_least_weight", "Math.max(4 * p * (1 - p), LEAST_WEIGHT)", "4 * p * (1 - p)"],
    ["rates_are_counts", "right + count * rate", "right + rate"],
  ],
  "steps/filter_groups.ts": [
    ["never_again", "found < wanted && batch < given.max_batches", "found < 0 && batch < given.max_batches"],
    ["one_batch_more", "batch < given.max_batches", "batch <= given.max_batches"],
    ["kept_forgotten", 'waiting(context.table("kept")),', ""],
  ],
  "steps/groups/judge.ts": [
    ["bounds_included", "mean > low && mean < high", "mean >= low && mean <= high"],
    ["one_has_spread", "count > 1 && spread > NO_SPREAD.rewards", "spread > -1"],
  ],
  "steps/corrections/sampler_weights.ts": [
    ["bound_from_below_only", "clamp(weight, low, high)", "Math.max(weight, low)"],
    ["outside_kept", "weight < low || weight > high ? 0 : weight", "weight"],
    ["sequence_of_masked", "fill(weight(maskedSum(row, mask[i]!)))", "fill(weight(row.reduce((a, b) => a + b, 0)))"],
  ],
  "steps/corrections/rejection.ts": [
    ["k1_turned_round", "plainKl(estimate, -clamp(q,", "plainKl(estimate, clamp(q,"],
    ["no_lower_bound", "(low === null || value >= low)", "true"],
  ],
  "steps/controllers/kl_coefficient.ts": [
    ["error_unbounded", "Math.min(Math.max(kl / target - 1, -LARGEST_ERROR), LARGEST_ERROR)", "kl / target - 1"],
  ],
  "steps/controllers/entropy_coefficient.ts": [
    ["falls_below_the_target", "return entropy <= target ?", "return entropy > target ?"],
    ["used_at_once", "lastEntropy !== null && lastEntropy <= target ? coefficient : 0", "coefficient"],
  ],
  "steps/training/sampler_correction.ts": [
    ["missing_stays_missing", "Number.isNaN(value) ? old[i]![t]! : value", "value"],
    ["weight_of_the_first_token", "Array.from(mask).findIndex(Boolean)", "Math.min(mask.length - 1, 0)"],
  ],
  "steps/training/update_batch.ts": [
    ["top_entropy_at_temperature_1", "...passes, statistics", "...passes, temperature: 1, statistics"],
    ["draws_of_every_update", "`apply_update.${update}`", "`apply_update.${0 * update}`"],
    ["draws_of_every_step", "uniform(seed, stream, trainStep, row, t)", "uniform(seed, stream, 0 * trainStep, row, t)"],
    ["draws_of_every_seed", "uniform(seed, stream,", "uniform(0 * seed, stream,"],
  ],
  "steps/training/entropy_before.ts": [
    ["entropy_of_masked_tokens", "(mask[i]![t] ? value : 0)", "value"],
    ["entropy_without_lengths", "length * means[i]!", "means[i]!"],
    ["entropy_of_all_updates", "rows.slice(0, minibatches)", "rows"],
    ["entropy_in_one_pass", "...(promptsPerPass ? { promptsPerPass } : {})", ""],
  ],
  "steps/training/before_updates.ts": [
    ["old_logprobs_not_read", "rollout.oldLogprobs = logprobs;", ""],
    ["dropped_out_old_logprobs", "given.minibatches === 1 ? isDropped :", "given.minibatches === 1 ? false :"],
    ["rejected_tokens_counted", "rollout.lengths = mask.map(tokenCount);", ""],
    ["weights_not_used", "if (weights) rollout.samplerWeights = weights;", ""],
  ],
  "steps/metrics/filter_metrics.ts": [
    ["mean_of_groups", "sum += value * counts[i]!;", "sum += value;"],
  ],
  "steps/training/loss_form.ts": [
    [
      "presets_aggregation_ignored",
      'given.aggregation ?? presetOf(given)?.aggregation ?? "token_mean"',
      'given.aggregation ?? "token_mean"',
    ],
    ["presets_objective_ignored", "presetOf(given)?.loss as RolloutObjectiveName | undefined", "undefined"],
    ["presets_options_ignored", "{ ...presetOf(given)?.options, ...ownOptions", "{ ...ownOptions"],
    ["kl_coefficient_doubled", "coefficient: given.kl_coef,", "coefficient: 2 * given.kl_coef,"],
    ["kl_left_out", "kl: given.kl_coef > 0 ?", "kl: given.kl_coef > 1e9 ?"],
  ],
  "steps/training/top_entropy.ts": [
    ["lowest_entropy", "value >= threshold ? 1 : 0", "value >= threshold ? 0 : 1"],
    ["quantile_of_the_share", "quantile(counted, 1 - fraction)", "quantile(counted, fraction)"],
  ],
  "steps/apply_update.ts": [
    ["always_on_policy", "lossOf(form, first && given", "lossOf(form, given"],
    [
      "old_logprobs_off_by_a_nat",
      "keepOldLogprobs(context, rollout, result.logprobs)",
      "keepOldLogprobs(context, rollout, result.logprobs.map((row) => row.map((value) => value + 1)))",
    ],
    [
      "old_logprobs_of_the_sampler",
      "keepOldLogprobs(context, rollout, result.logprobs)",
      "keepOldLogprobs(context, rollout, [...rollout.samplerLogprobs] as Float32Array[])",
    ],
    ["off_policy_by_the_old", '"sampler_logprobs" as const', '"old_logprobs" as const'],
    ["weights_left_out", "{ samplerWeights: given.sampler_weights }", "{}"],
    ["kl_coef_stays", "kl_coef: form.klCoef,", "kl_coef: given.kl_coef,"],
    ["first_minibatch_only", "(update - 1) % given.minibatches", "0"],
    ["norm_is_1", "norm = rollout.maxNewTokens", "norm = 1"],
    ["rollout_counted_per_update", "updates: given.minibatches,", "updates: 1,"],
    ["temperature_1", "{ temperature, ...passLimits(given) }", "{ temperature: 1, ...passLimits(given) }"],

    [
      "one_update_less",
      "update <= given.updates_per_rollout; update++",
      "update < given.updates_per_rollout; update++",
    ],
    ["gradients_every_step", "context.trainStep % every === 0 ||", "true ||"],
    ["update_number_from_0", "await optimizer.updates() + 1", "await optimizer.updates()"],
  ],
  "steps/metrics/logprob_gaps.ts": [
    [
      "kl_reversed",
      "plain(logprobs[row]![t]! - refLogprobs[row]![t]!)",
      "plain(refLogprobs[row]![t]! - logprobs[row]![t]!)",
    ],
    ["masked_tokens_in_the_gap", "      if (!mask[row]![t]) continue;\n      const gap", "      const gap"],
    ["signed_gap", "Math.abs(a[row]![t]! - b[row]![t]!)", "a[row]![t]! - b[row]![t]!"],
  ],
  "steps/metrics/critic_metrics.ts": [
    ["spread_of_the_values", "variance(wanted), left", "variance(value), left"],
    ["masked_tokens_counted", "filter((_, t) => masks[i]![t])", "filter(() => true)"],
  ],
  "steps/update_critic.ts": [
    ["first_slice_only", "update % given.minibatches, given", "0, given"],
    ["schedule_of_the_rollout", "await critic.updates() + 1", "update + 1"],
    ["norm_of_the_longest", "norm: batch.maxNewTokens", "norm: Math.max(...batch.masks.map(({ length }) => length))"],
    ["empty_rows_counted", "masks.filter((mask) => tokensOf(mask) > 0).length", "masks.length"],
    ["values_for_returns", "returns: cut(returns), old_values", "returns: cut(values), old_values"],
  ],
  "steps/training/own_updates.ts": [
    ["learning_rate_of_the_first_update", "number: update }", "number: 1 }"],
    ["last_not_measured", "update % measureEvery === 0 || update === most", "update % measureEvery === 0"],
  ],
  "steps/metrics/metrics_row.ts": [["metrics_of_others_lost", "...row ?? first", "...first"]],
  "steps/training/coefficients.ts": [
    ["row_of_this_train_step", "steps[row]! < before &&", "steps[row]! <= before &&"],
    ["moves_for_good_by_nan", 'if (!Number.isFinite(follows)) return stays(rows, column, "KL", last, follows);', ""],
    ["weight_of_the_loss_in_the_reward", 'reward_kl_coef: "reward_kl"', 'reward_kl_coef: "kl"'],
  ],
  "steps/resources/critic.ts": [
    ["body_of_the_start", "if (this.trunk) takeBody", "if (false) takeBody"],
  ],
  "steps/resources/reward_model.ts": [
    ["first_token", "mask[length - 1] = 1", "mask[0] = 1"],
    ["one_token_early", "row[mask[i]!.length - 1]!", "row[mask[i]!.length - 2]!"],
    ["always_ended", "truncated[i] ? ended.subarray(0, -1) : ended", "ended"],
  ],
  "steps/preferences/pair_rows.ts": [
    ["rejected_first", "({ completions }) => completions", "({ completions }) => completions.toReversed()"],
    ["equal_is_right", "scores[2 * i]! > scores[2 * i + 1]!", "scores[2 * i]! >= scores[2 * i + 1]!"],
  ],
  "steps/training/optimizer_params.ts": [
    ["warmup_dropped", "warmup: given.warmup_updates,", ""],
    ["schedule_one_late", "update - 1 + shift", "update"],
    ["last_rate_is_0", "?? Number.MAX_SAFE_INTEGER) + shift", "?? Number.MAX_SAFE_INTEGER)"],
    ["betas_swapped", "beta1: given.beta1,", "beta1: given.beta2,"],
    ["decay_dropped", "weightDecay: given.weight_decay", "weightDecay: 0"],
  ],
  "steps/training/rollout.ts": [
    ["second_slice_of_advantages", ": cut(rollout.advantages),", ": rollout.advantages,"],
    ["filtered_sampling_compared", "number(name, off) === off", "true"],
    ["lengths_with_the_masked", "(a as number) + (b as number), 0)", "(a as number) + 1, 0)"],
  ],
  "steps/metrics/rollout_metrics.ts": [
    [
      "accuracy_of_all",
      "correct.filter(Boolean).length / correct.length",
      "correct.filter(Boolean).length / lengths.length",
    ],
    ["truncated_ended", "lengths.filter((_, i) => !truncated[i])", "lengths.filter((_, i) => truncated[i])"],
    ["shortest_is_longest", "completion_length_min: Math.min(", "completion_length_min: Math.max("],
  ],
  "steps/metrics/update_metrics.ts": [
    ["non_finite_inverted", "row.applied === false", "row.applied === true"],
    ["replayed_tokens_in_the_gap", "? row : new Float32Array(row.length)", "? row : row"],
    ["first_learning_rate", 'numbers("learning_rate").at(-1)', 'numbers("learning_rate").at(0)'],
    ["expected_loss_at_every_level", "objective.isMinusAdvantage(own) &&", ""],
  ],
  "steps/training/update.ts": [
    ["rate_of_the_first_update", "adamwAt(optimizer, number)", "adamwAt(optimizer, 1)"],
    ["located_every_time", "earlier.some((row) => row.applied === false)", "false"],
    ["every_update_is_the_first", "update: earlier.length + 1,\n    loss", "update: 1,\n    loss"],
    ["one_draw_for_all_batches", "drawn(results.length)", "drawn(0)"],
    [
      "means_without_tokens",
      "result.metrics[name]! * result.tokens, 0)",
      "result.metrics[name]! * tokens / results.length, 0)",
    ],
    ["one_draw_for_all_updates", "update: earlier.length + 1, part", "update: 1, part"],
  ],
  "steps/training/update_size.ts": [
    ["not_per_parameter", "learningRate * Math.sqrt(trainable)", "learningRate"],
    ["weights_over_update", "updateNorm / weightNorm", "weightNorm / updateNorm"],
  ],
  "steps/evaluate.ts": [
    ["sampled_is_greedy", "{ sampled: 1, greedy: 0 }", "{ sampled: 0, greedy: 0 }"],
    [
      "no_room_for_the_end",
      "policy.encodeAnswer(String(row.answer)).length)) + 1",
      "policy.encodeAnswer(String(row.answer)).length)) - 1",
    ],
    ["wrong_ones_counted", "correct === true", "correct === false"],
    ["limit_ignored", ".slice(0, limit)", ""],
  ],
  "steps/resources/export.ts": [
    [
      "folder_ids_win",
      "{ ...exportedSampling(texts.generationConfig, settings), ...ids }",
      "{ ...ids, ...exportedSampling(texts.generationConfig, settings) }",
    ],
  ],
  "steps/fine_tune.ts": [
    ["accuracy_at_half_the_temperature", "values: PLAIN_SAMPLING", "values: { ...PLAIN_SAMPLING, temperature: 0.5 }"],
    [
      "same_batch_every_step",
      'integers(context.seed, "fine_tune", trainStep,',
      'integers(context.seed, "fine_tune", 0,',
    ],
    ["goal_never_reached", "accuracy! >= given.until_accuracy!", "accuracy! > 1 + given.until_accuracy!"],
    ["measured_on_train", 'split === "validation").slice(', 'split === "train").slice('],
  ],
  "steps/load_prompts.ts": [
    ["splits_by_the_prompt", "splitOf(row.splitKey ?? prompt, fractions)", "splitOf(prompt, fractions)"],
    [
      "limit_before_the_order",
      "hashOrder(rows, ({ prompt }) => prompt).slice(0, given.limit)",
      "hashOrder(rows.slice(0, given.limit), ({ prompt }) => prompt)",
    ],
  ],
  "steps/options/split_params.ts": [
    ["fractions_unchecked", "SUM_TOLERANCE = 1e-9", "SUM_TOLERANCE = 1"],
  ],
  "steps/rewards/boxes/box_units.ts": [
    ["wrong_way", "convertBox(box, size, box_unit, answer_unit)", "convertBox(box, size, answer_unit, box_unit)"],
  ],
  "steps/rewards/boxes/judge_boxes.ts": [
    ["nothing_is_always_right", "return wanted.length === 0 ? 1 : 0", "return 1"],
  ],
  "steps/rewards/visual/confidence.ts": [
    ["wrong_boxes_are_confident", "wanted === null ? 1 - c : c", "wanted === null ? c : c"],
    ["over_1_counts", "c === null || c < 0 || c > 1", "c === null || c < 0"],
  ],
  "steps/rewards/visual/iou.ts": [
    ["few_boxes_pay", "Math.max(wanted, matches.length)", "matches.length"],
    ["many_boxes_pay", "Math.max(wanted, matches.length)", "Math.max(wanted, 1)"],
  ],
  "steps/rewards/visual_rft/boxes.ts": [
    ["joint_area_counts_twice", "union = area(a) + area(b) - shared;\n  if", "union = area(a) + area(b);\n  if"],
    ["distance_unseen", "- (around - union) / around", ""],
  ],
  "steps/rewards/visual_rft/detections.ts": [
    ["half_is_enough", "MATCHED = 0.5", "MATCHED = 0.4"],
    ["few_boxes_pay", "Math.max(wanted, matches.length)", "matches.length"],
    ["wrong_boxes_are_confident", "iou === 0 ? 1 - confidence", "iou === 0 ? confidence"],
    ["true_boxes_serve_twice", "if (taken.has(i)) return;", ""],
    ["negative_means", "mean > 1 ? 1 : mean < 0 ? 0 : mean", "mean > 1 ? 1 : mean"],
    ["last_of_equal_boxes", "overlap > best) [best", "overlap >= best) [best"],
    ["repeats_count", "return seen.has(key) ? false", "return false ? false"],
  ],
  "steps/rewards/visual_rft/symbolic_shortcut.ts": [
    ["first_number", "end(b) - end(a)", "end(a) - end(b)"],
    ["percent_is_whole", "(isPercent ? 100 : 1)", "1"],
    ["four_digits", "of(a).toFixed(6) === of(b).toFixed(6)", "of(a).toFixed(4) === of(b).toFixed(4)"],
    ["whole_numbers_alone", "b.isWhole && a.value === b.value) return true;", "b.isWhole) return a.value === b.value;"],
    ["percent_of_a_box_unseen", "isPercent: isPercent || bare !== text", "isPercent"],
  ],
  "steps/rewards/visual_rft/python_sort.ts": [
    ["insertion_from_the_first", "at = firstRun(order, isLess)", "at = 1"],
    ["fall_not_turned_round", "if (isFalling) order.splice", "if (false) order.splice"],
  ],
  "steps/rewards/visual_rft/python_text.ts": [
    ["white_space_of_javascript", 'source.replaceAll("\\\\s", `[${SPACES}]`)', "source"],
  ],
  "steps/score_rewards.ts": [
    ["rewards_of_dropped_kept", "dropped.has(row) ? null : weightedSum", "false ? null : weightedSum"],
    ["row_of_another_prompt", "const at = ids[id] === id ? id : ids.indexOf(id)", "const at = id"],
    ["seconds_are_milliseconds", "given.timeout_seconds * 1000", "given.timeout_seconds"],
    ["memory_in_bytes", "given.memory_mb * 2 ** 20", "given.memory_mb"],
  ],
  "steps/options/adapter_plan.ts": [
    ["whole_names_saved", '.join(".").endsWith(end)', '.join(".") === end'],
    ["one_factor_for_all", "scaling: scalingOf(settings, name)", "scaling: scalingOf(settings)"],
  ],
  "steps/options/lora.ts": [
    ["any_pattern", "if (problems.length > 0) return problems;", ""],
  ],
  "steps/options/target_modules.ts": [
    ["ends_without_a_dot", "module.endsWith(`.${name}`)", "module.endsWith(name)"],
    ["layers_ignored", "layers === undefined || layers.includes(", "layers === null || (() => true)("],
    ["head_among_all", "!HEADS.includes(lastOf(module))", "true"],
    [
      "full_names_in_layers_alone",
      "wanted.includes(module) || is(module) && inLayers(module)",
      "is(module) && inLayers(module)",
    ],
    ["exclusions_ignored", "&& !excluded(module)", ""],
    ["last_number_counts", "const at = parts.findIndex(", "const at = parts.findLastIndex("],
  ],
  "steps/options/adapter_rank.ts": [
    ["rank_of_the_narrowest", "Math.max(...all.map", "Math.min(...all.map"],
    ["any_rank", "if (high === undefined) return;", "return;"],
  ],
  "steps/options/idle_adapter.ts": [
    ["a_moves_beneath_zero", "trains(a) && !isZero(b)", "trains(a) && !isZero(a)"],
    ["copies_forgotten", "let moves = [...saved].some(trains);", "let moves = false;"],
    ["partly_idle_refused", "if (moves || first === undefined) return null;", "if (first === undefined) return null;"],
  ],
  "steps/resources/adapter.ts": [
    ["base_of_another", "if (other?.certain) throw", "if (other === undefined) throw"],
    [
      "frozen_b_allowed",
      "if (problem !== null) throw new RangeError(`Cannot train",
      "if (false) throw new RangeError(`Cannot train",
    ],
    ["merge_forgotten", "return merged(tensors, adapter);", "return tensors;"],
    ["any_base", 'if ((json["base"] ?? null) === baseKey(model)) return;', "return;"],
  ],
  "steps/resources/adapter_values.ts": [
    ["a_twice_as_wide", "bound * (2 * uniform(", "bound * (4 * uniform("],
    ["a_and_b_swapped", "values.set(a, pair.a).set(b, pair.b)", "values.set(a, pair.b).set(b, pair.a)"],
    ["dropout_of_one_token", "token * Math.ceil(keep.length / 8)", "0"],
    ["one_dropout_for_all", "`${who}${stream}`", "stream"],
  ],
  "steps/resources/scalar_adapter.ts": [
    [
      "base_not_shared",
      "if (isAdapter && sharesBase(policy, folder))",
      "if (!isAdapter && sharesBase(policy, folder))",
    ],
    ["any_folder_is_the_policys", "Deno.realPathSync(base) === Deno.realPathSync(folder)", "true"],
    ["draws_of_the_policy", "stream: `${stream}.lora`", 'stream: "lora"'],
    ["head_of_the_folder_lost", "if (plan.saved.has(SCORE)) return { plan, values };", ""],
  ],
  "steps/resources/policy.ts": [
    [
      "answers_do_not_end",
      "[...Array.from(this.tokenizer.encode(answer)), this.tokenizer.eosId]",
      "[...Array.from(this.tokenizer.encode(answer))]",
    ],
    ["context_not_checked", "if (ids.length + maxNewTokens > most)", "if (ids.length > most)"],
    ["template_ignored", "const text = this.format(prompt)", "const text = prompt"],
    ["begins_left_out", "this.tokenizer.begins ?? []", "[]"],
  ],
  "steps/resources/local_sampler.ts": [
    ["min_p_dropped", "minP: values.min_p", "minP: 0"],
    ["every_step_alike", "draws.trainStep,", "0,"],
  ],
  "steps/options/sampling_settings.ts": [
    ["greedy_at_temperature_0", "return temperature > 0 ? temperature : 1", "return temperature"],
    ["temperature_1", "return temperature > 0 ? temperature : 1", "return 1"],
    ["suppressed_not_exported", "{ suppress_tokens: suppressed }", "{}"],
    ["folder_sampling_exported", "!sampling.has(name)", "!own.includes(name)"],
    ["asked_for_sampling", "{ ...found, temperature: 0 } : found", "found : found"],
  ],
  "steps/resources/reference.ts": [
    ["follows_the_policy", "return this.#model ??= this.kind", "return this.kind"],
    ["temperature_1", "{ temperature, promptsPerPass", "{ temperature: 1, promptsPerPass"],
    ["not_restored", "weights.upload(stateArray(", "(stateArray("],
  ],
});
