/** An object that answers for another, some members replaced: how a fault stands between a step and a resource. @module */
import type { Resources } from "../resources/mod.ts";
import type { Policy } from "../resources/policy.ts";
import type { Sampler } from "../resources/sampler.ts";
import type { LanguageModel } from "../../gpu/language_model.ts";
import type { TrainBatch, TrainSettings } from "../../gpu/training/train_batch.ts";
import type { StepContext } from "../step.ts";

/** `target` with `members` instead of its own; methods run on the target itself, private fields included. */
export function overriding<T extends object>(target: T, members: Partial<T>): T {
  return new Proxy(target, {
    get(_, name) {
      if (Object.hasOwn(members, name)) return members[name as keyof T];
      const value = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The context with another resource in it. */
export function withResource<Name extends keyof Resources>(
  context: StepContext,
  name: Name,
  resource: Resources[Name],
): StepContext {
  return overriding(context, {
    resource: (asked) => ((asked as string) === name ? resource : context.resource(asked)) as Resources[typeof asked],
  });
}

/** The context whose policy has some members replaced. */
export function withPolicy(context: StepContext, change: (policy: Policy) => Partial<Policy>): StepContext {
  const policy = context.resource("policy");
  return withResource(context, "policy", overriding(policy, change(policy)));
}

/** The context whose policy samples otherwise: `change` gets the sampler that it has. */
export function withSampler(context: StepContext, change: (sampler: Sampler) => Sampler["sample"]): StepContext {
  return withPolicy(context, ({ sampler }) => ({ sampler: { sample: change(sampler) } }));
}

/** The context whose policy has a model with some members replaced. */
export function withModel(context: StepContext, change: (model: LanguageModel) => Partial<LanguageModel>): StepContext {
  return withPolicy(context, ({ model }) => ({ model: overriding(model, change(model)) }));
}

/** The context whose model trains on something else than the step hands it; a replay sees that, too. */
export function trainedOn(
  context: StepContext,
  change: (batch: TrainBatch, settings: TrainSettings) => { batch: Partial<TrainBatch>; settings?: TrainSettings },
): StepContext {
  return withModel(context, (model) => {
    let last: ReturnType<typeof change> = { batch: {} };
    return {
      accumulateGradient(batch, settings) {
        last = change(batch, settings);
        return model.accumulateGradient({ ...batch, ...last.batch }, last.settings ?? settings);
      },
      locateNonFinite: (batch, settings) =>
        model.locateNonFinite({ ...batch, ...last.batch }, last.settings ?? settings),
    };
  });
}

/** The context in which the loss is detached from the parameters: no gradient arrives. */
export function detached(context: StepContext): StepContext {
  return withModel(context, (model) => ({
    async accumulateGradient(batch, settings) {
      const result = await model.accumulateGradient(batch, settings);
      model.weights.gradients.upload(new Float32Array(model.weights.layout.size));
      return result;
    },
  }));
}
