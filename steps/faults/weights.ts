/** Faults of the policy's numbers: weights that are not finite, garbled or drifting. @module */
import { z } from "zod";
import { normals, shuffle } from "../../data/random.ts";
import type { Weights } from "../../gpu/weights/weights.ts";
import type { StepResult } from "../step.ts";
import { changeWeights } from "./change.ts";
import { defineFault, NO_PARAMS } from "./fault.ts";

/** The weights that load_model gave. */
function loaded(result: StepResult): Weights {
  return result.resources!.policy!.model.weights;
}

/** Final norm times a factor: every logit grows by it. */
function sharpen(weights: Weights, factor: number): void {
  changeWeights(weights, (name, values) => {
    if (name === "model.norm.weight") values.forEach((value, i) => values[i] = value * factor);
  });
}

/** Nothing of the earlier tokens arrives: each token sees itself only. */
function blind(weights: Weights): void {
  changeWeights(weights, (name, values) => {
    if (name.includes("o_proj")) values.fill(0);
  });
}

const garbled = {
  step: "load_model",
  causes: ["garbled_generation"],
  rule: "exact",
  lookAlike: "hot_sampling",
  params: NO_PARAMS,
} as const;

export const WEIGHT_FAULTS = {
  nan_weight: defineFault({
    about: "One weight becomes NaN",
    step: "sample_groups",
    causes: ["non_finite_weights"],
    rule: "exact",
    lookAlike: "grpo",
    params: NO_PARAMS,
    once: true,
    before(_, params, context) {
      changeWeights(context.resource("policy").model.weights, (name, values) => {
        if (name === "model.layers.0.mlp.up_proj.weight") values[5] = NaN;
      });
      return params;
    },
  }),
  infinite_weight: defineFault({
    about: "One weight becomes infinite",
    step: "sample_groups",
    causes: ["non_finite_weights"],
    rule: "exact",
    lookAlike: "grpo",
    params: NO_PARAMS,
    once: true,
    before(_, params, context) {
      changeWeights(context.resource("policy").model.weights, (name, values) => {
        if (name === "model.norm.weight") values[5] = Infinity;
      });
      return params;
    },
  }),
  shuffled_embeddings: defineFault({
    ...garbled,
    about: "Load the embedding rows in another order",
    after(_, result, context) {
      changeWeights(loaded(result), (name, values, shape) => {
        if (name !== "model.embed_tokens.weight") return;
        const [rows, width] = shape as [number, number];
        const from = values.slice();
        shuffle([...Array(rows).keys()], context.seed, "fault").forEach((row, to) =>
          values.set(from.subarray(row * width, (row + 1) * width), to * width)
        );
      });
      return result;
    },
  }),
  random_weights: defineFault({
    ...garbled,
    about: "Leave the weights as they were initialised: the checkpoint was not loaded",
    after(_, result, context) {
      let row = 0;
      loaded(result).initialize((count) => normals(context.seed, "fault", count, 0, row++));
      return result;
    },
  }),
  broken_attention: defineFault({
    ...garbled,
    about: "The attention kernel returns noise",
    params: z.strictObject({ scale: z.number().positive().default(1.5) }),
    after({ scale }, result, context) {
      let row = 0;
      changeWeights(loaded(result), (name, values) => {
        if (!name.includes("o_proj")) return;
        normals(context.seed, "fault", values.length, 0, row++).forEach((value, i) => values[i] = scale * value);
      });
      return result;
    },
  }),
  frozen_parameters: defineFault({
    about: "Freeze everything but one norm",
    step: "load_model",
    causes: ["no_trainable_parameters"],
    rule: "exact",
    lookAlike: "frozen_embeddings",
    params: NO_PARAMS,
    before: (_, params) => ({ ...params, trainable: ["model.norm.weight"] }),
  }),
  deterministic_policy: defineFault({
    about: "Start from a policy without any entropy",
    step: "load_model",
    causes: ["entropy_collapse"],
    rule: "statistical",
    lookAlike: "solved_task",
    params: NO_PARAMS,
    after(_, result) {
      sharpen(loaded(result), 100);
      return result;
    },
  }),
  blind_policy: defineFault({
    about: "The policy no longer reads the prompt and writes one answer for all",
    step: "sample_groups",
    causes: ["mode_collapse"],
    rule: "exact",
    lookAlike: "grpo",
    params: NO_PARAMS,
    once: true,
    before(_, params, context) {
      const { weights } = context.resource("policy").model;
      blind(weights);
      sharpen(weights, 100);
      return params;
    },
  }),
  drifting_weights: defineFault({
    about: "Noise is added to the weights at every step",
    step: "sample_groups",
    causes: ["kl_explosion"],
    rule: "statistical",
    lookAlike: "fast_learning",
    params: z.strictObject({ noise: z.number().positive().default(0.15).describe("relative to each weight") }),
    before({ noise }, params, context) {
      let row = 0;
      changeWeights(context.resource("policy").model.weights, (_name, values) => {
        normals(context.seed, "fault", values.length, context.trainStep, row++)
          .forEach((value, i) => values[i] = values[i]! * (1 + noise * value));
      });
      return params;
    },
  }),
} as const;
