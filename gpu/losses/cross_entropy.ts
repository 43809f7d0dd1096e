/** Cross-entropy of supervised fine-tuning. @module */
import type { Value } from "../onnx/graph.ts";

/** Per-token loss, nats: logprobs float [B, T] to -logprobs. */
export function crossEntropy(logprobs: Value): Value {
  return logprobs.neg();
}
