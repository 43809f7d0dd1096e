import assert from "node:assert/strict";
import { momentsOf, observedOf, statisticsOf } from "../../../../../data/adapters/post/tables/moments.ts";

const shown = (cells: string[]) =>
  momentsOf(cells)?.map(({ step, epoch }) =>
    !Number.isNaN(step) ? `step ${step}` : Number.isNaN(epoch) ? "?" : `epoch ${epoch}`
  ) ?? null;

for (
  const [cells, want] of [
    [["metric", "step 1", "step 100"], ["step 1", "step 100"]],
    [["metric", "steps 1-100", "101-200"], ["step 100", "step 200"]],
    [["metric \\ step", "100", "1k"], ["step 100", "step 1000"]],
    [["指标", "第1步", "第100步"], ["step 1", "step 100"]],
    [["метрика", "шаг 100", "шаг 300"], ["step 100", "step 300"]],
    [["métrica", "antes", "después"], ["?", "?"]],
    [["Metrik", "Start", "Mitte", "Ende"], ["?", "?", "?"]],
    [["", "before", "step 200"], ["step 0", "step 200"]],
    [["指標", "1エポック", "3エポック"], ["epoch 1", "epoch 3"]],
    // Other runs, machines or settings are no moments, nor are times that do not go on.
    [["metric", "seed 0", "seed 1"], null],
    [["metric", "1 GPU", "2 GPUs"], null],
    [["metric", "LoRA r=8", "LoRA r=64"], null],
    [["metric", "7B", "14B"], null],
    [["metric", "after", "before"], null],
    [["metric", "step 200", "step 100"], null],
    [["metric", "step 100"], null],
    [["metric", "before", "remark"], null],
  ] as const
) {
  Deno.test(`momentsOf() of ${cells.join(" | ")} is ${want}`, () => assert.deepEqual(shown([...cells]), want));
}

Deno.test("statisticsOf() wants the least and the most", () => {
  assert.deepEqual(statisticsOf(["métrique", "min", "moyenne", "max"]), ["min", "mean", "max"]);
  assert.deepEqual(statisticsOf(["指标", "最小值", "最大值"]), ["min", "max"]);
  assert.equal(statisticsOf(["metric", "mean", "std"]), null);
  assert.equal(statisticsOf(["metric", "min", "max", "run"]), null);
});

Deno.test("observedOf() wants a value, and how often it came", () => {
  assert.deepEqual(observedOf(["métrique", "valeur observée", "occurrences"]), { value: 1, often: 2 });
  assert.deepEqual(observedOf(["metric", "observed", "comment"]), { value: 1, often: 2 });
  assert.equal(observedOf(["parameter", "value"]), null);
});
