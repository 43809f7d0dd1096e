/** Faults of the step `apply_update`: settings of the update, and what reaches the loss and the weights. @module */
import { z } from "zod";
import { defineFault, NO_PARAMS, setting } from "./fault.ts";
import { toBfloat16 } from "./bfloat16.ts";
import { changeWeights } from "./change.ts";
import { withModel } from "./overriding.ts";

const step = "apply_update";

export const UPDATE_FAULTS = {
  // ***** settings *****
  learning_rate_zero: setting({
    about: "Set the learning rate to 0",
    step,
    causes: ["learning_rate_zero"],
    rule: "exact",
    lookAlike: "warm_up",
    params: NO_PARAMS,
  }, () => ({ learning_rate: 0 })),
  learning_rate_ten: setting({
    about: "Set the learning rate to 10",
    step,
    causes: ["learning_rate_too_high"],
    rule: "exact",
    lookAlike: "fast_learning",
    params: NO_PARAMS,
  }, () => ({ learning_rate: 10 })),
  learning_rate_times_1000: setting({
    about: "Multiply the learning rate by 1000",
    step,
    causes: ["learning_rate_too_high"],
    rule: "exact",
    lookAlike: "fast_learning",
    params: z.strictObject({ factor: z.number().positive().default(1000) }),
  }, ({ factor }, params) => ({ learning_rate: Number(params["learning_rate"]) * factor })),
  learning_rate_tiny: setting({
    about: "Set the learning rate to 1e-12",
    step,
    causes: ["update_too_small"],
    rule: "exact",
    lookAlike: "slow_learning",
    params: NO_PARAMS,
  }, () => ({ learning_rate: 1e-12 })),
  crushing_clip: setting({
    about: "Clip the gradient to a norm of 1e-9",
    step,
    causes: ["update_too_small"],
    rule: "exact",
    lookAlike: "tight_clip",
    params: NO_PARAMS,
  }, () => ({ max_grad_norm: 1e-9 })),
  huge_epsilon: setting({
    about: "Set the optimizer's epsilon to 1e4",
    step,
    causes: ["update_too_small"],
    rule: "exact",
    lookAlike: "slow_learning",
    params: NO_PARAMS,
  }, () => ({ epsilon: 1e4 })),
  clip_range_zero: setting({
    about: "Set the clip range to 0",
    step,
    causes: ["invalid_config_value"],
    rule: "exact",
    lookAlike: "reused_rollouts",
    params: NO_PARAMS,
  }, () => ({ clip_low: 0, clip_high: 0, updates_per_rollout: 4 })),
  huge_kl_coef: setting({
    about: "Weigh the KL so heavily that no reward can outweigh it",
    step,
    causes: ["invalid_config_value"],
    rule: "exact",
    lookAlike: "kl_in_loss",
    params: z.strictObject({ kl_coef: z.number().positive().default(1000) }),
  }, ({ kl_coef }) => ({ kl_coef })),
  too_many_updates: setting({
    about: "Reuse each rollout for many large updates",
    step,
    causes: ["excessive_clipping"],
    rule: "statistical",
    lookAlike: "reused_rollouts",
    params: z.strictObject({
      updates_per_rollout: z.int().min(2).default(20),
      learning_rate: z.number().positive().default(6e-4),
      clip: z.number().positive().default(0.05).describe("clip_low and clip_high"),
    }),
  }, ({ clip, ...given }) => ({ ...given, clip_low: clip, clip_high: clip })),
  // ***** what the loss reads *****
  old_logprobs_nan: defineFault({
    about: "The log-probabilities of the policy that sampled are NaN",
    step,
    causes: ["old_logprob_nan"],
    rule: "exact",
    lookAlike: "grpo",
    params: NO_PARAMS,
    around: (_, context) =>
      withModel(context, (model) => ({
        accumulateGradient: (batch, settings) =>
          model.accumulateGradient(
            { ...batch, inputs: { ...batch.inputs, old_logprobs: batch.completions.map(() => NaN) } },
            { ...settings, loss: { ...settings.loss, onPolicy: false } as typeof settings.loss },
          ),
      })),
  }),
  stale_old_logprobs: defineFault({
    about: "The log-probabilities of the policy that sampled belong to another version of it",
    step,
    causes: ["rollout_trainer_mismatch"],
    rule: "exact",
    lookAlike: "reused_rollouts",
    params: z.strictObject({ shift: z.number().default(0.1).describe("nats per token") }),
    around: ({ shift }, context) =>
      withModel(context, (model) => ({
        async accumulateGradient(batch, settings) {
          const { logprobs } = await model.logprobs(batch, { temperature: settings.temperature });
          return model.accumulateGradient(
            {
              ...batch,
              inputs: { ...batch.inputs, old_logprobs: logprobs.map((row) => row.map((value) => value - shift)) },
            },
            { ...settings, loss: { ...settings.loss, onPolicy: false } as typeof settings.loss },
          );
        },
      })),
  }),
  nan_loss: defineFault({
    about: "The loss is NaN: a division by a count of 0",
    step,
    causes: ["nan_loss"],
    rule: "exact",
    lookAlike: "zero_loss",
    params: NO_PARAMS,
    around: (_, context) =>
      withModel(context, (model) => ({
        accumulateGradient: (batch, settings) =>
          model.accumulateGradient(
            { ...batch, inputs: { ...batch.inputs, advantages: batch.completions.map(() => NaN) } },
            settings,
          ),
      })),
  }),
  // ***** what reaches the weights *****
  detached_loss: defineFault({
    about: "No gradient arrives: the loss is detached from the parameters",
    step,
    causes: ["broken_gradient_path"],
    rule: "exact",
    lookAlike: "zero_loss",
    params: NO_PARAMS,
    around: (_, context) =>
      withModel(context, (model) => ({
        async accumulateGradient(batch, settings) {
          const result = await model.accumulateGradient(batch, settings);
          model.weights.gradients.upload(new Float32Array(model.weights.layout.size));
          return result;
        },
      })),
  }),
  optimizer_on_copy: defineFault({
    about: "The optimizer updates a copy of the parameters: the policy never moves",
    step,
    causes: ["update_too_small"],
    rule: "statistical",
    lookAlike: "slow_learning",
    params: NO_PARAMS,
    around: (_, context) =>
      withModel(context, (model) => ({
        async applyUpdate(adamw, decay) {
          const { layout, values } = model.weights;
          const before = values.download(new Float32Array(layout.size));
          const result = await model.applyUpdate(adamw, decay);
          values.upload(before);
          return result;
        },
      })),
  }),
  bfloat16_weights: defineFault({
    about: "Keep the weights in bfloat16 at a small learning rate: rounding swallows the updates",
    step,
    causes: ["update_too_small"],
    rule: "statistical",
    lookAlike: "slow_learning",
    params: z.strictObject({ learning_rate: z.number().positive().default(1e-8) }),
    before: ({ learning_rate }, params) => ({ ...params, learning_rate }),
    around: (_, context) =>
      withModel(context, (model) => ({
        async applyUpdate(adamw, decay) {
          const { layout, values } = model.weights;
          changeWeights(model.weights, (_name, weights) => toBfloat16(weights));
          const before = values.download(new Float32Array(layout.size));
          const result = await model.applyUpdate(adamw, decay);
          changeWeights(model.weights, (_name, weights) => toBfloat16(weights));
          const after = values.download(new Float32Array(layout.size));
          let squares = 0;
          for (let i = 0; i < after.length; i++) squares += (after[i]! - before[i]!) ** 2;
          return { ...result, updateNorm: Math.sqrt(squares) };
        },
      })),
  }),
} as const;
