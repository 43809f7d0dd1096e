import assert from "node:assert/strict";
import { isAfterTraining } from "../../../../steps/diagnoses/view/after_training.ts";

Deno.test("isAfterTraining() is true of what merges, saves or serves a model", () => {
  for (
    const text of ["推理时显示 trainable params: 0", "At inference it prints 0", "merged: 0 parameters", "推論時は 0"]
  ) {
    assert(isAfterTraining(text), text);
  }
  for (const text of ["trainable params: 0 || all params: 7", "LoRA training prints 0"]) {
    assert(!isAfterTraining(text), text);
  }
});
