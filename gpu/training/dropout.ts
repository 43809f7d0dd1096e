/** What an adapter with dropout leaves out of a batch: masks of the inputs of its matrices. @module */
import type { KeepDraws } from "../models/model.ts";
import type { BatchImages } from "../models/vision/image_batch.ts";
import { isVision } from "../models/vision_parameters.ts";
import type { Tensor } from "../ort/runtime.ts";
import { droppedOf } from "../weights/graph_weights.ts";
import type { DropoutKey, Slice } from "./train_batch.ts";

/** Matrices at a model's end: they read, for each token of a completion, the state that predicts it. */
const AT_THE_END: ReadonlySet<string> = new Set(["head", "embed", "score"]);

/**
 * Fills the inputs `dropout.<matrix>`, bool [N, in], of a pass. Their rows are those of the train graph: P · Tp tokens of
 * prompts, or of each its last one, then B · (Tc - 1) tokens of completions; at the end B · Tc, one per token of a
 * completion. Those of a tower read the patches of `images`, of its merger their merged tokens. What is kept depends on the
 * key and on the place of a token in its row or image alone, not on padding or on how a batch is cut.
 */
export function fillDropout(
  inputs: Readonly<Record<string, Tensor>>,
  slice: Slice,
  { keep, key, images = null }: {
    readonly keep: KeepDraws | null;
    readonly key: DropoutKey | undefined;
    readonly images?: BatchImages | null;
  },
): void {
  for (const [input, tensor] of Object.entries(inputs)) {
    const packed = droppedOf(input);
    if (packed === null) continue;
    if (!keep || !key) throw new RangeError(`Cannot train with dropout: nothing draws what "${packed}" leaves out`);
    const isEnd = AT_THE_END.has(packed), completionWidth = inputs.completions!.shape[1]! - (isEnd ? 0 : 1);
    const [rows, width] = tensor.shape as [number, number], data = tensor.data as Uint8Array;
    data.fill(1);
    const perPrompt = (rows - slice.completions.length * completionWidth) / slice.prompts.length;
    const draw = (side: string, row: number, token: number, at: number) => {
      const stream = `dropout.${packed}.${side}.${key.update}.${key.part}`;
      keep({ trainStep: key.trainStep, stream, row, token }, data.subarray(at * width, (at + 1) * width));
    };
    if (isVision(packed)) {
      const each = rows / images!.shape.count, perPatch = each / images!.shape.patches;
      images!.images.forEach(({ id, grid }, n) => {
        for (let t = 0; t < grid.h * grid.w * perPatch; t++) draw(`image ${id}`, 0, t, n * each + t);
      });
      continue;
    }
    // At the end perPrompt is 0: no row is a prompt's alone.
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
