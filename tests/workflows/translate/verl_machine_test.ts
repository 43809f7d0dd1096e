import assert from "node:assert/strict";
import { VERL_MACHINE } from "../../../workflows/translate/verl_machine.ts";
import { told } from "./translated.ts";

Deno.test("verl's machine options are equal, those that lose something are told, typos are unknown", () => {
  const { classes, texts } = told("verl", "ppo", {
    "actor_rollout_ref.actor.fsdp_config.param_offload": true,
    "actor_rollout_ref.rollout.tensor_model_parallel_size": 2,
    "actor_rollout_ref.rollout.multi_turn.enable": true,
    "actor_rollout_ref.rollout.engine_kwargs.vllm.x": 1,
    "trainer.val_before_train": true,
    "trainer.totl_epochs": 1,
  });
  assert.deepEqual(Object.values(classes), ["equal", "equal", "not_supported", "equal", "not_supported", "unknown"]);
  assert.match(texts["trainer.totl_epochs"]!, /trainer\.total_epochs/);
  assert(Object.values(VERL_MACHINE).every(({ default: fallback }) => fallback === undefined));
});
