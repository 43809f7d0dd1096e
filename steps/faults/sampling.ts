/** Faults of the step `sample_groups`: how completions come about. @module */
import { z } from "zod";
import { shuffle } from "../../data/random.ts";
import type { LanguageModel } from "../../gpu/language_model.ts";
import type { SampledCompletion, SampleRequest } from "../resources/sampler.ts";
import { logprobTemperature } from "../options/sampling_settings.ts";
import type { StepContext } from "../step.ts";
import { faultsOf } from "./fault.ts";
import { withSampler } from "./overriding.ts";

const { fault, rewriting, setting } = faultsOf("sample_groups");

/** The context whose policy samples by another request than the step asks for. */
function sampledWith(context: StepContext, change: (request: SampleRequest) => SampleRequest): StepContext {
  return withSampler(
    context,
    (sampler) => (prompts, request, ...rest) => sampler.sample(prompts, change(request), ...rest),
  );
}

/** The context whose policy tells other completions than it sampled. */
function retelling(
  context: StepContext,
  tell: (
    sampled: readonly SampledCompletion[],
    prompts: readonly string[],
    request: SampleRequest,
  ) => SampledCompletion[] | Promise<SampledCompletion[]>,
): StepContext {
  return withSampler(
    context,
    (sampler) => async (prompts, request, ...rest) =>
      tell(await sampler.sample(prompts, request, ...rest), prompts, request),
  );
}

/** Weights as they were when a fault first acted, one copy per model. */
const FROZEN = new WeakMap<object, LanguageModel>();

