/** Faults of the step `update_critic`: a critic that stays where it began. @module */
import { spoil } from "./change.ts";
import { faultsOf } from "./fault.ts";
import { overriding, withResource } from "./overriding.ts";
import type { LanguageModel } from "../../gpu/language_model.ts";
import type { StepContext } from "../step.ts";

const { altering, fault, setting } = faultsOf("update_critic");

const CRITIC = { causes: ["critic_not_learning"], lookAlike: "ppo" } as const;

/** The context whose critic has a model with some members replaced. */
function withCritic(context: StepContext, change: (model: LanguageModel) => Partial<LanguageModel>): StepContext {
  const critic = context.resource("critic");
  return withResource(context, "critic", overriding(critic, { model: overriding(critic.model, change(critic.model)) }));
}

export const CRITIC_FAULTS = {
  critic_learning_rate_zero: setting({
    ...CRITIC,
    about: "Update the critic at a learning rate of 0",
  }, () => ({ learning_rate: 0 })),
  critic_learning_rate_ten: setting({
    ...CRITIC,
    about: "Update the critic at a learning rate of 10",
  }, () => ({ learning_rate: 10 })),
  critic_nan_weight: altering({
    ...CRITIC,
    about: "Put one NaN among the weights of the critic",
    once: true,
  }, (context) => spoil(context.resource("critic").model.weights, "model.norm.weight", NaN)),
  critic_detached: fault({
    ...CRITIC,
    about: "Detach the loss of the critic from its parameters",
    around: (_, context) =>
      withCritic(context, (model) => ({
        async accumulateGradient(batch, settings) {
          const result = await model.accumulateGradient(batch, settings);
          model.weights.gradients.upload(new Float32Array(model.weights.layout.size));
          return result;
        },
      })),
  }),
  critic_on_copy: fault({
    ...CRITIC,
    about: "The optimizer updates a copy of the critic: its values never move",
    rule: "statistical",
    lookAlike: "ppo_slow_critic",
    around: (_, context) =>
      withCritic(context, (model) => ({
        async applyUpdate(adamw, decay) {
          const { layout, values } = model.weights;
          const before = values.download(new Float32Array(layout.size));
          const result = await model.applyUpdate(adamw, decay);
          model.weights.upload(before);
          return result;
        },
      })),
  }),
} as const;
