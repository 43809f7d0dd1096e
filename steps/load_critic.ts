/** The step `load_critic`: the critic of PPO, on a body of its own or on the policy's. @module */
import { z } from "zod";
import { readModelConfig } from "../data/hub/config.ts";
import type { LanguageModel } from "../gpu/language_model.ts";
import { modelConfig } from "../gpu/models/config.ts";
import { SCORE } from "../gpu/models/parameters.ts";
import type { Cost, CostFacts } from "./cost/cost.ts";
import { scalarBytes } from "./cost/scalar_bytes.ts";
import { adapterProblems, SCALAR_ADAPTER } from "./options/lora.ts";
import { SETTING_COLUMNS, writeSettings } from "./options/settings_table.ts";
import { withoutEffect } from "./options/without_effect.ts";
import { adapterSettings, modelTensors, savedAdapter } from "./resources/adapter.ts";
import { Critic } from "./resources/critic.ts";
import type { Policy } from "./resources/policy.ts";
import { findFolder, readTensors } from "./resources/model_source.ts";
import { scalarBeside } from "./resources/scalar_adapter.ts";
import { requireTower } from "./resources/tower_fit.ts";
import { defineStep } from "./step.ts";

const params = z.strictObject({
  body: z.enum(["own", "policy"]).default("own").describe(
    "own: a body of its own, which trains; policy: the policy's body as it is when values are computed, of which only " +
      "the head trains",
  ),
  model: z.string().min(1).optional().describe(
    "a Hugging Face folder or a run that its own body starts from, and its head where that is a critic or reward " +
      "model; the policy if absent",
  ),
  adapter: SCALAR_ADAPTER.adapter,
  lora: SCALAR_ADAPTER.lora,
  trainable: z.array(z.string().min(1)).min(1).default(["*"]).describe(
    "which parameters of its own body and head train: patterns of their checkpoint names with *; all by default",
  ),
});

export const loadCritic = defineStep({
  about: "Give the policy a critic: a scalar head on a body of its own or on the policy's",
  params,
  paths: { model: [], adapter: [] },
  reads: {},
  writes: { settings: SETTING_COLUMNS },
  needs: ["policy"],
  gives: ["critic"],
  setup: true,
  cost: criticCost,
  outputs: z.object({
    parameters: z.int().describe("parameters of the critic"),
    trainable: z.int().describe("parameters that train"),
  }),
  check(given) {
    if (given.body === "own") return adapterProblems(given);
    const why = 'body is "policy", want own: only the head on the policy\'s body trains';
    return withoutEffect(
      { model: undefined, adapter: undefined, lora: undefined, ...given },
      params.shape,
      ["model", "adapter", "lora", "trainable"],
      why,
    );
  },
  run(given, context) {
    const policy = context.resource("policy"), shared = given.body === "policy";
    const folder = given.model === undefined ? null : findFolder(given.model, context.folders);
    const model = scalarBeside(policy, {
      folder,
      read: () => folder === null ? ofPolicy(policy) : ofFolder(folder, policy),
    }, {
      adapter: savedAdapter(given.adapter, { name: "critic", base: folder ?? policy.folder }, context),
      lora: given.lora,
      seed: context.seed,
      stream: "critic_head",
      trainable: shared ? [SCORE] : given.trainable,
    });
    model.willTrain();
    const outputs = { parameters: model.parameters, trainable: model.trainable.count };
    writeSettings(context, {
      critic_body: given.body,
      critic_trainable_parameters: outputs.trainable,
      ...adapterSettings(model, "critic_"),
    });
    context.emit({ event: "message", text: criticLine(outputs, bodyOf(shared, model, policy)) });
    return { resources: { critic: new Critic(model, shared ? policy : null, folder ?? policy.folder) }, outputs };
  },
});

/** On what the head stands, in words. */
function bodyOf(shared: boolean, { adapted }: LanguageModel, policy: Policy): string {
  if (shared) return "a head on the policy's body";
  if (!adapted) return "a body of its own";
  return adapted.base === policy.model.adapted?.base
    ? "an adapter on the policy's base, which is stored once"
    : "an adapter on a base of its own";
}

function criticLine({ parameters, trainable }: { parameters: number; trainable: number }, body: string): string {
  return `critic: ${body}, ${(parameters / 1e6).toFixed(2)} M parameters, ${trainable} trainable`;
}

function ofPolicy({ model }: Policy) {
  return { config: model.config, tensors: modelTensors(model) };
}

/** A body from a folder: it must read the policy's tokens. */
function ofFolder(folder: string, policy: Policy) {
  const config = modelConfig(readModelConfig(folder)), own = policy.model.config;
  for (const key of ["vocabSize", "maxPositions"] as const) {
    if (key === "vocabSize" ? config[key] === own[key] : config[key] >= own[key]) continue;
    const what = key === "vocabSize" ? "tokens" : "positions";
    throw new RangeError(
      `Cannot load the critic from ${folder}: it has ${config[key]} ${what}, want ${own[key]} as the policy`,
    );
  }
  requireTower(`Cannot load the critic from ${folder}`, config, own);
  return { config, tensors: readTensors(folder) };
}

function criticCost(given: z.output<typeof params>, facts: CostFacts): Cost {
  return {
    flops: 0,
    trainSteps: 0,
    held: scalarBytes(given, facts, facts.earlier("load_model")),
    peak: {
      key: "body",
      bytes: 0,
      what: "a critic beside the policy",
      remedy: "take a smaller model",
    },
  };
}
