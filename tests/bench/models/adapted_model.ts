/** An adapter of rank 8 on every linear layer of a model, as the benchmarks train it. @module */
import { LanguageModel } from "../../../gpu/language_model.ts";

export const RANK = 8;

/** The model with the adapter, whose numbers are 0. */
export function rankEight(model: LanguageModel): LanguageModel {
  const linear = model.weights.layout.parameters.filter(({ name }) => name.endsWith("_proj.weight"));
  const targets = new Set(linear.map(({ name }) => name));
  const plan = {
    rank: RANK,
    alpha: 2 * RANK,
    rslora: false,
    scaling: 2,
    dropout: 0,
    targets,
    saved: new Set<string>(),
  };
  return LanguageModel.adapt(model, plan, null);
}
