/**
 * A critic or reward model that is an adapter with a scalar head upon a frozen base: the policy's, which is stored once,
 * or one of its own.
 *
 * The policy's own adapter is not in it: the body begins as the base.
 * @module
 */
import { LanguageModel } from "../../gpu/language_model.ts";
import type { KeepDraws } from "../../gpu/models/model.ts";
import { parameterLayout, SCORE } from "../../gpu/models/parameters.ts";
import type { AdapterPlan } from "../../gpu/weights/adapter.ts";
import type { NamedArray } from "../../gpu/weights/weights.ts";
import { adapterPlan } from "../options/adapter_plan.ts";
import { type LoraOptions, scalarOptions } from "../options/lora.ts";
import { refuseIdle } from "./adapter.ts";
import { freshValues, keepBy, named, ofFolder } from "./adapter_values.ts";
import type { Policy } from "./policy.ts";
import { freshHead, scalarModel, type ScalarSource } from "./scalar_model.ts";

/** How the model is made; with neither an adapter nor settings of one all of a body of its own trains. */
interface ScalarOptions {
  /** Folder of the adapter that trains on. */
  readonly adapter: string | null;
  /** Settings of a fresh one. */
  readonly lora: LoraOptions | undefined;
  readonly seed: number;
  /** Draws the head where there is none, and the adapter. */
  readonly stream: string;
  /** Patterns of the names of what trains. */
  readonly trainable: readonly string[];
}

/** Where its body comes from: the policy, or a folder. */
interface Body {
  /** Null = the policy as it is. */
  readonly folder: string | null;
  readonly read: () => Pick<ScalarSource, "config" | "tensors">;
}

/** Whether an adapter on that body is upon the very numbers that lie beneath the policy's own adapter. */
export function sharesBase({ model, folder: base }: Pick<Policy, "model" | "folder">, folder: string | null): boolean {
  if (!model.adapted) return false;
  return folder === null || base !== null && Deno.realPathSync(base) === Deno.realPathSync(folder);
}

/** A critic or reward model for a policy. Throws a RangeError for an adapter of another model. */
export function scalarBeside(policy: Policy, { folder, read }: Body, given: ScalarOptions): LanguageModel {
  const { adapter, lora, seed, stream, trainable } = given, { model } = policy;
  const isAdapter = adapter !== null || lora !== undefined;
  if (isAdapter && sharesBase(policy, folder)) return scalarAdapter(model, given);
  const own = scalarModel(model.runtime, { ...read(), seed, stream });
  if (!isAdapter) {
    own.setTrainable(trainable);
    return own;
  }
  try {
    return scalarAdapter(own, given);
  } finally {
    own.release();
  }
}

/** A reward model whose adapter and head lie in a folder: it scores and does not train. `base` stays its owner's. */
export function scoringAdapter(base: LanguageModel, adapter: string): LanguageModel {
  const { plan, values } = ofFolder(adapter);
  if (!plan.saved.has(SCORE)) {
    throw new RangeError(
      `Cannot load the adapter in ${adapter}: it has no "${SCORE}", want one of task_type SEQ_CLS with modules_to_save score`,
    );
  }
  return named(adapter, () => placed(base, { plan, values }, null));
}

/** The adapter upon a base, which stays its owner's too. */
function placed(base: LanguageModel, { plan, values }: Filled, keep: KeepDraws | null): LanguageModel {
  const model = LanguageModel.beside(base, plan, keep);
  try {
    model.weights.fromHuggingFace(values);
    return model;
  } catch (error) {
    model.release();
    throw error;
  }
}

function scalarAdapter(
  base: LanguageModel,
  { adapter, lora, seed, stream, trainable }: ScalarOptions,
): LanguageModel {
  const { plan, values } = adapter === null
    ? fresh(base, lora!, seed, stream)
    : withHead(ofFolder(adapter), base, seed, stream);
  const place = () => {
    const model = placed(base, { plan, values }, keepBy(seed, plan.dropout, `${stream}.`));
    try {
      model.setTrainable(trainable);
      refuseIdle(model);
      return model;
    } catch (error) {
      model.release();
      throw error;
    }
  };
  return adapter === null ? place() : named(adapter, place);
}

interface Filled {
  readonly plan: AdapterPlan;
  readonly values: ReadonlyMap<string, NamedArray>;
}

/** The head always trains whole, as PEFT has it for task_type SEQ_CLS. */
function fresh({ config, weights, adapted }: LanguageModel, lora: LoraOptions, seed: number, stream: string): Filled {
  const layout = parameterLayout({ ...config, head: "scalar" });
  const plan = adapterPlan(layout, scalarOptions(lora));
  const numbers = adapted?.base ?? weights, has = numbers.layout.parameters.some(({ name }) => name === SCORE);
  const before = new Map(plan.saved.size > 1 || has ? numbers.viewHuggingFace() : []);
  if (!has) before.set(SCORE, freshHead(config.hiddenSize, seed, stream));
  return { plan, values: freshValues(layout, plan, before, { init: lora.init, seed, stream: `${stream}.lora` }) };
}

/** An adapter of a folder that has no scalar head gets a fresh one. */
function withHead({ plan, values }: Filled, { config }: LanguageModel, seed: number, stream: string): Filled {
  if (plan.saved.has(SCORE)) return { plan, values };
  return {
    plan: { ...plan, saved: new Set([...plan.saved, SCORE]) },
    values: new Map([...values, [SCORE, freshHead(config.hiddenSize, seed, stream)]]),
  };
}
