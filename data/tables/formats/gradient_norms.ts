/** Gradient norms of all parameters at a train step, as a distribution. @module */
import { pieceColumn, type TablePieces } from "../pieces.ts";

export function* gradientNorms(
  { pieces }: TablePieces,
): Generator<{ trainStep: number; tag: string; values: number[] }> {
  let open: { readonly trainStep: number; readonly tag: string; readonly values: number[] } | null = null;
  for (const piece of pieces) {
    const steps = pieceColumn(piece, "train_step") as ArrayLike<number>, norms = pieceColumn(piece, "grad_norm");
    for (let row = 0; row < piece.numRows(); row++) {
      const trainStep = steps[row]!, norm = norms[row];
      if (open !== null && open.trainStep !== trainStep) {
        yield open;
        open = null;
      }
      open ??= { trainStep, tag: "gradients/grad_norm", values: [] };
      if (typeof norm === "number") open.values.push(norm);
    }
  }
  if (open !== null) yield open;
}
