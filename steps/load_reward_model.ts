/** The step `load_reward_model`: a reward model of a folder, or an adapter of one, for the reward `reward_model`. @module */
import { join } from "node:path";
import { z } from "zod";
import { IMAGES } from "../data/images/image_store.ts";
import type { Cost, CostFacts } from "./cost/cost.ts";
import { scalarBytes } from "./cost/scalar_bytes.ts";
import { frozenBytes } from "./cost/memory.ts";
import { ADAPTER, adapterText } from "./options/lora.ts";
import { findFolder } from "./resources/model_source.ts";
import { savedAdapter } from "./resources/adapter.ts";
import { adapterBaseFromFolder, scorerFromFolder } from "./resources/open_policy.ts";
import type { Policy } from "./resources/policy.ts";
import { RewardModel } from "./resources/reward_model.ts";
import { scoringAdapter, sharesBase } from "./resources/scalar_adapter.ts";
import { defineStep, type StepContext } from "./step.ts";

const params = z.strictObject({
  model: z.string().min(1).optional().describe(
    "a Hugging Face folder of a model for sequence classification with one label, or a run that exported one; with adapter " +
      "the model that the adapter is upon, the policy's base if absent",
  ),
  adapter: ADAPTER.optional().describe(
    adapterText(
      "it scores, with a head of its own (task_type SEQ_CLS), upon the base beneath the policy's own adapter where model is " +
        "absent or the same folder, which is then stored once",
    ),
  ),
  chat_template: z.boolean().default(false).describe("put each prompt into the folder's chat template"),
});

type Params = z.output<typeof params>;

export const loadRewardModel = defineStep({
  about: "Load a reward model, which the reward reward_model then asks",
  params,
  paths: { model: [], adapter: [] },
  reads: {},
  writes: {},
  needs: ["policy"],
  gives: ["reward_model"],
  setup: true,
  check({ model, adapter, chat_template }) {
    if (model !== undefined) return [];
    if (adapter === undefined) return ["Cannot load a reward model: want model, a folder or a run, or adapter"];
    return chat_template
      ? ["Cannot use chat_template: without model the policy reads the prompts, want it in load_model"]
      : [];
  },
  // As large as the policy, for want of a look into its folder.
  cost: (given, facts: CostFacts): Cost => ({
    flops: 0,
    trainSteps: 0,
    held: given.adapter === undefined
      ? frozenBytes(facts.parameters)
      : scalarBytes(given, facts, facts.earlier("load_model")),
    peak: {
      key: given.adapter === undefined ? "model" : "adapter",
      bytes: 0,
      what: "a reward model beside the policy",
      remedy: "take a smaller one",
    },
  }),
  outputs: z.object({ parameters: z.int().describe("parameters of the reward model") }),
  run(given, context) {
    const { reward_model, what } = given.adapter === undefined ? ofFolder(given, context) : ofAdapter(given, context);
    const { parameters } = reward_model.model;
    context.emit({ event: "message", text: `reward model: ${what}${(parameters / 1e6).toFixed(2)} M parameters` });
    return { resources: { reward_model }, outputs: { parameters } };
  },
});

/** As the policy reads texts and the images of the run. */
const readingIn = ({ deterministic, folders }: StepContext) => ({ deterministic, images: join(folders.run, IMAGES) });

function ofFolder({ model, chat_template }: Params, context: StepContext) {
  const folder = findFolder(model!, context.folders, "reward_model"), policy = context.resource("policy");
  const scorer = scorerFromFolder(readingIn(context), policy.model.runtime, folder, chat_template);
  return { reward_model: new RewardModel(scorer.model, scorer), what: "" };
}

function ofAdapter({ model, adapter, chat_template }: Params, context: StepContext) {
  const policy = context.resource("policy"), folder = model === undefined ? null : findFolder(model, context.folders);
  const from = savedAdapter(adapter, { name: "reward_model", base: folder ?? policy.folder }, context)!;
  if (sharesBase(policy, folder)) {
    const scorer = new RewardModel(scoringAdapter(policy.model, from), policy, { sampledTokens: true, folder });
    return { reward_model: scorer, what: "an adapter on the policy's base, which is stored once, " };
  }
  if (folder === null) {
    throw new RangeError(
      `Cannot load the adapter in ${from}: the policy's own weights train, want those that the adapter is upon; give model`,
    );
  }
  const texts: Policy = adapterBaseFromFolder(readingIn(context), policy.model.runtime, folder, chat_template);
  try {
    const scorer = new RewardModel(scoringAdapter(texts.model, from), texts, { folder });
    return { reward_model: scorer, what: "an adapter on a base of its own, " };
  } finally {
    texts.model.release();
  }
}
