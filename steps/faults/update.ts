/** Faults of the step `apply_update`: settings of the update, and what reaches the loss and the weights. @module */
import { z } from "zod";
import type { TrainSettings } from "../../gpu/training/train_batch.ts";
import { faultsOf } from "./fault.ts";
import { toBfloat16 } from "./bfloat16.ts";
import { changeWeights } from "./change.ts";
import { onlyTokenZero } from "./token_zero.ts";
import { detached, trainedOn, withModel } from "./overriding.ts";

const { fault, setting } = faultsOf("apply_update");

/** Settings whose objective reads old log-probs where it takes none. */
function offPolicy(settings: TrainSettings): TrainSettings {
  return { ...settings, loss: { ...settings.loss, onPolicy: false } as typeof settings.loss };
}

export const UPDATE_FAULTS = {
  // ***** settings *****
  learning_rate_zero: setting({
    about: "Set the learning rate to 0",
    causes: ["learning_rate_zero"],
    lookAlike: "warm_up",
  }, () => ({ learning_rate: 0 })),
  learning_rate_ten: setting({
    about: "Set the learning rate to 10",
    causes: ["learning_rate_too_high"],
    lookAlike: "fast_learning",
  }, () => ({ learning_rate: 10 })),
  learning_rate_times_1000: setting({
    about: "Multiply the learning rate by 1000",
    causes: ["learning_rate_too_high"],
    lookAlike: "fast_learning",
    params: z.strictObject({ factor: z.number().positive().default(1000) }),
  }, ({ factor }, params) => ({ learning_rate: Number(params["learning_rate"]) * factor })),
  learning_rate_tiny: setting({
    about: "Set the learning rate to 1e-12",
    causes: ["update_too_small"],
    lookAlike: "slow_learning",
  }, () => ({ learning_rate: 1e-12 })),
  crushing_clip: setting({
    about: "Clip the gradient to a norm of 1e-9",
    causes: ["update_too_small"],
    lookAlike: "tight_clip",
  }, () => ({ max_grad_norm: 1e-9 })),
  huge_epsilon: setting({
    about: "Set the optimizer's epsilon to 1e4",
    causes: ["update_too_small"],
    lookAlike: "slow_learning",
  }, () => ({ epsilon: 1e4 })),
  clip_range_zero: setting({
    about: "Set the clip range to 0",
    causes: ["invalid_config_value"],
    lookAlike: "reused_rollouts",
  }, () => ({ clip_low: 0, clip_high: 0, updates_per_rollout: 4 })),
  huge_kl_coef: setting({
    about: "Weigh the KL so heavily that no reward can outweigh it",
    causes: ["invalid_config_value"],
    lookAlike: "kl_in_loss",
    params: z.strictObject({ kl_coef: z.number().positive().default(1000) }),
  }, ({ kl_coef }) => ({ kl_coef })),
  too_many_updates: setting({
    about: "Reuse each rollout for many large updates",
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
  old_logprobs_nan: fault({
    about: "The log-probabilities of the policy that sampled are NaN",
    causes: ["old_logprob_nan"],
    around: (_, context) =>
      trainedOn(context, (batch, settings) => ({
        batch: { inputs: { ...batch.inputs, old_logprobs: batch.completions.map(() => NaN) } },
        settings: offPolicy(settings),
      })),
  }),
  old_logprobs_nan_verl: fault({
    about:
      'The sampler wrote only token 0, "!", and the log-probabilities recomputed before the updates are NaN, as in verl',
    causes: ["old_logprob_nan"],
    lookAlike: "minibatches",
    around(_, context) {
      onlyTokenZero(context);
      return withModel(context, (model) => ({
        async logprobs(sequences, options) {
          const result = await model.logprobs(sequences, options);
          return { ...result, logprobs: result.logprobs.map((row) => row.map(() => NaN)) };
        },
        accumulateGradient: (batch, settings) => model.accumulateGradient(batch, offPolicy(settings)),
      }));
    },
  }),
  old_logprobs_nan_trl: fault({
    about: 'The sampler wrote only token 0, "!", and the log-probabilities of the one update are NaN, as in TRL',
    causes: ["old_logprob_nan"],
    around(_, context) {
      onlyTokenZero(context);
      return trainedOn(context, (batch, settings) => ({
        batch: { inputs: { ...batch.inputs, old_logprobs: batch.completions.map(() => NaN) } },
        settings: offPolicy(settings),
      }));
    },
  }),
  stale_old_logprobs: fault({
    about: "The log-probabilities of the policy that sampled belong to another version of it",
    causes: ["rollout_trainer_mismatch"],
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
            offPolicy(settings),
          );
        },
      })),
  }),
  nan_loss: fault({
    about: "The loss is NaN: a division by a count of 0",
    causes: ["nan_loss"],
    lookAlike: "zero_loss",
    around: (_, context) =>
      trainedOn(
        context,
        (batch) => ({ batch: { inputs: { ...batch.inputs, advantages: batch.completions.map(() => NaN) } } }),
      ),
  }),
  // ***** what reaches the weights *****
  detached_loss: fault({
    about: "No gradient arrives: the loss is detached from the parameters",
    causes: ["broken_gradient_path"],
    lookAlike: "zero_loss",
    around: (_, context) => detached(context),
  }),
  optimizer_on_copy: fault({
    about: "The optimizer updates a copy of the parameters: the policy never moves",
    causes: ["update_too_small"],
    rule: "statistical",
    lookAlike: "slow_learning",
    around: (_, context) =>
      withModel(context, (model) => ({
        async applyUpdate(adamw, decay) {
          const { layout, values } = model.weights;
          const before = values.download(new Float32Array(layout.size));
          const result = await model.applyUpdate(adamw, decay);
          model.weights.upload(before);
          return result;
        },
      })),
  }),
  bfloat16_weights: fault({
    about: "Keep the weights in bfloat16 at a small learning rate: rounding swallows the updates",
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
