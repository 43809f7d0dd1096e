/** Faults of the reference policy. @module */
import { z } from "zod";
import { normals } from "../../data/random.ts";
import { changed, changeWeights } from "./change.ts";
import { defineFault, NO_PARAMS } from "./fault.ts";

export const REFERENCE_FAULTS = {
  other_reference: defineFault({
    about: "Take another model as the reference",
    step: "sample_groups",
    causes: ["wrong_reference_model"],
    rule: "exact",
    lookAlike: "kl_in_loss",
    params: NO_PARAMS,
    once: true,
    before(_, params, context) {
      let row = 0;
      context.resource("reference").model().weights.initialize((count) =>
        normals(context.seed, "fault", count, 0, row++)
      );
      return params;
    },
  }),
  noisy_reference: defineFault({
    about: "The reference differs a little from the policy: dropout, or another precision",
    step: "sample_groups",
    causes: ["wrong_reference_model"],
    rule: "exact",
    lookAlike: "kl_in_loss",
    params: z.strictObject({ noise: z.number().positive().default(0.1).describe("relative to each weight") }),
    once: true,
    before({ noise }, params, context) {
      let row = 0;
      changeWeights(context.resource("reference").model().weights, (_name, values) => {
        normals(context.seed, "fault", values.length, 0, row++)
          .forEach((value, i) => values[i] = values[i]! * (1 + noise * value));
      });
      return params;
    },
  }),
  inflated_reference: defineFault({
    about: "The reference's log-probabilities come from another distribution than the policy's",
    step: "sample_groups",
    causes: ["negative_kl_estimate"],
    rule: "statistical",
    lookAlike: "kl_in_loss",
    params: z.strictObject({ nats: z.number().positive().default(2).describe("added per token") }),
    after: ({ nats }, result) =>
      changed(result, "completions", (column) => ({
        ref_logprobs: column<number[]>("ref_logprobs").map((row) => Float32Array.from(row, (value) => value + nats)),
      })),
  }),
  nan_kl: defineFault({
    about: "One of the reference's log-probabilities is NaN: minus infinity minus minus infinity",
    step: "sample_groups",
    causes: ["kl_nan_isolated"],
    rule: "statistical",
    lookAlike: "grpo",
    params: NO_PARAMS,
    after: (_, result) =>
      changed(result, "completions", (column) => ({
        ref_logprobs: column<number[]>("ref_logprobs").map((row, i) =>
          i === 2 ? Float32Array.from(row).fill(NaN, 0, 1) : row
        ),
      })),
  }),
} as const;
