/** Every kind of step, in the order a run uses them. @module */
import { applyUpdate } from "./apply_update.ts";
import { bestOfN } from "./best_of_n.ts";
import { computeAdvantages } from "./compute_advantages.ts";
import { computeValues } from "./compute_values.ts";
import { diagnose } from "./diagnose.ts";
import { evaluate } from "./evaluate.ts";
import { exportModel } from "./export_model.ts";
import { filterGroups } from "./filter_groups.ts";
import { fineTune } from "./fine_tune.ts";
import { loadCritic } from "./load_critic.ts";
import { loadModel } from "./load_model.ts";
import { loadPreferences } from "./load_preferences.ts";
import { loadRewardModel } from "./load_reward_model.ts";
import { loadPrompts } from "./load_prompts.ts";
import { measureTokens } from "./measure_tokens.ts";
import { pairCompletions } from "./pair_completions.ts";
import { report } from "./report.ts";
import { sampleGreedy } from "./sample_greedy.ts";
import { sampleGroups } from "./sample_groups.ts";
import { scoreRewards } from "./score_rewards.ts";
import { trainPreferences } from "./train_preferences.ts";
import type { Step } from "./step.ts";
import { trainRewardModel } from "./train_reward_model.ts";
import { updateCritic } from "./update_critic.ts";

export const STEPS = {
  load_prompts: loadPrompts,
  load_preferences: loadPreferences,
  load_model: loadModel,
  load_critic: loadCritic,
  load_reward_model: loadRewardModel,
  fine_tune: fineTune,
  train_reward_model: trainRewardModel,
  train_preferences: trainPreferences,
  sample_groups: sampleGroups,
  sample_greedy: sampleGreedy,
  measure_tokens: measureTokens,
  score_rewards: scoreRewards,
  filter_groups: filterGroups,
  pair_completions: pairCompletions,
  compute_values: computeValues,
  compute_advantages: computeAdvantages,
  apply_update: applyUpdate,
  update_critic: updateCritic,
  evaluate,
  best_of_n: bestOfN,
  diagnose,
  export_model: exportModel,
  report,
  // deno-lint-ignore no-explicit-any
} as const satisfies Record<string, Step<any, any>>;

export type StepName = keyof typeof STEPS;
