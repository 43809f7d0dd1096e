import assert from "node:assert/strict";
import { tableOf } from "../../../data/tables/mod.ts";
import { adapterLine } from "../../../workflows/cli/adapter_line.ts";

const line = (values: Record<string, unknown>) =>
  adapterLine(tableOf("settings", {
    name: Object.keys(values),
    value: Object.values(values).map((value) => JSON.stringify(value)),
  })).adapter;

Deno.test("adapterLine() says rank, size, modules and base of an adapter, and what of it trains", () => {
  const adapter = { lora_rank: 8, lora_alpha: 16, lora_target_modules: "q_proj, v_proj", adapter_parameters: 18_688 };
  assert.equal(
    line({ ...adapter, trainable_parameters: 18_688, lora_base: "/models/x" }),
    "LoRA, rank 8, alpha 16, 18,688 parameters, on q_proj, v_proj of /models/x",
  );
  assert.equal(
    line({ ...adapter, trainable_parameters: 100 }),
    "LoRA, rank 8, alpha 16, 18,688 parameters (100 train), on q_proj, v_proj of the model",
  );
  assert.equal(line({ learning_rate: 1 }), undefined);
});
