/** The step `apply_update`: the policy-gradient updates of one rollout, and the metrics of the train step. @module */
import { z } from "zod";
import type { Loss } from "../gpu/losses/mod.ts";
import { emptyTable, tableOf } from "../data/tables/mod.ts";
import { metricsRow, ROW_READS } from "./metrics/metrics_row.ts";
import { METRIC_COLUMNS, updateMetrics } from "./metrics/update_metrics.ts";
import { SETTING_COLUMNS, writeSettings } from "./options/settings_table.ts";
import type { SampleGroups } from "./sample_groups.ts";
import { defineStep, type StepContext } from "./step.ts";
import { beforeUpdates, dropsOut, keepOldLogprobs } from "./training/before_updates.ts";
import {
  CONTROLLER_PARAMS,
  controllerProblems,
  entropyCoefficient,
  klCoefficient,
  klReads,
} from "./training/coefficients.ts";
import { entropyOfUpdates, keepEntropy, keptEntropy, readsEntropy, writesEntropy } from "./training/entropy_before.ts";
import { MESSAGE_COLUMNS } from "./training/locate_non_finite.ts";
import {
  klEstimator,
  LOSS_PARAMS,
  type LossForm,
  lossForm,
  lossOf,
  lossProblems,
  readsWholeBatch,
} from "./training/loss_form.ts";
import { OPTIMIZER_PARAMS, optimizerProblems } from "./training/optimizer_params.ts";
import { passLimits } from "./training/pass_options.ts";
import { readRollout, type Rollout, slice } from "./training/rollout.ts";
import { ROLLOUT_UPDATE_PARAMS, rolloutUpdateCost, rolloutUpdateProblems } from "./training/rollout_updates.ts";
import { SAMPLER_PARAMS, samplerProblems } from "./training/sampler_correction.ts";
import { updateBatch } from "./training/update_batch.ts";
import { updateSettings } from "./training/update_settings.ts";
import { makeUpdate, UPDATE_COLUMNS, type UpdateRow, updatesTable } from "./training/update.ts";

const params = z.strictObject({
  ...LOSS_PARAMS,
  ...ROLLOUT_UPDATE_PARAMS,
  ...SAMPLER_PARAMS,
  ...CONTROLLER_PARAMS,
  ...OPTIMIZER_PARAMS,
  gradients_every: z.int().min(0).default(10).describe("train steps between rows of the table gradients; 0 = never"),
});

type Params = z.output<typeof params>;

export const applyUpdate = defineStep({
  about: "Update the policy on the rollout by a policy-gradient objective",
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
      { column: "advantages", optional: true },
      { column: "reward", optional: true },
      { column: "correct", optional: true },
      { column: "replayed_from", optional: true },
    ],
    groups: [{ column: "passed", optional: true }],
    metrics: [...ROW_READS, ...klReads("kl_coef")],
    updates: [{ column: "entropy_coef", optional: true }, { column: "entropy", optional: true }],
    settings: [
      { column: "name", optional: true },
      { column: "value", optional: true },
      { column: "source", optional: true },
    ],
  },
  writes: {
    completions: [{
      column: "old_logprobs",
      only: "with old_logprobs: trainer or without minibatches",
      when: ({ old_logprobs, minibatches }) => old_logprobs === "trainer" || minibatches === 1,
    }, {
      column: "entropy",
      only: "where the rollout is read before its first update",
      when: (given, earlier) => writesEntropy(given, earlier("sample_groups"), earlier("load_model")),
    }],
    metrics: [...METRIC_COLUMNS.filter((column) => column !== "kl"), {
      column: "kl",
      only: "with a reference",
      when: (_, earlier) => earlier("load_model")?.["reference"] !== "none",
    }],
    updates: UPDATE_COLUMNS,
    gradients: ["train_step", "parameter", "grad_norm", "update_norm", "parameter_norm", "non_finite"],
    settings: SETTING_COLUMNS,
    messages: MESSAGE_COLUMNS,
  },
  needs: ["policy", "reference", "optimizer"],
  cost: (given, facts) =>
    rolloutUpdateCost(given, facts, {
      what: "an update",
      entropy: given.entropy_coef !== 0 || given.entropy_target !== undefined,
      sampled: facts.earlier("sample_groups") as SampleGroups | null,
    }),
  outputs: z.object({
    loss: z.number().nullable().describe("loss of the first update, nats per token"),
    grad_norm: z.number().nullable().describe("gradient norm of the first update, before clipping"),
    reward: z.number().nullable().describe("mean reward"),
    updates: z.int().describe("updates applied"),
  }),
  check(given) {
    const problems = [
      ...optimizerProblems(given),
      ...lossProblems(given),
      ...samplerProblems(given),
      ...controllerProblems(given),
    ];
    if (given.prompts_per_pass !== undefined && problems.length === 0 && readsWholeBatch(given)) {
      problems.push(
        `Cannot use prompts_per_pass with loss "${
          lossForm(given).own.objective
        }": its tokens are compared with each other, ` +
          "want all of an update in one pass; leave it out",
      );
    }
    return [...problems, ...rolloutUpdateProblems(given)];
  },
  async run(given, context) {
    const started = performance.now();
    const policy = context.resource("policy");
    if (given.kl_coef > 0 && !context.resource("reference").exists) {
      throw new TypeError(
        `Cannot add KL to the loss: kl_coef is ${given.kl_coef} and the reference is none; set reference of load_model`,
      );
    }
    await context.resource("optimizer").begin(context.stepId);
    const rollout = readRollout(context, policy, given.minibatches);
    const form = adaptiveForm(given);
    writeSettings(context, updateSettings(given, form, policy.model.trainable.count));
    const passes = passOptions(given, rollout), entropy = readsEntropy(given, rollout, policy);
    const oldLogprobs = () => policy.model.logprobs(rollout, { ...passes, statistics: entropy.beside });
    const sampler = await beforeUpdates(given, context, rollout, async () => {
      const { logprobs, statistics } = await oldLogprobs();
      entropy.entropies = statistics.get("entropy");
      return logprobs;
    });
    if (entropy.isRead && context.position === 0) await keepEntropy(context, rollout, entropy, passes);
    const klCoef = klCoefficient(given, context, "kl_coef");
    const rows = await makeUpdates(given, context, rollout, { ...form, klCoef });
    const metrics = updateMetrics({ ...given, kl_estimator: klEstimator(given) }, context, rollout, rows, {
      ...form,
      started,
      klCoef,
      sampler,
      entropy: entropy.isRead
        ? keptEntropy(context.table("completions"), rollout)
        : entropyOfUpdates(rows, given.minibatches),
    });
    const every = given.gradients_every;
    const due = every > 0 && (context.trainStep % every === 0 || metrics.non_finite);
    return {
      tables: {
        updates: updatesTable(rows),
        metrics: metricsRow(context, metrics),
        ...(due ? { gradients: await gradientsTable(context, rows.at(-1)!.applied as boolean) } : {}),
      },
      outputs: {
        loss: finite(rows[0]!.loss),
        grad_norm: finite(rows[0]!.grad_norm),
        reward: finite(metrics.reward),
        updates: rows.filter(({ applied }) => applied).length,
      },
    };
  },
});

