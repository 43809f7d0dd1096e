/** Faults in steps/diagnoses/: thresholds and signs of the doctor's rules, and what the rules read. @module */
import { mutationsOf } from "./mutation.ts";

export const DIAGNOSES = mutationsOf({
  "steps/diagnoses/benign_zero_loss.ts": [
    ["at_a_zero_gradient_too", "median(gradient) <= ROUNDING", "median(gradient) < 0"],
    ["a_faint_gradient_is_one", "const FAINT = 1e-4", "const FAINT = 1e-7"],
    ["gradient_of_flat_groups_too", "isFlat[record] !== true", "true"],
    ["half_of_the_zeros_missing", "zeros.length < 0.5 * known.length", "zeros.length < 0.05 * known.length"],
  ],
  "steps/diagnoses/broken_gradient_path.ts": [
    ["masked_batches_too", "return cut === 1 &&", "return cut === 2 &&"],
  ],
  "steps/diagnoses/constant_reward.ts": [
    ["a_part_is_enough", "const MOST = 0.95", "const MOST = 0.05"],
    ["floor_is_between", 'flat.level !== "between" ||', ""],
  ],
  "steps/diagnoses/differential/differential.ts": [
    ["nothing_weighs_nothing", "weights[kind], -weights.nothing)", "weights[kind], 0)"],
    ["shares_leave_nothing_out", "total + odd, 1)", "total + odd, 0)"],
    ["least_likely_first", "b.probability - a.probability", "a.probability - b.probability"],
  ],
  "steps/diagnoses/differential/evidence.ts": [
    ["no_after_effect_weighs", "origin === undefined ? []", "origin !== null ? []"],
    ["no_order_of_decisions", "all.indexOf(candidate)", "0 * all.indexOf(candidate)"],
    ["no_doubt_weighs", "confirm === null ? []", "confirm !== undefined ? []"],
    ["first_at_the_same_time", "const SOONER = 0.05", "const SOONER = -0.05"],
    ["explains_nothing", "...effects.map(", "...effects.slice(2).map("],
    ["early_trends_follow", "const BEFORE = 0.2", "const BEFORE = 20"],
    ["every_finding_counts", "const COUNTED = 2", "const COUNTED = 20"],
  ],
  "steps/diagnoses/entropy_collapse.ts": [
    ["falls_with_a_rising_reward", " || by >= NO_GAIN * scale", ""],
    ["a_tenth_is_the_whole", "const LEFT = 0.1", "const LEFT = 1"],
    ["cold_sampling_too", "const COLD = 0.3", "const COLD = 0"],
    ["more_than_half_left", "SLOW_LEFT = 0.25", "SLOW_LEFT = 0.6"],
    ["much_choice_left", "NO_CHOICE = 0.2", "NO_CHOICE = 2"],
    ["of_few_stretches", "course === null || course.levels.length < LEVELS", "course === null"],
  ],
  "steps/diagnoses/excessive_clipping.ts": [
    ["warns_at_two_percent", "const WARN = 0.2", "const WARN = 0.002"],
    ["always_an_error", "level > ERROR", "level > 0"],
    ["sequence_level_too", "if (/gspo|sequence|cispo|gmpo|geo/i.test(kind)) return null", ""],
  ],
  "steps/diagnoses/group_integrity.ts": [
    ["masks_not_compared", "lossTokens !== tokens", "lossTokens < 0"],
    [
      "order_not_compared",
      "if (better.advantage! >= worse.advantage! - ROUNDING) continue",
      "if (better.advantage! >= worse.advantage! - 1e6) continue",
    ],
  ],
  "steps/diagnoses/group_size_too_small.ts": [
    [
      "where_the_reward_climbs_too",
      "const CLIMBS = 3",
      "const CLIMBS = 3000",
    ],
    ["groups_of_any_size", "const LARGEST = 4", "const LARGEST = 400"],
  ],
  "steps/diagnoses/kl_explosion.ts": [
    ["with_a_rising_reward_too", "const rising = by > Math.max(", "const rising = by > 1e9 * Math.max("],
    [
      "start_is_the_end",
      "late: median(last)",
      "late: median(first)",
    ],
    ["outliers_unseen", "top > OUTLIERS", "top > 1e9 * OUTLIERS"],
    ["speeding_by_chance", " || !isSure", ""],
    ["speeding_in_factors_alone", "course.now - then.value >= SURE * errorOf(course) ||", ""],
    ["at_risk_when_small", "const AT_RISK = 0.15", "const AT_RISK = 0.02"],
  ],
  "steps/diagnoses/learning_rate_too_high.ts": [
    ["usual_is_far", "if (rate < DESTROYS * usual)", "if (rate < 0.1 * usual)"],
    ["far_is_farther", "if (rate < DESTROYS * usual)", "if (rate < 10 * DESTROYS * usual)"],
    ["warm_start_unseen", "view.warmStart === null ?", "view.warmStart !== undefined ?"],
    ["ten_percent_unseen", "const LARGE_UPDATE = 0.1", "const LARGE_UPDATE = 100"],
    ["always_a_warning", "DESTROYING_UPDATE = 0.3", "DESTROYING_UPDATE = 30"],
    ["dead_is_a_warning", "|| worst <= DESTROYING_UPDATE && found !== null", ""],
  ],
  "steps/diagnoses/view/rounded_rate.ts": [
    ["rounded_zero_too", "median(last) > MOVED_KL && median(last) > MOVED_TIMES * Math.abs(median(first))", "false"],
  ],
  "steps/diagnoses/learning_rate_zero.ts": [
    ["one_of_them_above_zero", "cells[record]! !== 0", "cells[record]! > 1e9"],
  ],
  "steps/diagnoses/length_collapse.ts": [
    ["a_quarter_is_the_whole", "late >= LEFT * early", "late >= early"],
    [
      "with_a_rising_reward_too",
      "if (by > Math.max(2 * error,",
      "if (by > 1e9 * Math.max(2 * error,",
    ],
    ["shrunk_at_the_end", " || levelsSince(course, left) < SINCE", ""],
    ["of_words", "from < LONG || ", ""],
  ],
  "steps/diagnoses/negative_kl_estimate.ts": [
    ["small_negatives_too", "perCompletion < -1 && level < -NOISE", "level < 0"],
  ],
  "steps/diagnoses/likelihood_displacement.ts": [
    ["one_nat_is_a_fall", "FELL = 2.5, TIMES = 2", "FELL = 1, TIMES = 2"],
    ["any_share_is_a_fall", "FELL = 2.5, TIMES = 2", "FELL = 2.5, TIMES = 0"],
    ["margin_unread", "mean(ends(margins).last) <= Math.max(0, mean(margins.slice(0, START)))", "false"],
    ["falls_less_than_the_margin_gains", "if (from - low <= ", "if (1e9 * (from - low) <= "],
    ["sinks_without_a_margin", "if (now <= 0 || low >= 0", "if (low >= 0"],
    ["chosen_reward_unread", "rewards.length > 0 && mean(ends(rewards).last) >= 0", "false"],
    ["wanted_by_apo_down", '.includes("apo_down")', '.includes("apo_up")'],
    ["twice_the_likelihood", 'set: ["sigmoid", "sft"]', 'set: ["sft"]'],
  ],
  "steps/diagnoses/preference_margin_blowup.ts": [
    ["blown_up_at_5", "const MARGIN = 50", "const MARGIN = 0.5"],
    ["held_out_unread", "now <= FEW_LEFT || follows ||", "now <= FEW_LEFT ||"],
    ["any_growth_runs_away", "!(now > BEYOND || isBehind || speedsUp)", "false"],
  ],
  "steps/diagnoses/repeated_token_degeneration.ts": [
    ["never", "facts.looping > LOOPING &&", "facts.looping > 20 &&"],
  ],
  "steps/diagnoses/resource_stall.ts": [
    ["longer_texts_too", "if (longer >= TWICE) return null", "if (longer >= 2e9) return null"],
    ["slower_once_is_ever_slower", "return now - before > noise && before - earlier > noise;", "return true;"],
    ["a_stop_left_behind_is_one", 'wentOn(view, stopped) ? "info" : ', ""],
  ],
  "steps/diagnoses/truncated_completions.ts": [
    ["with_a_good_reward_too", "if (solved || !floor && !noSpread && !low && !wrong)", "if (solved)"],
    ["never_a_warning", 'severity: isBad ? "warning" : "info"', 'severity: "info"'],
    ["rising_too", "    progress !== null && progress.to <= Math.min(progress.from + progress.chance, SOLVED)", "true"],
    ["rising_by_chance_is_rising", "CHANCE = 1.5;", "CHANCE = 0;"],
    ["first_half_unseen", "firstHalf(view, cut) ??", ""],
    ["few_are_enough", "if (cut.median <= MOST)", "if (cut.median <= 0.01)"],
    ["a_twentieth_creeps", "const CREPT = 0.14", "const CREPT = 0.05"],
    ["grown_by_nothing", "GREW = 0.1;", "GREW = 0;"],
    ["crept_at_the_end", " || levelsSince(course, left) < SINCE", ""],
  ],
  "steps/diagnoses/update_too_small.ts": [
    ["at_learning_rate_0_too", '(view.column("learning_rate")[record] ?? 1) > 0', "true"],
    ["clip_unseen", "clip > 0 && clip <= CRUSHING", "clip < 0"],
  ],
  "steps/diagnoses/zero_reward_variance.ts": [
    ["any_share", "if (level <= NO_SPREAD.groups ||", "if (level <= 0.01 ||"],
    ["also_where_rare_rewards_become_more", "if (rise > RISING) return null;", ""],
    ["short_runs_too", "known.length < SPARSE_RECORDS", "known.length < 1"],
    ["when_solved_too", "floorShare(view) > FLOOR || nearlySolved(view)", "floorShare(view) > FLOOR"],
  ],
  "steps/diagnoses/remedies/remedy.ts": [
    ["usual_rate_of_the_rollouts", "view.warmStart ?? view : view", "view : view"],
  ],
  "steps/diagnoses/view/readers.ts": [
    ["a_verifier_that_reads_little", "const KNOWN = 4, LARGE = 0.2", "const KNOWN = 4, LARGE = 0.05"],
    ["its_own_verifier", "name !== view.verifier", "true"],
  ],
  "steps/diagnoses/view/groups.ts": [
    ["sft_is_reinforcement", '!["sft", "dpo", "kto", "reward_model"]', '!["dpo", "kto"]'],
    [
      "smallest_group",
      "Math.max(...groups.map((group) => group.length))",
      "Math.min(...groups.map((group) => group.length))",
    ],
  ],
  "steps/diagnoses/view/non_finite.ts": [
    ["last_one", "const record = records[0];", "const record = records.at(-1);"],
    ["infinity_is_nan", "here.every((name) => !Number.isNaN(", "here.every((name) => Number.isNaN("],
  ],
  "steps/diagnoses/view/numbers.ts": [
    ["median_of_even", "greatest(moved, middle) / 2 + upper / 2", "upper"],
    ["deviation_is_the_mean", "moments(values).std", "moments(values).mean"],
    ["change_backwards", "by: to - from", "by: from - to"],
    ["trend_without_error", "Math.sign(slope) * Infinity) : slope / error", "Math.sign(slope) * Infinity) : slope"],
  ],
  "steps/diagnoses/view/rewards.ts": [
    ["negative_between", "(reward < 0 && Math.abs(reward - Math.round(reward)) <= PRINTED)", "false"],
    ["one_is_no_maximum", 'if (near(1) && functions.length <= 1) return "maximum"', ""],
    ["solved_at_half", "const NEARLY_SOLVED = 0.85", "const NEARLY_SOLVED = 0.4"],
    ["format_is_a_goal", 'if (FORMAT.test(name)) return "format"', 'if (FORMAT.test(name)) return "goal"'],
    ["ever_solved", "const RECENT = 10", "const RECENT = 1000"],
    ["a_fifth_at_the_floor", "const MOSTLY = 0.8", "const MOSTLY = 0.2"],
    ["counts_are_shares", "level <= WHOLE", "true"],
  ],
  "steps/diagnoses/view/spread.ts": [
    ["groups_over_train_steps", "`${row.trainStep} ${row.promptId} ", "`${row.promptId} "],
    ["almost_flat_is_flat", "{ flat: share >= ALL,", "{ flat: share >= 0.5,"],
    ["one_group_ties", "const MANY = 16", "const MANY = 1"],
  ],
  "steps/diagnoses/view/start.ts": [
    ["always_from_the_beginning", "view.trainSteps[0]! <= interval(view)", "view.trainSteps[0]! > 0"],
  ],
  "steps/diagnoses/view/table_view.ts": [
    ["warm_start_dropped", "own && !supervised ? warmStartView(metrics, before, settings) : null", "null"],
  ],
  "steps/diagnoses/view/texts.ts": [
    ["short_ones_are_token_zero", "return body.length >= SHORTEST &&", "return body.length >= 1 &&"],
    ["one_mismatch_ends_a_loop", "Math.floor(MISMATCHES * (tail.length - period))", "0"],
  ],
  "steps/diagnoses/view/truncation.ts": [
    ["cap_at_half", "value >= AT_CAP * cap", "value >= 0.5 * cap"],
  ],
  "steps/diagnoses/view/implied.ts": [
    ["spread_not_squared", "loss! / deviation! ** 2", "loss! / deviation!"],
  ],
  "steps/diagnoses/training_divergence.ts": [
    ["any_scatter", "now - usual > SURE * noise", "now - usual > 0 * noise"],
    ["where_it_came_back", "const AT_TOP = 0.7", "const AT_TOP = 0.05"],
  ],
  "steps/diagnoses/flat_reward_no_learning.ts": [
    ["quarters_apart", "Math.max(...means) - Math.min(...means) > QUARTERS_APART * apart", "false"],
    ["any_slope", "NO_SLOPE = 2.5", "NO_SLOPE = 250"],
  ],
  "steps/diagnoses/forgetting.ts": [
    ["any_loss", "fall.best - fall.end < LOST * Math.abs(fall.best)", "false"],
    ["chance_of_few_prompts", "own: 3", "own: 0.1"],
  ],
  "steps/diagnoses/length_inflation.ts": [
    ["grown_at_the_end", " || levelsSince(course, left) < SINCE", ""],
    ["wandering", "SURE = 4, SINCE", "SURE = 0, SINCE"],
    ["a_word_or_two", "course.now < TOKENS || ", ""],
  ],
  "steps/diagnoses/reward_hacking.ts": [
    ["of_a_level_near_zero", "LOST * Math.max(from, span)", "LOST * from"],
    ["of_a_span_far_below_zero", " || -by <= SMALL * Math.max(Math.abs(from), span)", ""],
  ],
  "steps/diagnoses/learning_plateau.ts": [
    ["stretches_that_overlap", "let to = at + 2 * width", "let to = at + width"],
    [
      "told_from_the_stretch_before",
      "levelOver(levels, at, at + width));",
      "levelOver(levels, Math.max(0, at - 1), at + width - 1));",
    ],
    ["flat_for_a_third", "const FLAT = 0.55", "const FLAT = 0.3"],
  ],
  "steps/diagnoses/gradient_spikes.ts": [
    ["as_large_as_at_first", "const LEVEL = 5", "const LEVEL = 0"],
  ],
  "steps/diagnoses/view/progress.ts": [
    ["a_thousandth_is_a_gain", "const NOTHING = 0.01", "const NOTHING = 0"],
    ["fewer_mistakes_by_chance", " && course.end - from > SURE * errorOf(course)", ""],
    ["any_change", "SURE = 2, SPAN = 0.1", "SURE = 0, SPAN = 0.1"],
    ["any_share_of_the_span", "SURE = 2, SPAN = 0.1", "SURE = 2, SPAN = 0"],
    ["a_mistake_less", "const LESS = 2 / 3", "const LESS = 0.99"],
    ["shares_below_a_half", "isShare && from > 0.5", "isShare"],
    ["one_evaluation_is_a_fall", 'direction === "falls" && !isConfirmed(course, from) ||', ""],
    ["no_floor_below_0", "-Math.ceil(-low - FINE)", "0"],
    ["flat_by_chance", "by + errorOf(course) <=", "by - errorOf(course) <="],
    ["first_before_what_falls", "const shown = fallen ?? all[0];", "const shown = all[0];"],
    ["no_paid_evaluation", 'isPaid: /^(?:.*\\/)?reward$/.test(series.column ?? "")', "isPaid: false"],
  ],
  "steps/diagnoses/view/wander.ts": [
    [
      "shared_by_one_mean",
      "2 * memory ** gap * within(memory, mine) * within(memory, theirs)",
      "2 * memory ** gap * within(memory, mine)",
    ],
  ],
  "steps/diagnoses/view/arrival.ts": [
    ["latest_is_the_nearest", "const RANGE = 2", "const RANGE = 0"],
  ],
  "steps/diagnoses/cost/cost.ts": [
    ["one_machine", 'devices * (settingNumber(view, "nodes") ?? 1)', "devices"],
  ],
  "steps/diagnoses/view/course.ts": [
    ["a_little_lower_confirms", "const border = (from + end) / 2", "const border = from"],
  ],
  "steps/diagnoses/view/falls.ts": [
    ["begins_three_quarters_down", "const LEFT = 0.25", "const LEFT = 0.75"],
    ["a_level_is_events", "SELDOM = 0.5, TOGETHER = 0.5", "SELDOM = 0.5, TOGETHER = 5"],
  ],
  "steps/diagnoses/view/collapse.ts": [
    ["solved_to_a_tenth", "const STILL_SOLVED = 0.9", "const STILL_SOLVED = 0.1"],
    ["half_of_the_spread", "1 - (best - end) / (2 * spread)", "1 - (best - end) / spread"],
    ["any_loss_in_training", "heldOut: 0.85, training: 0.7", "heldOut: 0.85, training: 0.99"],
    ["any_fall_is_open", "const DOUBTFUL = 2.33", "const DOUBTFUL = 0"],
    ["slight_falls_sooner", "half ? signal.sigma : SLIGHT", "signal.sigma"],
  ],
  "steps/diagnoses/view/terms.ts": [
    ["wandering_unseen", "Math.max(error, wandering, LEAST_ERROR)", "Math.max(error, LEAST_ERROR)"],
  ],
  "steps/diagnoses/view/learning_rate.ts": [
    ["two_records_idle", "LEAST_IDLE = 10", "LEAST_IDLE = 2"],
  ],
  "steps/diagnoses/view/gold.ts": [
    ["any_two_letters", "gold.length >= SHORTEST && ", ""],
  ],
});
