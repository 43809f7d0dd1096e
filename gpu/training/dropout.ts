/** What an adapter with dropout leaves out of a batch: masks of the inputs of its matrices. @module */
import type { KeepDraws } from "../models/model.ts";
import type { Tensor } from "../ort/runtime.ts";
import { droppedOf } from "../weights/graph_weights.ts";
import type { DropoutKey, Slice } from "./train_batch.ts";

/**
 * Fills the inputs `dropout.<matrix>`, bool [N, in], of a pass. Their rows are those of the train graph: P · Tp tokens of
 * prompts, or of each its last one, then B · (Tc - 1) tokens of completions. What is kept depends on the key and on the
 * place of a token in its row alone, not on padding or on how a batch is cut.
 */
export function fillDropout(
  inputs: Readonly<Record<string, Tensor>>,
  slice: Slice,
  keep: KeepDraws | null,
  key?: DropoutKey,
): void {
  for (const [input, tensor] of Object.entries(inputs)) {
    const packed = droppedOf(input);
    if (packed === null) continue;
    if (!keep || !key) throw new RangeError(`Cannot train with dropout: nothing draws what "${packed}" leaves out`);
    const completionWidth = inputs.completions!.shape[1]! - 1;
    const [rows, width] = tensor.shape as [number, number], data = tensor.data as Uint8Array;
    const perPrompt = (rows - slice.completions.length * completionWidth) / slice.prompts.length;
    const draw = (side: string, row: number, token: number, at: number) => {
      const stream = `dropout.${packed}.${side}.${key.update}.${key.part}`;
      keep({ trainStep: key.trainStep, stream, row, token }, data.subarray(at * width, (at + 1) * width));
    };
    data.fill(1);
    slice.prompts.forEach(({ length }, p) => {
      const most = Math.min(perPrompt, length), row = slice.first / slice.group + p;
      for (let t = length - most; t < length; t++) draw("prompt", row, t, (p + 1) * perPrompt - length + t);
    });
    slice.completions.forEach(({ length }, c) => {
      const start = slice.prompts.length * perPrompt + c * completionWidth;
      for (let t = 0; t < Math.min(length, completionWidth); t++) draw("completion", slice.first + c, t, start + t);
    });
  }
}
