/** The rule on memory: what is beyond the machine is an error at its line. */
import assert from "node:assert/strict";
import { factsOf } from "../../../workflows/preflight/facts.ts";
import { peaksOf } from "../../../workflows/preflight/memory_rules.ts";
import { preflight } from "../../../workflows/preflight/preflight.ts";
import { testRules } from "./rule_cases.ts";
import { type Settings, smallPlan } from "./small_plans.ts";

const HUGE = { hidden_size: 65536, intermediate_size: 65536, num_hidden_layers: 60, num_attention_heads: 64 };

testRules(["memory"], [
  {
    rule: "memory",
    what: "a million prompts at once",
    severity: "error",
    refuses: true,
    fires: { sample: { prompts_per_step: 1_000_000 }, update: { prompts_per_pass: 16 } },
    says: /sampling 1000000 × 8 completions of up to 4 tokens takes about \d+ GB of memory and this machine has \d+/,
    at: "1000000",
    silent: { sample: { prompts_per_step: 100 } },
  },
  {
    rule: "memory",
    what: "an update on all of them",
    severity: "error",
    refuses: true,
    fires: { sample: { prompts_per_step: 1_000_000, rows_at_once: 512 } },
    says: /an update on 1000000 × 8 completions .* set prompts_per_pass/,
    at: "apply_update",
    silent: { sample: { prompts_per_step: 1_000, rows_at_once: 512 }, update: { prompts_per_pass: 16 } },
  },
  {
    rule: "memory",
    what: "a supervised update on a billion prompts",
    severity: "error",
    refuses: true,
    fires: { tune: { max_updates: 1, batch_size: 100_000_000 } },
    says: /lower batch_size/,
    at: "100000000",
    silent: { tune: { max_updates: 1, batch_size: 1000 } },
  },
  {
    rule: "memory",
    what: "a supervised update on long packed rows, which passes cut",
    severity: "error",
    refuses: true,
    fires: { tune: { max_updates: 1, batch_size: 10_000_000, packing: 64 } },
    says: /fine_tune on 10000000 packed rows of up to 64 tokens at once .* lower batch_size, or set prompts_per_pass/,
    at: "10000000",
    silent: { tune: { max_updates: 1, batch_size: 10_000_000, packing: 64, prompts_per_pass: 16 } },
  },
  {
    rule: "memory",
    what: "an update of a reward model on all pairs",
    severity: "error",
    refuses: true,
    fires: { preferences: { file: "pairs.jsonl" }, judge: { batch_size: 100_000_000 } },
    says: /train_reward_model on 100000000 pairs of up to 13 tokens/,
    silent: { preferences: { file: "pairs.jsonl" }, judge: { batch_size: 100_000_000, prompts_per_pass: 16 } },
  },
  {
    rule: "memory",
    what: "a budget that does not hold the gradient of one prompt",
    severity: "error",
    refuses: true,
    fires: { model: { memory: "276MB" }, sample: { rows_at_once: 8, max_new_tokens: 64 } },
    says:
      /an update on 1 × 8 completions .* at the least takes about \d.*\(process \d+ MB, weights [\d.]+ .B, gradient [\d.]+ .B, moments [\d.]+ .B, other models and rows [\d.]+ .B, what the step holds \d+ MB, kept back \d+ MB\) and memory of load_model is 276MB, want \d+MB or more; set lora, optimizer_state: int8, recompute: true, shorter/,
    at: "apply_update",
    silent: { model: { memory: "320MB" }, sample: { rows_at_once: 8, max_new_tokens: 64 } },
  },
  {
    rule: "memory",
    what: "a budget that does not hold the model",
    severity: "error",
    refuses: true,
    fires: { model: { memory: "200MiB" } },
    says:
      /training the model takes about 2\d\d MB .* memory of load_model is 200MiB, want \d+MB or more; allow more memory: nearly all/,
    at: "200MiB",
    silent: { model: { memory: "1GiB" } },
  },
  {
    rule: "memory",
    what: "a model that does not fit",
    severity: "error",
    refuses: true,
    fires: { model: { model: { model_type: "qwen2", ...HUGE, max_position_embeddings: 64 } } },
    says: /training the model takes about \d+ TB .*; take a smaller one/,
    silent: {},
  },
]);

Deno.test("memory() follows the machine, and says nothing of a GPU's", async () => {
  const given: Settings = { sample: { prompts_per_step: 512 } }, plan = smallPlan(given, "/data");
  const [largest] = peaksOf(await factsOf(plan, null)).map(({ bytes }) => bytes).sort((a, b) => b - a);
  const told = async (memoryBytes: number, device: "cpu" | "cuda" = "cpu") =>
    (await preflight({ ...plan, settings: { ...plan.settings, device } }, { memoryBytes }))
      .filter(({ rule }) => rule === "memory").length;
  assert.deepEqual([await told(largest! + 1), await told(largest! - 1), await told(largest! - 1, "cuda")], [0, 1, 0]);
});
