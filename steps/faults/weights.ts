/** Faults of the policy's numbers: weights that are not finite, garbled or drifting. @module */
import { z } from "zod";
import { normals, shuffle } from "../../data/random.ts";
import type { Weights } from "../../gpu/weights/weights.ts";
import type { StepResult } from "../step.ts";
import { changeWeights, scramble, shake, spoil } from "./change.ts";
import { faultsOf } from "./fault.ts";

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

const garbled = { causes: ["garbled_generation"], lookAlike: "hot_sampling" } as const;

const { fault: loading } = faultsOf("load_model"), { fault: sampling } = faultsOf("sample_groups");

export const WEIGHT_FAULTS = {
  nan_weight: sampling({
    about: "One weight becomes NaN",
    causes: ["non_finite_weights"],
    lookAlike: "grpo",
    once: true,
    before(_, params, context) {
      spoil(context.resource("policy").model.weights, "model.layers.0.mlp.up_proj.weight", NaN);
      return params;
    },
  }),
  infinite_weight: sampling({
    about: "One weight becomes infinite",
    causes: ["non_finite_weights"],
    lookAlike: "grpo",
    once: true,
    before(_, params, context) {
      spoil(context.resource("policy").model.weights, "model.norm.weight", Infinity);
      return params;
    },
  }),
  shuffled_embeddings: loading({
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
  random_weights: loading({
    ...garbled,
    about: "Leave the weights as they were initialised: the checkpoint was not loaded",
    after(_, result, context) {
      scramble(loaded(result), context.seed);
      return result;
    },
  }),
  broken_attention: loading({
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
  frozen_parameters: loading({
    about: "Freeze everything but one norm",
    causes: ["no_trainable_parameters"],
    lookAlike: "frozen_embeddings",
    before: (_, params) => ({ ...params, trainable: ["model.norm.weight"] }),
  }),
  deterministic_policy: loading({
    about: "Start from a policy without any entropy",
    causes: ["entropy_collapse"],
    rule: "statistical",
    lookAlike: "solved_task",
    after(_, result) {
      sharpen(loaded(result), 100);
      return result;
    },
  }),
  blind_policy: sampling({
    about: "The policy no longer reads the prompt and writes one answer for all",
    causes: ["mode_collapse"],
    lookAlike: "grpo",
    once: true,
    before(_, params, context) {
      const { weights } = context.resource("policy").model;
      blind(weights);
      sharpen(weights, 100);
      return params;
    },
  }),
  drifting_weights: sampling({
    about: "Noise is added to the weights at every step",
    causes: ["kl_explosion"],
    rule: "statistical",
    lookAlike: "fast_learning",
    params: z.strictObject({ noise: z.number().positive().default(0.15).describe("relative to each weight") }),
    before({ noise }, params, context) {
      shake(context.resource("policy").model.weights, noise, context.seed, context.trainStep);
      return params;
    },
  }),
} as const;
