import assert from "node:assert/strict";
import { LORA } from "../../../steps/options/lora.ts";
import { adapterEntries, loraOf, otherAdapters } from "../../../workflows/translate/adapters.ts";
import type { ForeignSystem } from "../../../workflows/translate/written.ts";
import { told } from "./translated.ts";

const M = "actor_rollout_ref.model.";
const lora = (system: ForeignSystem, trainer: string, given: Record<string, unknown>) => {
  const found = told(system, trainer, given as Parameters<typeof told>[2]).settings["load_model.lora"];
  if (found !== undefined) LORA.parse(found);
  return found;
};

Deno.test("each system's adapter becomes lora of load_model, with that system's defaults", () => {
  assert.deepEqual(lora("trl", "grpo", { use_peft: true }), { rank: 16, alpha: 32, dropout: 0.05 });
  assert.deepEqual(
    lora("trl", "grpo", { use_peft: true, lora_r: 4, lora_target_modules: ["all-linear"], use_rslora: true }),
    { rank: 4, alpha: 32, dropout: 0.05, rslora: true, target_modules: "all_linear" },
  );
  assert.deepEqual(
    lora("trl", "dpo", { "peft_config.lora_alpha": 32, "peft_config.target_modules": ["q_proj", "o_proj"] }),
    { rank: 8, alpha: 32, target_modules: ["q_proj", "o_proj"] },
  );
  assert.deepEqual(lora("verl", "ppo", { [`${M}lora_rank`]: 32 }), {
    rank: 32,
    alpha: 16,
    target_modules: "all_linear",
  });
  assert.deepEqual(lora("openrlhf", "ppo", { "ds.lora.rank": 16, "ds.lora.target_modules": "q_proj,v_proj" }), {
    rank: 16,
    alpha: 16,
    target_modules: ["q_proj", "v_proj"],
  });
  assert.deepEqual(lora("ms-swift", "grpo", {}), {
    rank: 8,
    alpha: 32,
    dropout: 0.05,
    target_modules: "all_linear",
  });
  assert.deepEqual(lora("llamafactory", "dpo", { lora_rank: 16, lora_target: "all", additional_target: "norm" }), {
    rank: 16,
    alpha: 32,
    target_modules: "all_linear",
    modules_to_save: ["norm"],
  });
});

Deno.test("what a LoraConfig says of modules, layers and the draw goes over by PEFT's names", () => {
  assert.deepEqual(
    lora("trl", "grpo", {
      "peft_config.r": 16,
      "peft_config.exclude_modules": ["down_proj"],
      "peft_config.layers_to_transform": [0, 2],
      "peft_config.layers_pattern": "layers",
      "peft_config.rank_pattern": { q_proj: 4 },
      "peft_config.alpha_pattern": { q_proj: 2 },
      "peft_config.init_lora_weights": "gaussian",
    }),
    {
      rank: 16,
      alpha: 8,
      exclude_modules: ["down_proj"],
      layers: [0, 2],
      layers_pattern: ["layers"],
      rank_pattern: { q_proj: 4 },
      alpha_pattern: { q_proj: 2 },
      init: "gaussian",
    },
  );
  const { settings, classes, texts } = told("trl", "grpo", {
    "peft_config.r": 4,
    "peft_config.init_lora_weights": "pissa",
  });
  assert.deepEqual(settings["load_model.lora"], { rank: 4, alpha: 8 });
  assert.equal(classes["peft_config.init_lora_weights"], "not_supported");
  assert.match(texts["peft_config.init_lora_weights"]!, /"pissa" is not here/);
  assert.deepEqual(lora("verl", "ppo", { [`${M}lora_rank`]: 2, [`${M}exclude_modules`]: ".*mlp.*" }), {
    rank: 2,
    alpha: 16,
    target_modules: "all_linear",
    exclude_modules: ".*mlp.*",
  });
  assert.deepEqual(
    (lora("ms-swift", "grpo", { init_weights: "gaussian" }) as Record<string, unknown>)["init"],
    "gaussian",
  );
});

Deno.test("no adapter is written where none trains, and its settings are then told to change nothing", () => {
  assert.equal(lora("trl", "grpo", { lora_r: 4 }), undefined);
  assert.equal(told("trl", "grpo", { lora_r: 4 }).classes["lora_r"], "equal");
  assert.equal(lora("verl", "ppo", { [`${M}lora_alpha`]: 4 }), undefined);
  assert.equal(lora("ms-swift", "grpo", { train_type: "full" }), undefined);
  assert.equal(lora("llamafactory", "dpo", { finetuning_type: "full" }), undefined);
  assert.equal(told("llamafactory", "dpo", { finetuning_type: "oft" }).classes["finetuning_type"], "not_supported");
});

Deno.test("what is no plain LoRA, and what only the program knows, is told", () => {
  const { classes, settings } = told("trl", "grpo", {
    use_peft: true,
    lora_r: { unresolved: "rank()" },
    use_dora: true,
    peft_config: "get_config()",
  });
  assert.deepEqual([classes["lora_r"], classes["use_dora"], classes["peft_config"]], [
    "not_supported",
    "not_supported",
    "not_supported",
  ]);
  assert.deepEqual(settings["load_model.lora"], { rank: 16, alpha: 32, dropout: 0.05 });
});

Deno.test("loraOf() reads a regular expression as one, and entries have all names", () => {
  const names = { rank: ["r", 8], alpha: ["a", 8], targets: ["t", null] } as const;
  const given = { value: () => ".*mlp.*", number: (_: string, n: number) => n, count: (_: string, n: number) => n };
  const made = loraOf({ ...given, isWritten: () => true }, names);
  assert.deepEqual(made, { "load_model.lora": { rank: 8, alpha: 8, target_modules: ".*mlp.*" } });
  assert.deepEqual(Object.keys(adapterEntries(names, () => true)), ["r", "a", "t"]);
  assert.deepEqual(Object.keys(otherAdapters("x y")), ["x", "y"]);
});
