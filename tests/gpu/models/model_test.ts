import assert from "node:assert/strict";
import { graphOptions } from "../../../gpu/models/model.ts";
import { withModel } from "../golden_model.ts";

Deno.test("graphOptions() are of the model's weights and the device they lie on", () =>
  withModel("qwen2", async (model) => {
    await Promise.resolve();
    const { layout, adapter } = model.weights;
    assert.deepEqual(graphOptions(model), { config: model.config, layout, adapter, provider: "cpu" });
  }));