export const SAMPLING_FAULTS = {
  near_greedy_sampling: setting({
    about: "Sample at temperature 0.01 and top_p 0.001, as a model folder's generation_config.json may ask for",
    causes: ["greedy_sampling"],
    lookAlike: "cool_sampling",
    params: z.strictObject({
      temperature: z.number().min(0).default(0.01).describe("softmax temperature"),
      top_p: z.number().gt(0).max(1).default(0.001).describe("probability mass kept"),
    }),
  }, ({ temperature, top_p }) => ({ temperature, top_p })),
  top_k_one: setting({
    about: "Keep only the most likely token",
    causes: ["greedy_sampling"],
    lookAlike: "cool_sampling",
  }, () => ({ top_k: 1 })),
  zero_temperature: setting({
    about: "Sample at temperature 0",
    causes: ["greedy_sampling"],
    lookAlike: "cool_sampling",
  }, () => ({ temperature: 0 })),
  group_of_two: setting({
    about: "Sample two completions per prompt only",
    causes: ["group_size_too_small"],
    lookAlike: "group_of_six",
  }, () => ({ group_size: 2 })),
  short_completions: setting({
    about: "Cut completions off before the answer is written",
    causes: ["truncated_completions"],
    rule: "statistical",
    lookAlike: "just_enough_tokens",
    params: z.strictObject({ max_new_tokens: z.int().min(1).default(1).describe("longest completion, tokens") }),
  }, ({ max_new_tokens }) => ({ max_new_tokens })),
  masked_truncation: setting({
    about: "Cut every completion off and mask what was cut off",
    causes: ["all_completions_masked"],
    lookAlike: "some_masked",
    params: z.strictObject({ max_new_tokens: z.int().min(1).default(1).describe("longest completion, tokens") }),
  }, ({ max_new_tokens }) => ({ max_new_tokens, mask_truncated: true })),
  masked_tokens: rewriting("completions", {
    about: "Mask every token out of the loss",
    causes: ["all_completions_masked"],
    lookAlike: "some_masked",
  }, (column) => ({
    completion_mask: column<number[]>("completion_mask").map((mask) => new Float32Array(mask.length)),
  })),
  shifted_mask: rewriting("completions", {
    about: "Shift the completion mask by one token",
    causes: ["group_integrity"],
    lookAlike: "some_masked",
  }, (column) => ({
    completion_mask: column<number[]>("completion_mask").map((mask) => Float32Array.from(mask).fill(0, 0, 1)),
  })),
  repeated_tokens: fault({
    about: "Write the first token over and over up to the cap",
    causes: ["repeated_token_degeneration"],
    lookAlike: "just_enough_tokens",
    around: (_, context) =>
      retelling(context, async (sampled, prompts, { maxNewTokens, values }) => {
        const policy = context.resource("policy");
        const rows = sampled.map(({ tokenIds }) => new Int32Array(maxNewTokens).fill(tokenIds[0]!));
        const sequences = policy.sequences(prompts, rows);
        const samplerLogprobs = await policy.logprobs(sequences, logprobTemperature(values));
        const logprobs = await policy.logprobs(sequences, 1);
        return sampled.map((completion, row) => ({
          ...completion,
          tokenIds: rows[row]!,
          text: policy.decode(rows[row]!),
          samplerLogprobs: samplerLogprobs[row]!,
          logprobs: logprobs[row]!,
          truncated: true,
        }));
      }),
  }),
  sampler_temperature: fault({
    about: "The sampler draws at another temperature than the trainer computes with",
    causes: ["rollout_trainer_mismatch"],
    lookAlike: "cool_sampling",
    params: z.strictObject({ factor: z.number().positive().default(0.7).describe("times the temperature in force") }),
    around: ({ factor }, context) =>
      sampledWith(context, (request) => ({
        ...request,
        values: { ...request.values, temperature: request.values.temperature * factor },
      })),
  }),
  hidden_top_k: fault({
    about: "The sampler keeps few tokens although the settings say all",
    causes: ["rollout_trainer_mismatch"],
    lookAlike: "cool_sampling",
    params: z.strictObject({ top_k: z.int().min(2).default(3).describe("tokens kept") }),
    around: ({ top_k }, context) =>
      sampledWith(context, (request) => ({ ...request, values: { ...request.values, top_k } })),
  }),
  stale_sampler: fault({
    about: "The sampler keeps the weights it had when the fault began: no weight sync",
    causes: ["rollout_trainer_mismatch"],
    rule: "statistical",
    lookAlike: "reused_rollouts",
    around: (_, context) => {
      const model = context.resource("policy").model;
      const frozen = FROZEN.get(model) ?? model.copy();
      FROZEN.set(model, frozen);
      return withSampler(context, (sampler) => async (prompts, request, ...rest) => {
        const current = model.weights.values.download(new Float32Array(model.weights.layout.size));
        model.weights.copyFrom(frozen.weights);
        try {
          return await sampler.sample(prompts, request, ...rest);
        } finally {
          model.weights.upload(current);
        }
      });
    },
  }),
  lost_prompt: fault({
    about: "The sampler sees the end of each prompt only: a template drops the rest",
    causes: ["rollout_trainer_mismatch"],
    around: (_, context) =>
      withSampler(
        context,
        (sampler) => (prompts, ...rest) => sampler.sample(prompts.map((prompt) => prompt.slice(-1)), ...rest),
      ),
  }),
  shuffled_completions: rewriting("completions", {
    about: "Give completions to other prompts than those they answer",
    causes: ["rollout_trainer_mismatch"],
  }, (column, { context, table }) => {
    const order = shuffle(
      Array.from({ length: table.numRows() }, (_, i) => i),
      context.seed,
      "fault",
      context.trainStep,
    );
    const moved = table.columnNames().filter((name) =>
      !["train_step", "prompt_id", "sample", "prompt", "answer"].includes(name)
    );
    return Object.fromEntries(moved.map((name) => {
      const values = column(name);
      return [name, order.map((row) => values[row])];
    }));
  }),
  mixed_groups: rewriting("completions", {
    about: "Shuffle rows so that a group holds completions of several prompts",
    causes: ["group_integrity"],
  }, (column, { context }) => {
    const prompts = column<string>("prompt");
    return { prompt: shuffle(prompts, context.seed, "fault", context.trainStep) };
  }),
  token_zero: fault({
    about: "Logits turn NaN: the sampler writes token 0, log-probabilities are NaN",
    causes: ["old_logprob_nan"],
    around: (_, context) =>
      retelling(context, (sampled, _prompts, { maxNewTokens }) => {
        const tokenIds = new Int32Array(maxNewTokens);
        const nan = new Float32Array(maxNewTokens).fill(NaN);
        const text = context.resource("policy").decode(tokenIds);
        const told = { tokenIds, text, samplerLogprobs: nan, logprobs: nan };
        return sampled.map((completion) => ({ ...completion, ...told, truncated: true }));
      }),
  }),
} as const;