/** All updates of a rollout, from where the step left off. */
async function makeUpdates(
  given: Params,
  context: StepContext,
  rollout: Rollout,
  form: LossForm & { readonly klCoef: number },
): Promise<UpdateRow[]> {
  const { model } = context.resource("policy"), optimizer = context.resource("optimizer");
  const passes = passOptions(given, rollout);
  const { aggregation } = form, norm = rollout.maxNewTokens;
  const totals = { rolloutTokens: rollout.tokens, updates: given.minibatches, norm, ...form.totals };
  const resumed = context.position > 0;
  const rows = resumed ? context.table("updates").objects() as UpdateRow[] : [];
  for (let update = context.position + 1; update <= given.updates_per_rollout; update++) {
    const first = update === 1, loss = lossOf(form, first && given.old_logprobs === "trainer");
    const entropy = entropyCoefficient(given, context, rows.length ? updatesTable(rows) : emptyTable("updates"));
    const part = slice(rollout, (update - 1) % given.minibatches, given.minibatches);
    if (part.completionMask.every((row) => Array.prototype.every.call(row, (counts) => counts === 0))) {
      const text =
        `Update ${update} has no token that counts: it teaches nothing; look at completion_mask, mask_truncated`;
      context.emit({ event: "message", text });
    }
    const inputs = { ...part.inputs, kl_coef: form.klCoef, entropy_coef: entropy.weight };
    const { result, row, nonFinite } = await makeUpdate(model, {
      batch: await updateBatch(model, { ...part, inputs }, {
        loss,
        topEntropyFraction: given.top_entropy_fraction,
        passes,
        draws: { seed: context.seed, trainStep: context.trainStep, update },
      }),
      settings: { loss: loss as Loss, aggregation, totals, ...passes },
      optimizer: given,
      trainStep: context.trainStep,
      number: await optimizer.updates() + 1,
      ...(given.entropy_target === undefined ? {} : { entropyCoef: entropy.value }),
      earlier: rows,
    });
    rows.push(row);
    if (nonFinite !== null) {
      context.emit({ event: "message", text: `Update ${update} is not applied. First non-finite: ${nonFinite.text}` });
      context.write({ messages: nonFinite.table });
    }
    if (first && given.minibatches === 1 && !dropsOut(context.resource("policy"))) {
      keepOldLogprobs(context, rollout, result.logprobs);
    }
    if (update === given.updates_per_rollout) break;
    context.write({ updates: updatesTable(rows) });
    await context.safePoint(update);
  }
  return rows;
}

/** The loss, with coefficients that follow a target as inputs of the graph, and weights of the sampler where asked for. */
function adaptiveForm(given: Params): LossForm {
  const followsEntropy = given.entropy_target !== undefined;
  // The term is there even where its first weight is 0.
  const form = lossForm(followsEntropy ? { ...given, entropy_coef: given.entropy_coef || 1 } : given);
  const { kl, entropy, offPolicy } = form.shared;
  return {
    ...form,
    shared: {
      ...form.shared,
      ...(kl && given.kl_target !== undefined ? { kl: { ...kl, coefficient: null } } : {}),
      ...(entropy && followsEntropy ? { entropy: { ...entropy, coefficient: null } } : {}),
      ...(given.sampler_weights === "none" ? {} : { samplerWeights: given.sampler_weights }),
      ...(offPolicy && given.sampler_weights !== "none"
        ? { offPolicy: { ...offPolicy, logprobs: "sampler_logprobs" as const } }
        : {}),
    },
  };
}

/** The table `gradients`: every parameter at the last update. */
async function gradientsTable(context: StepContext, applied: boolean) {
  const norms = await context.resource("policy").model.parameterNorms(applied);
  return tableOf("gradients", {
    train_step: norms.map(() => context.trainStep),
    parameter: norms.map((n) => n.parameter),
    grad_norm: norms.map((n) => n.gradNorm),
    update_norm: norms.map((n) => n.updateNorm),
    parameter_norm: norms.map((n) => n.parameterNorm),
    non_finite: norms.map((n) => n.nonFinite),
  });
}

function passOptions(given: Params, { temperature }: Rollout) {
  return { temperature, ...passLimits(given) };
}

function finite(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}
