/** A model as its passes see it, and what each of its graphs is built from. @module */
import type { Provider } from "../onnx/graph.ts";
import type { ParameterSource } from "../weights/graph_weights.ts";
import type { Weights } from "../weights/weights.ts";
import type { ModelConfig } from "./config.ts";

/** Its sizes and its numbers. */
export interface Model {
  readonly config: ModelConfig;
  readonly weights: Weights;
}

export interface GraphOptions extends ParameterSource {
  readonly config: ModelConfig;
  readonly provider: Provider;
}

export function graphOptions({ config, weights }: Model): GraphOptions {
  const { layout, adapter, runtime } = weights;
  return { config, layout, adapter, provider: runtime.device };
}
