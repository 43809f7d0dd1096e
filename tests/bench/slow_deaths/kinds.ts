/** The kinds of slow death: what causes each, its twin without the cause, and by what a run of it counts as dead. @module */
import { type Draw, NUMERIC, OTHER, proxy, type Rollout, rollout } from "./documents.ts";
import { FALLS, type Kind } from "./kind.ts";
import { PREFERENCE_KINDS } from "./preference_kinds.ts";
import { behind, both, confirmed, type Died, either, fell, grewWithoutGain, reaches, spikes, stays } from "./truth.ts";

const RIGHT = { uses: "verifier" };
const usual = (draw: Draw) => rollout(draw);
type Given = Rollout | ((draw: Draw) => Rollout);

/** A kind of rollout: what it changes of the usual run, or of its twin. */
const kind = (
  [cause, ...also]: readonly [string, ...string[]],
  why: string,
  given: Given,
  died: Died,
  more: { readonly from?: number; readonly twin?: Rollout } = {},
): Kind => ({
  cause,
  also,
  why,
  document: (draw) => rollout(draw, typeof given === "function" ? given(draw) : given),
  twin: more.twin === undefined ? usual : (draw) => rollout(draw, more.twin),
  from: more.from ?? 1,
  died,
});

/** Proxies and their twins are trained slowly, so that the fall can be watched. */
const SLOW: Rollout = { update: { learning_rate: 1e-4 } };
const hacked = (name: string, weight: (draw: Draw) => number, cap: number, options = {}): Given => (draw) => ({
  ...SLOW,
  sample: { max_new_tokens: cap },
  rewards: [RIGHT, proxy(name, weight(draw), options)],
});
const HARD = { task: "sorting_digits", min_length: 6, max_length: 7 };
const PPO: Rollout = {
  sample: { prompts_per_step: 32, group_size: 1 },
  advantages: { estimator: "gae", gamma: 1, lambda: 0.5 },
  update: { preset: "vanilla" },
  critic: { learning_rate: 1e-3 },
};
export const KINDS = {
  // ***** a proxy that can be hacked: while the goal falls, that is the cause, whatever form it takes *****
  length_bonus: kind(
    ["reward_hacking", "length_inflation", "truncated_completions"],
    "a bonus for long answers beside the verifier",
    hacked("length", (draw) => draw.between(4, 6), 12, { target: 10 }),
    FALLS,
    { twin: SLOW },
  ),
  keyword_bonus: kind(
    ["reward_hacking", "length_inflation", "truncated_completions"],
    "a bonus for a word, as often as it occurs",
    hacked("keyword", (draw) => draw.between(1.8, 2.4), 8, { word: "7", target: 3 }),
    FALLS,
    { twin: SLOW },
  ),
  repetition_bonus: kind(
    ["reward_hacking", "repeated_token_degeneration", "length_inflation", "truncated_completions"],
    "a bonus that repeated characters earn",
    hacked("repetition", (draw) => draw.between(4, 5), 10, { target: 4 }),
    FALLS,
    { twin: SLOW },
  ),
  copied_prompt: kind(
    ["reward_hacking"],
    "a bonus for the prompt's own digits",
    (draw) => ({ update: { learning_rate: 4e-4 }, rewards: [RIGHT, proxy("copy", draw.between(6, 9))] }),
    FALLS,
  ),
  brevity_bonus: kind(
    ["reward_hacking", "length_collapse"],
    "every token costs more than a right answer brings",
    hacked("brevity", (draw) => draw.between(4, 5), 6, { target: 6 }),
    FALLS,
    { twin: SLOW },
  ),
  cap_bites: kind(
    ["reward_hacking", "truncated_completions", "length_inflation"],
    "a bonus for length that the cap does not leave room for",
    hacked("length", (draw) => draw.between(5, 6.5), 6, { target: 6 }),
    FALLS,
    { twin: SLOW },
  ),
  length_without_gain: kind(
    ["length_inflation", "reward_hacking", "truncated_completions"],
    "a bonus for leading zeros, which leave a number as right or wrong as it is",
    (draw) => ({
      prompts: NUMERIC,
      sample: { max_new_tokens: 14 },
      rewards: [RIGHT, proxy("padding", draw.between(3.5, 5.5), { target: 8 })],
    }),
    grewWithoutGain("completions/mean_length", 2, 0.1),
    { twin: { prompts: NUMERIC, sample: { max_new_tokens: 14 } } },
  ),
  // ***** several rewards, and wrong ones *****
  large_style: kind(
    ["reward_hacking", "reward_imbalance"],
    "a judge of style that likes large digits has nearly all of the variance",
    (draw) => ({ ...SLOW, rewards: [RIGHT, proxy("large", 1, { size: draw.between(6, 9) }, "style")] }),
    FALLS,
    { twin: SLOW },
  ),
  drowned_verifier: kind(
    ["reward_imbalance", "flat_reward_no_learning", "learning_plateau"],
    "a second reward of pure noise has nearly all of the variance",
    (draw) => ({
      rewards: [RIGHT, proxy("outlier", 1, { chance: 1, size: draw.between(1.5, 2.2) }, "style")],
      update: { learning_rate: 2e-4 },
    }),
    either(FALLS, behind(0.1)),
  ),
  noisy_verifier: kind(
    ["flat_reward_no_learning", "learning_plateau"],
    "the judge is wrong nearly as often as right",
    (draw) => ({
      rewards: [proxy("noisy", 1, { chance: draw.between(0.38, 0.42) }, "judge")],
      update: { learning_rate: 1.5e-4 },
    }),
    either(FALLS, behind(0.1)),
  ),
  outlier_rewards: kind(
    ["gradient_spikes", "learning_plateau", "flat_reward_no_learning"],
    "rare rewards of a hundred times the size, not divided by their spread",
    (draw) => ({
      rewards: [RIGHT, proxy("outlier", 1, { chance: 0.0015, size: draw.between(250, 500) }, "bonus")],
      advantages: { estimator: "dr_grpo" },
      update: { max_grad_norm: 1e4 },
    }),
    spikes("grad_norm", 20, 4),
    { twin: { advantages: { estimator: "dr_grpo" } } },
  ),
  // ***** rates and reuse *****
  greedy_reuse: kind(
    ["entropy_collapse", "learning_plateau", "kl_explosion"],
    "four updates of each rollout at twice the rate use up the entropy",
    (draw) => ({ update: { updates_per_rollout: 4, learning_rate: draw.between(5e-4, 7e-4) } }),
    either(FALLS, both(stays("entropy", (value) => value < 0.15, 0.8), behind(0.05))),
  ),
  endless_warmup: kind(
    ["reward_collapse", "learning_rate_too_high", "kl_explosion"],
    "a warm-up as long as the run to a peak ten times too high",
    (draw) => ({ update: { learning_rate: draw.between(2.5e-3, 4e-3), warmup_updates: 520 } }),
    FALLS,
    { from: 150 },
  ),
  small_batch: kind(
    ["flat_reward_no_learning", "learning_plateau", "reward_collapse"],
    "one prompt a step at the rate of four",
    (draw) => ({ sample: { prompts_per_step: 1 }, update: { learning_rate: draw.between(3e-4, 4.5e-4) } }),
    either(FALLS, behind(0.1)),
  ),
  no_kl: kind(
    ["kl_explosion", "reward_collapse", "learning_plateau"],
    "the KL is switched off where the judge is noisy and the rate is high",
    (draw) => ({
      rewards: [proxy("noisy", 1, { chance: 0.3 }, "judge")],
      update: { learning_rate: draw.between(6e-4, 8e-4) },
    }),
    both(stays("kl", (value) => value > 0.3), either(FALLS, behind(0.1))),
    { twin: { rewards: [proxy("noisy", 1, { chance: 0.1 }, "judge")], update: { kl_coef: 0.05 } } },
  ),
  many_updates: kind(
    ["reward_collapse", "excessive_clipping", "kl_explosion", "entropy_collapse"],
    "eight updates of each rollout at a rate that grows",
    (draw) => ({
      sample: { prompts_per_step: 2 },
      update: { updates_per_rollout: 8, learning_rate: draw.between(1.5e-3, 2.5e-3), warmup_updates: 4000 },
    }),
    confirmed(reaches("clip_ratio/region_mean", (value) => value > 0.12), FALLS),
  ),
  rate_spent: kind(
    ["learning_plateau", "learning_rate_zero"],
    "the schedule ends after a fifth of the run",
    (draw) => ({ update: { schedule: "linear", schedule_updates: Math.round(draw.between(90, 150)) } }),
    behind(0.08),
    { from: 90 },
  ),
  entropy_bonus: kind(
    ["reward_collapse", "truncated_completions"],
    "an entropy bonus that outweighs the reward",
    (draw) => ({ sample: { max_new_tokens: 10 }, update: { entropy_coef: draw.between(0.125, 0.15) } }),
    FALLS,
  ),
  stale_sampler: kind(
    ["rollout_trainer_mismatch", "kl_explosion", "reward_collapse", "learning_plateau"],
    "the sampler's weights are no longer renewed",
    { faults: [{ kind: "stale_sampler", from: 150 }] },
    either(FALLS, behind(0.08)),
    { from: 150 },
  ),
  // ***** what there is to learn *****
  saturated: kind(
    ["all_correct_saturated", "learning_plateau"],
    "the task is solved after a fifth of the run",
    { prompts: { task: "sorting_digits", min_length: 2, max_length: 2 }, update: { learning_rate: 6e-4 } },
    stays("frac_reward_zero_std", (value) => value > 0.6),
  ),
  few_prompts: kind(
    ["overfitting", "all_correct_saturated", "entropy_collapse", "learning_plateau"],
    "two dozen prompts again and again",
    {
      prompts: {
        task: "sorting_digits",
        min_length: 2,
        max_length: 3,
        limit: 120,
        splits: { train: 0.2, validation: 0.1, held_out: 0.7 },
      },
      update: { learning_rate: 4e-4 },
    },
    both(stays("frac_reward_zero_std", (value) => value > 0.5, 0.9), behind(0.08, { learnt: true })),
  ),
  too_hard: kind(
    ["all_incorrect_reward_floor", "flat_reward_no_learning", "zero_reward_variance"],
    "strings twice as long as those that the policy knows",
    { prompts: HARD, sample: { max_new_tokens: 9 } },
    stays("reward", (value) => value < 0.05),
  ),
  jump_to_hard: kind(
    ["all_incorrect_reward_floor", "reward_collapse", "flat_reward_no_learning", "zero_reward_variance"],
    "the curriculum goes on to strings twice as long",
    { steps: 220, sample: { max_new_tokens: 9 }, then: [{ steps: 300, prompts: HARD }] },
    stays("reward", (value) => value < 0.08),
    { from: 221 },
  ),
  group_of_two: kind(
    ["group_size_too_small", "zero_reward_variance", "learning_plateau", "flat_reward_no_learning"],
    "two completions of each prompt",
    { sample: { prompts_per_step: 4, group_size: 2 } },
    behind(0.1),
  ),
  forgetting: kind(
    ["forgetting", "overfitting"],
    "what is no longer trained on is unlearned",
    { base: "mixed", prompts: OTHER, other: true, update: { learning_rate: 6e-4 } },
    fell(0.08, ({ column }) => column("eval_other/accuracy")),
    { twin: { base: "mixed", other: true } },
  ),
  critic_runs_away: kind(
    ["critic_not_learning", "learning_plateau", "flat_reward_no_learning", "reward_collapse"],
    "the critic's rate never stops growing",
    (draw) => ({ ...PPO, critic: { learning_rate: draw.between(6e-3, 1.2e-2), warmup_updates: 520 } }),
    either(
      fell(0.08, ({ column }) => column("critic/vf_explained_var")),
      stays("critic/vf_explained_var", (value) => value < 0.05),
    ),
    { twin: PPO },
  ),
  ...PREFERENCE_KINDS,
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;
