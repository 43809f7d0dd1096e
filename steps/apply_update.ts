/** The step `apply_update`: the policy-gradient updates of one rollout, and the metrics of the train step. @module */
import { z } from "zod";
import type { TrainSettings } from "../gpu/language_model.ts";
import { type Aggregation, AGGREGATIONS } from "../gpu/losses/aggregations.ts";
import { KL_ESTIMATORS, type KlEstimator } from "../gpu/losses/kl.ts";
import type { ClippedLoss } from "../gpu/losses/objectives.ts";
import { LOSS_PRESETS, type LossPresetName } from "../gpu/losses/presets.ts";
import { tableOf } from "../data/tables/mod.ts";
import { adamwAt, OPTIMIZER_PARAMS, optimizerProblems } from "./training/optimizer_params.ts";
import { locateNonFinite, MESSAGE_COLUMNS } from "./training/locate_non_finite.ts";
import { readRollout, type Rollout, slice } from "./training/rollout.ts";
import { METRIC_COLUMNS, UPDATE_COLUMNS, updateMetrics, updatesTable } from "./metrics/update_metrics.ts";
import { updateSize } from "./training/update_size.ts";
import { withoutEffect } from "./options/without_effect.ts";
import { mergeSettings, SETTING_COLUMNS } from "./options/settings_table.ts";
import { defineStep } from "./step.ts";

const params = z.strictObject({
  loss: z.literal("clipped").default("clipped").describe("the objective"),
  preset: z.enum(Object.keys(LOSS_PRESETS) as [LossPresetName, ...LossPresetName[]]).optional().describe(
    "aggregation and clip bounds under the name TRL or verl gives them; what is set here wins",
  ),
  aggregation: z.enum(Object.keys(AGGREGATIONS) as [Aggregation, ...Aggregation[]]).optional().describe(
    "how per-token losses become one number; token_mean if absent",
  ),
  clip_low: z.number().min(0).optional().describe("ε below 1; 0.2 if absent"),
  clip_high: z.number().min(0).optional().describe("ε above 1; 0.2 if absent"),
  ratio_cap: z.number().min(1).optional().describe(
    "upper bound of the ratio where the advantage is negative (dual clip)",
  ),
  kl_estimator: z.enum(Object.keys(KL_ESTIMATORS) as [KlEstimator, ...KlEstimator[]]).default("k3").describe(
    "estimator of the KL to the reference",
  ),
  kl_coef: z.number().min(0).default(0).describe("weight of the KL in the loss; needs a reference"),
  kl_times_ratio: z.boolean().default(false).describe(
    "multiply the KL by the ratio, gradient included (TRL use_bias_correction_kl)",
  ),
  updates_per_rollout: z.int().min(1).default(1).describe("updates on the same completions"),
  minibatches: z.int().min(1).default(1).describe(
    "slices of the rollout, one update each; divides updates_per_rollout",
  ),
  prompts_per_pass: z.int().min(1).optional().describe(
    "prompts per run of the graph: bounds memory, changes nothing else",
  ),
  ...OPTIMIZER_PARAMS,
  gradients_every: z.int().min(0).default(10).describe("train steps between rows of the table gradients; 0 = never"),
});

type Params = z.output<typeof params>;

