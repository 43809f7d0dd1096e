import assert from "node:assert/strict";
import { columnArray, tableOf } from "../../../data/tables/mod.ts";
import { changed, changeWeights, withColumns } from "../../../steps/faults/change.ts";
import type { Weights } from "../../../gpu/weights/weights.ts";

const prompts = tableOf("prompts", { prompt_id: [0, 1], prompt: ["1+1=", "2+2="], answer: ["2", "4"] });

Deno.test("withColumns() replaces a column and keeps the others", () => {
  const table = withColumns("prompts", prompts, { answer: ["3", "5"] });
  assert.deepEqual(Array.from(columnArray(table, "answer") as ArrayLike<string>), ["3", "5"]);
  assert.deepEqual(Array.from(columnArray(table, "prompt") as ArrayLike<string>), ["1+1=", "2+2="]);
});

Deno.test("changed() leaves a result without the table as it is", () => {
  const result = { outputs: { reward: 1 } };
  assert.equal(changed(result, "completions", () => ({ reward: [] })), result);
});

Deno.test("changeWeights() gives each parameter its own slice and uploads all of them", () => {
  const all = Float32Array.of(1, 2, 3, 4, 5);
  let uploaded: number[] = [];
  const weights = {
    layout: {
      size: 5,
      parameters: [{ name: "a", shape: [2], offset: 0, size: 2 }, { name: "b", shape: [1, 2], offset: 3, size: 2 }],
    },
    values: { download: (into: Float32Array) => (into.set(all), into) },
    upload: (data: Float32Array) => uploaded = [...data],
  } as unknown as Weights;
  changeWeights(weights, (name, values, shape) => {
    if (name === "b") values.fill(shape[0]!);
  });
  assert.deepEqual(uploaded, [1, 2, 3, 1, 1]);
});
