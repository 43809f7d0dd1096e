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

/** Why the adapter is another model's, as a clause; null where it fits. Throws a RangeError for what is no adapter. */
export function adapterMisfit(folder: string, parameters: readonly Sized[]): string | null {
  readPeftConfig(folder);
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
