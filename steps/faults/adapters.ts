/** Faults of a low-rank adapter: it is there and does not learn, or what it is compared with is not its base. @module */
import { z } from "zod";
import { normals } from "../../data/random.ts";
import type { LanguageModel } from "../../gpu/language_model.ts";
import type { StepContext } from "../step.ts";
import { changeWeights } from "./change.ts";
import { faultsOf } from "./fault.ts";
import { detached, overriding, withResource } from "./overriding.ts";

const { fault: loading } = faultsOf("load_model"), { fault: updating } = faultsOf("apply_update");
const { fault: sampling } = faultsOf("sample_groups");

/** The context, where its policy has an adapter. */
function adapted(context: StepContext): StepContext {
  if (context.resource("policy").model.adapted) return context;
  throw new TypeError("Cannot inject a fault of adapters: all weights of the policy train; set lora of load_model");
}

/** Twins of policies, with B of another training. */
const OTHERS = new WeakMap<LanguageModel, LanguageModel>();

/** The context whose reference reads the policy's base with another adapter on it. */
function withOtherAdapter(context: StepContext, size: number): StepContext {
  const { model } = context.resource("policy"), reference = context.resource("reference");
  const other = OTHERS.get(model) ?? model.copy();
  if (!OTHERS.has(model)) {
    let row = 0;
    changeWeights(other.weights, (name, values) => {
      const draws = normals(context.seed, "fault", values.length, 0, row++);
      if (name.endsWith("lora_B.weight")) draws.forEach((x, i) => values[i] = size * x);
    });
    OTHERS.set(model, other);
  }
  return withResource(
    context,
    "reference",
    overriding(reference, {
      logprobs: async (sequences, temperature) => (await other.logprobs(sequences, { temperature })).logprobs,
    }),
  );
}

export const ADAPTER_FAULTS = {
  frozen_adapter: loading({
    about: "The adapter was frozen after it was added: no parameter trains, as in TRL with a model prepared for 8 bits",
    causes: ["no_trainable_parameters"],
    lookAlike: "lora",
    after(_, result) {
      result.resources!.policy!.model.setTrainable([]);
      return result;
    },
  }),
  adapter_without_gradient: updating({
    about: "No gradient reaches the adapter: checkpointing cut it off at inputs that need none, as in TRL with LoRA",
    causes: ["broken_gradient_path"],
    lookAlike: "lora",
    around: (_, context) => detached(adapted(context)),
  }),
  adapter_not_off: sampling({
    about: "The reference still has an adapter: another one was left on where it should be off",
    causes: ["wrong_reference_model"],
    lookAlike: "lora_kl",
    params: z.strictObject({ size: z.number().positive().default(0.3).describe("deviation of the numbers of its B") }),
    around: ({ size }, context) => withOtherAdapter(adapted(context), size),
  }),
} as const;
