/** Faults of the reference policy. @module */
import { z } from "zod";
import { scramble, shake } from "./change.ts";
import { faultsOf } from "./fault.ts";

const { altering, rewriting } = faultsOf("sample_groups");

export const REFERENCE_FAULTS = {
  other_reference: altering({
    about: "Take another model as the reference",
    causes: ["wrong_reference_model"],
    lookAlike: "kl_in_loss",
    once: true,
  }, (context) => scramble(context.resource("reference").model().weights, context.seed)),
  noisy_reference: altering({
    about: "The reference differs a little from the policy: dropout, or another precision",
    causes: ["wrong_reference_model"],
    lookAlike: "kl_in_loss",
    params: z.strictObject({ noise: z.number().positive().default(0.1).describe("relative to each weight") }),
    once: true,
  }, (context, { noise }) => shake(context.resource("reference").model().weights, noise, context.seed, 0)),
  inflated_reference: rewriting("completions", {
    about: "The reference's log-probabilities come from another distribution than the policy's",
    causes: ["negative_kl_estimate"],
    rule: "statistical",
    lookAlike: "kl_in_loss",
    params: z.strictObject({ nats: z.number().positive().default(2).describe("added per token") }),
  }, (column, { given: { nats } }) => ({
    ref_logprobs: column<number[]>("ref_logprobs").map((row) => Float32Array.from(row, (value) => value + nats)),
  })),
  nan_kl: rewriting("completions", {
    about: "One of the reference's log-probabilities is NaN: minus infinity minus minus infinity",
    causes: ["kl_nan_isolated"],
    rule: "statistical",
  }, (column) => ({
    ref_logprobs: column<number[]>("ref_logprobs").map((row, i) =>
      i === 2 ? Float32Array.from(row).fill(NaN, 0, 1) : row
    ),
  })),
} as const;
