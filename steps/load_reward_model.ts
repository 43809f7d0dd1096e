/** The step `load_reward_model`: a reward model of a folder, for the reward `reward_model`. @module */
import { z } from "zod";
import type { Cost, CostFacts } from "./cost/cost.ts";
import { findFolder } from "./resources/model_source.ts";
import { scorerFromFolder } from "./resources/open_policy.ts";
import { RewardModel } from "./resources/reward_model.ts";
import { defineStep } from "./step.ts";

const WEIGHT_BYTES = 4;

export const loadRewardModel = defineStep({
  about: "Load a reward model, which the reward reward_model then asks",
  params: z.strictObject({
    model: z.string().min(1).describe(
      "a Hugging Face folder of a model for sequence classification with one label, or a run that exported one",
    ),
    chat_template: z.boolean().default(false).describe("put each prompt into the folder's chat template"),
  }),
  reads: {},
  writes: {},
  needs: ["policy"],
  gives: ["reward_model"],
  setup: true,
  // As large as the policy, for want of a look into its folder.
  cost: (_, { parameters }: CostFacts): Cost => ({
    flops: 0,
    trainSteps: 0,
    peak: {
      key: "model",
      bytes: WEIGHT_BYTES * parameters,
      what: "a reward model beside the policy",
      remedy: "take a smaller one",
    },
  }),
  outputs: z.object({ parameters: z.int().describe("parameters of the reward model") }),
  run({ model, chat_template }, context) {
    const { runtime } = context.resource("policy").model, folder = findFolder(model, context.folders, "reward_model");
    const scorer = scorerFromFolder(context, runtime, folder, chat_template);
    const reward_model = new RewardModel(scorer.model, scorer, false);
    const parameters = scorer.model.weights.layout.count;
    context.emit({ event: "message", text: `reward model: ${(parameters / 1e6).toFixed(2)} M parameters` });
    return { resources: { reward_model }, outputs: { parameters } };
  },
});
