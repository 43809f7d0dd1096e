/** What `apply_update` says in the table `settings`. @module */
import { klEstimator, type LossForm, type LossOptions } from "./loss_form.ts";
import type { OptimizerParams } from "./optimizer_params.ts";

type Given = LossOptions & OptimizerParams & {
  readonly updates_per_rollout: number;
  readonly minibatches: number;
};

/** The options in force, defaults and the preset's among them. */
export function updateSettings(given: Given, { aggregation, objective, own }: LossForm, trainable: number) {
  const { learning_rate, kl_coef, updates_per_rollout, minibatches, max_grad_norm, epsilon, schedule, weight_decay } =
    given;
  return {
    learning_rate,
    kl_coef,
    updates_per_rollout,
    minibatches,
    max_grad_norm,
    epsilon,
    loss: own.objective,
    ...(given.preset === undefined ? {} : { preset: given.preset }),
    ...(kl_coef > 0 ? { kl_estimator: klEstimator(given) } : {}),
    ...(given.entropy_coef > 0 ? { entropy_coef: given.entropy_coef } : {}),
    ...(given.top_entropy_fraction < 1 ? { top_entropy_fraction: given.top_entropy_fraction } : {}),
    ...(given.off_policy_threshold === undefined ? {} : { off_policy_threshold: given.off_policy_threshold }),
    importance_level: "ratioLevel" in own ? String(own.ratioLevel) : "token",
    ...objective.settings(own),
    schedule,
    weight_decay,
    aggregation,
    trainable_parameters: trainable,
  };
}
