/** Whether an adapter's folder fits a model, by names and shapes alone: told before any weight is read. @module */
import { didYouMean } from "../did_you_mean.ts";
import { openModelTensors } from "./model_tensors.ts";
import { readPeftConfig } from "./peft_config.ts";
import { peftTensor } from "./peft_names.ts";

/** A parameter of the model. */
interface Sized {
  readonly name: string;
  readonly shape: readonly number[];
}

/** What the adapter is to stand upon. */
interface Base {
  readonly parameters: readonly Sized[];
  /** Names of what is stored under another name: a head that is the embedding. */
  readonly repeated: readonly string[];
}

/** Modules that are one matrix where the head is the embedding. */
const TIED = ["model.embed_tokens", "lm_head"];

/** Why the adapter does not fit the model, as a clause; null where it does. Throws a RangeError for what is no adapter. */
export function adapterMisfit(folder: string, { parameters, repeated }: Base): string | null {
  const { whole, tied = false } = readPeftConfig(folder);
  const split = repeated.length === 0 || tied
    ? undefined
    : whole.find((name) => TIED.some((one) => one.endsWith(name)));
  if (split !== undefined) {
    return `it trains ${split} by itself (modules_to_save without ensure_weight_tying), and head and embedding of the model ` +
      "are one matrix (tie_word_embeddings), want one that stays so; train it with ensure_weight_tying: true, or merge it by " +
      "PEFT and load the whole model";
  }
  const known = new Map(parameters.map(({ name, shape }) => [name, shape]));
  using file = openModelTensors(folder, "adapter_model");
  for (const [name, { shape }] of file.tensors) {
    const tensor = peftTensor(name);
    if (tensor === null) continue; // Told by name when it is read.
    const { parameter, half } = tensor, own = known.get(parameter);
    // A head of another kind is the adapter's own.
    if (own === undefined && half === null) continue;
    if (own === undefined) {
      return `it changes "${parameter}", which the model has not${didYouMean(parameter, [...known.keys()])}`;
    }
    const [got, want] = half === "A" ? [shape[1], own[1]] : half === "B" ? [shape[0], own[0]] : [`${shape}`, `${own}`];
    if (got === want) continue;
    return `its "${name}" is [${shape}], and "${parameter}" of the model is [${own}]`;
  }
  return null;
}
