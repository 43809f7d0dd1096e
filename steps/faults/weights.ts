/** Faults of the policy's numbers: weights that are not finite, garbled or drifting. @module */
import { z } from "zod";
import { normals, shuffle } from "../../data/random.ts";
import type { Weights } from "../../gpu/weights/weights.ts";
import { changeWeights, policyWeights, scramble, shake, spoil } from "./change.ts";
import { type Fault, faultsOf, type Plain } from "./fault.ts";

/** Final norm times a factor: every logit grows by it. */
function sharpen(weights: Weights, factor: number): void {
  changeWeights(weights, (name, values) => {
    if (name === "model.norm.weight") values.forEach((value, i) => values[i] = value * factor);
  });
}

const { fault } = faultsOf("load_model"), { altering } = faultsOf("sample_groups");

/** Changes the weights that load_model gave. */
function loaded<Params extends z.ZodObject>(
  written: Plain<Params>,
  change: (weights: Weights, seed: number, given: z.output<Params>) => void,
): Fault<Params> {
  return fault({
    ...written,
    after(given, result, { seed }) {
      change(result.resources!.policy!.model.weights, seed, given);
      return result;
    },
  });
}

const garbled = { causes: ["garbled_generation"], lookAlike: "hot_sampling" } as const;

export const WEIGHT_FAULTS = {
  nan_weight: altering({
    about: "One weight becomes NaN",
    causes: ["non_finite_weights"],
    once: true,
  }, (context) => spoil(policyWeights(context), "model.layers.0.mlp.up_proj.weight", NaN)),
  infinite_weight: altering({
    about: "One weight becomes infinite",
    causes: ["non_finite_weights"],
    once: true,
  }, (context) => spoil(policyWeights(context), "model.norm.weight", Infinity)),
  shuffled_embeddings: loaded({
    ...garbled,
    about: "Load the embedding rows in another order",
  }, (weights, seed) =>
    changeWeights(weights, (name, values, shape) => {
      if (name !== "model.embed_tokens.weight") return;
      const [rows, width] = shape as [number, number];
      const from = values.slice();
      shuffle([...Array(rows).keys()], seed, "fault").forEach((row, to) =>
        values.set(from.subarray(row * width, (row + 1) * width), to * width)
      );
    })),
  random_weights: loaded({
    ...garbled,
    about: "Leave the weights as they were initialised: the checkpoint was not loaded",
  }, (weights, seed) => scramble(weights, seed)),
  broken_attention: loaded({
    ...garbled,
    about: "The attention kernel returns noise",
    params: z.strictObject({ scale: z.number().positive().default(1.5) }),
  }, (weights, seed, { scale }) => {
    let row = 0;
    changeWeights(weights, (name, values) => {
      if (!name.includes("o_proj")) return;
      normals(seed, "fault", values.length, 0, row++).forEach((value, i) => values[i] = scale * value);
    });
  }),
  frozen_parameters: fault({
    about: "Freeze everything but one norm",
    causes: ["no_trainable_parameters"],
    lookAlike: "frozen_embeddings",
    before: (_, params) => ({ ...params, trainable: ["model.norm.weight"] }),
  }),
  deterministic_policy: loaded({
    about: "Start from a policy without any entropy",
    causes: ["entropy_collapse"],
    rule: "statistical",
    lookAlike: "solved_task",
  }, (weights) => sharpen(weights, 100)),
  blind_policy: altering({
    about: "The policy no longer reads the prompt and writes one answer for all",
    causes: ["mode_collapse"],
    once: true,
  }, (context) => {
    const weights = policyWeights(context);
    // Nothing of the earlier tokens arrives: each token sees itself only.
    changeWeights(weights, (name, values) => {
      if (name.includes("o_proj")) values.fill(0);
    });
    sharpen(weights, 100);
  }),
  drifting_weights: altering({
    about: "Noise is added to the weights at every step",
    causes: ["kl_explosion"],
    rule: "statistical",
    lookAlike: "fast_learning",
    params: z.strictObject({ noise: z.number().positive().default(0.15).describe("relative to each weight") }),
  }, (context, { noise }) => shake(policyWeights(context), noise, context.seed, context.trainStep)),
} as const;
