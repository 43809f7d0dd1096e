import assert from "node:assert/strict";
import {
  OPENRLHF_MACHINE,
  openrlhfData,
  openrlhfEpochs,
  openrlhfModel,
  openrlhfOptimizer,
} from "../../../workflows/translate/openrlhf.ts";
import { stepSettings, told } from "./translated.ts";

Deno.test("OpenRLHF's optimizer: a cosine to a tenth of the peak after 3 % of warm-up, whatever is not said", () => {
  const { schedule, schedule_floor, warmup_updates, schedule_updates, beta2 } = stepSettings(
    told("openrlhf", "ppo", {}).wanted,
    "apply_update",
  );
  assert.deepEqual([schedule, schedule_floor, warmup_updates, schedule_updates, beta2], [
    "cosine",
    0.1,
    24,
    800,
    undefined,
  ]);
  const own = stepSettings(
    told("openrlhf", "ppo", { "actor.lr_scheduler": "constant", actor_learning_rate: 5e-7, "actor.lr_warmup_ratio": 0 })
      .wanted,
    "apply_update",
  );
  assert.deepEqual([own["schedule"], own["learning_rate"], own["warmup_updates"]], [undefined, 5e-7, undefined]);
  assert(Object.hasOwn(openrlhfOptimizer({ step: "s", prefix: "", rate: 1, also: [], updates: () => 1 }), "adam.lr"));
});

Deno.test("OpenRLHF's data and models lie beside the workflow", () => {
  const { wanted } = told("openrlhf", "ppo", {
    pretrain: "org/model",
    prompt_data: "org/data",
    input_key: "q",
    label_key: "a",
    max_samples: 100,
    apply_chat_template: true,
  });
  assert.deepEqual([
    wanted["load_model.model"],
    wanted["load_prompts.file"],
    wanted["load_prompts.prompt_column"],
    wanted["load_prompts.answer_column"],
    wanted["load_prompts.limit"],
    wanted["load_model.chat_template"],
  ], ["hf:org/model", "hf:datasets/org/data", "q", "a", 100, true]);
  assert("lacks" in openrlhfModel("a.b", []).make({ unresolved: "$X" }, null as never));
  const RUN = {
    target: "workflow.train_steps",
    batch: ["rollout.batch_size", 1024],
    epochs: "train.num_episodes",
  } as const;
  assert(Object.hasOwn(openrlhfData("load_preferences", []), "data.dataset") && "make" in openrlhfEpochs(RUN, []));
});

Deno.test("OpenRLHF's machine options are equal by both of their names", () => {
  const { classes } = told("openrlhf", "ppo", {
    zero_stage: 3,
    "ds.zero_stage": 3,
    colocate_all_models: true,
    vllm_num_engines: 2,
    bf16: true,
    lora_rank: 8,
    "ds.lora.rank": 0,
  });
  assert.deepEqual(Object.values(classes), [
    "equal",
    "equal",
    "equal",
    "equal",
    "not_supported",
    "translated",
    "equal",
  ]);
  assert(Object.keys(OPENRLHF_MACHINE).length > 80);
});