export const applyUpdate = defineStep({
  about: "Update the policy on the rollout by the clipped objective",
  params,
  reads: {
    completions: [
      "prompt_id",
      "sample",
      "prompt",
      "truncated",
      "completion_tokens",
      "token_ids",
      "completion_mask",
      "sampler_logprobs",
      "advantage",
      { column: "ref_logprobs", param: "kl_coef", when: ({ kl_coef }) => kl_coef > 0 },
      { column: "ref_logprobs", optional: true },
      { column: "old_logprobs", optional: true },
      { column: "reward", optional: true },
      { column: "correct", optional: true },
    ],
    settings: [
      { column: "name", optional: true },
      { column: "value", optional: true },
      { column: "source", optional: true },
    ],
  },
  writes: {
    completions: ["old_logprobs"],
    metrics: METRIC_COLUMNS,
    updates: UPDATE_COLUMNS,
    gradients: ["train_step", "parameter", "grad_norm", "update_norm", "parameter_norm", "non_finite"],
    settings: SETTING_COLUMNS,
    messages: MESSAGE_COLUMNS,
  },
  needs: ["policy", "reference", "optimizer"],
  gives: [],
  pure: false,
  outputs: z.object({
    loss: z.number().nullable().describe("loss of the first update, nats per token"),
    grad_norm: z.number().nullable().describe("gradient norm of the first update, before clipping"),
    reward: z.number().nullable().describe("mean reward"),
    updates: z.int().describe("updates applied"),
  }),
  check(given) {
    const problems = optimizerProblems(given);
    if (given.kl_coef === 0) {
      problems.push(...withoutEffect(given, params.shape, ["kl_times_ratio"], "kl_coef is 0, want it above 0"));
    }
    if (given.updates_per_rollout % given.minibatches) {
      problems.push(
        `Cannot split ${given.updates_per_rollout} updates into passes over ${given.minibatches} minibatches: ` +
          `want updates_per_rollout to be a multiple of minibatches`,
      );
    }
    return problems;
  },
  async run(given, context) {
    const started = performance.now();
    const policy = context.resource("policy"), reference = context.resource("reference");
    const optimizer = context.resource("optimizer");
    if (given.kl_coef > 0 && !reference.exists) {
      throw new TypeError(
        `Cannot add KL to the loss: kl_coef is ${given.kl_coef} and the reference is none; set reference of load_model`,
      );
    }
    await optimizer.begin(context.stepId);
    const rollout = readRollout(context, policy, given.minibatches);
    const { aggregation, loss } = lossOf(given);
    const settings = mergeSettings(
      context,
      settingsOf(given, aggregation, loss, policy.model.trainable.count),
      () => "workflow",
    );
    if (settings) context.write({ settings });
    if (given.minibatches > 1 && context.position === 0) {
      rollout.oldLogprobs = (await policy.model.logprobs(rollout, passOptions(given, rollout))).logprobs;
      context.write({ completions: rollout.table() });
    }
    const rows: Record<string, unknown>[] = context.position > 0
      ? context.table("updates").objects() as Record<string, unknown>[]
      : [];
    for (let update = context.position + 1; update <= given.updates_per_rollout; update++) {
      const part = (update - 1) % given.minibatches;
      const batch = slice(rollout, part, given.minibatches);
      const onPolicy = update === 1;
      const settings: TrainSettings = {
        loss: { ...loss, onPolicy },
        aggregation,
        totals: {
          rolloutTokens: rollout.tokens,
          updates: given.minibatches,
          norm: rollout.maxNewTokens,
        },
        ...passOptions(given, rollout),
      };
      const result = await policy.model.accumulateGradient(batch, settings);
      const number = await optimizer.updates() + 1;
      const adamw = adamwAt(given, number);
      const applied = await policy.model.applyUpdate(adamw);
      if (!applied.applied && rows.every((row) => row["applied"] !== false)) {
        const located = await locateNonFinite(policy.model, batch, settings, context.trainStep);
        context.emit({ event: "message", text: `Update ${update} is not applied. First non-finite: ${located.text}` });
        context.write({ messages: located.table });
      }
      if (onPolicy && given.minibatches === 1) rollout.oldLogprobs = result.logprobs;
      const size = updateSize(applied, adamw.learningRate, policy.model.trainable.count);
      rows.push({
        train_step: context.trainStep,
        update,
        loss: result.loss,
        grad_norm: applied.gradNorm,
        clip_fraction: result.clipFraction,
        ratio_mean: result.ratioMean,
        kl: result.kl,
        entropy: result.entropy,
        learning_rate: adamw.learningRate,
        update_size: size.update_size,
        relative_update: size.relative_update,
        applied: applied.applied,
      });
      const last = update === given.updates_per_rollout;
      if (last) break;
      context.write({ completions: rollout.table(), updates: updatesTable(rows) });
      await context.safePoint(update);
    }
    const metrics = await updateMetrics(given, context, rollout, rows, { aggregation, loss, started });
    const every = given.gradients_every;
    const norms = every > 0 && (context.trainStep % every === 0 || metrics["non_finite"])
      ? await policy.model.parameterNorms(rows.at(-1)!["applied"] as boolean)
      : null;
    return {
      tables: {
        completions: rollout.table(),
        updates: updatesTable(rows),
        metrics: tableOf("metrics", Object.fromEntries(Object.entries(metrics).map(([k, v]) => [k, [v]]))),
        ...(norms
          ? {
            gradients: tableOf("gradients", {
              train_step: norms.map(() => context.trainStep),
              parameter: norms.map((n) => n.parameter),
              grad_norm: norms.map((n) => n.gradNorm),
              update_norm: norms.map((n) => n.updateNorm),
              parameter_norm: norms.map((n) => n.parameterNorm),
              non_finite: norms.map((n) => n.nonFinite),
            }),
          }
          : {}),
      },
      outputs: {
        loss: finite(rows[0]!["loss"]),
        grad_norm: finite(rows[0]!["grad_norm"]),
        reward: finite(metrics["reward"]),
        updates: rows.length,
      },
    };
  },
});

function lossOf(given: Params): { aggregation: Aggregation; loss: Omit<ClippedLoss, "onPolicy"> } {
  const preset = given.preset ? LOSS_PRESETS[given.preset] : null;
  return {
    aggregation: given.aggregation ?? preset?.aggregation ?? "token_mean",
    loss: {
      objective: "clipped",
      clipLow: given.clip_low ?? preset?.clip_low ?? 0.2,
      clipHigh: given.clip_high ?? preset?.clip_high ?? 0.2,
      ratioCap: given.ratio_cap ?? preset?.ratio_cap ?? null,
      ratioLevel: preset?.ratio_level ?? "token",
      kl: given.kl_coef > 0
        ? { estimator: given.kl_estimator, coefficient: given.kl_coef, timesRatio: given.kl_times_ratio }
        : null,
    },
  };
}

function settingsOf(
  given: Params,
  aggregation: Aggregation,
  loss: Pick<ClippedLoss, "clipLow" | "clipHigh">,
  trainable: number,
) {
  const { learning_rate, kl_coef, updates_per_rollout, minibatches, max_grad_norm, epsilon, schedule, weight_decay } =
    given;
  return {
    learning_rate,
    kl_coef,
    updates_per_rollout,
    minibatches,
    max_grad_norm,
    epsilon,
    clip_low: loss.clipLow,
    clip_high: loss.clipHigh,
    schedule,
    weight_decay,
    aggregation,
    trainable_parameters: trainable,
  };
}

function passOptions(given: Params, rollout: Rollout) {
  return {
    temperature: rollout.temperature,
    ...(given.prompts_per_pass ? { promptsPerPass: given.prompts_per_pass } : {}),
  };
}

function finite(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
