import assert from "node:assert/strict";
import { parse } from "yaml";
import { stepsOf, workflowText } from "../../../workflows/translate/workflow_file.ts";

Deno.test("workflowText() writes YAML that reads back as its settings", () => {
  const settings = {
    "load_model.model": "./m: #1",
    "apply_update.learning_rate": 1e-6,
    "apply_update.preset": "trl/dapo",
    "score_rewards.rewards": [{ uses: "regex", with: { pattern: '^a\\s"b"' } }],
    "workflow.train_steps": 7,
    "workflow.seed": 3,
    "workflow.checkpoint.every": 5,
  };
  const read = parse(workflowText({ name: "a", about: "B: c", shape: "rollout", settings, comment: ["x", ""] }));
  assert.deepEqual([read.name, read.about, read.params.train_steps, read.seed, read.checkpoint.every], [
    "a",
    "B: c",
    7,
    3,
    5,
  ]);
  const steps = [...read.steps, ...read.steps[2].steps] as { uses: string; with: Record<string, unknown> }[];
  const of = (uses: string) => steps.find((step) => step.uses === uses)!.with;
  assert.deepEqual([of("load_model"), of("apply_update"), of("score_rewards")["rewards"]], [
    { model: "./m: #1" },
    { learning_rate: 1e-6, preset: "trl/dapo" },
    settings["score_rewards.rewards"],
  ]);
});

Deno.test("stepsOf() has the critic's steps where something sets them", () => {
  assert(!stepsOf("rollout", {}).includes("load_critic"));
  assert(stepsOf("rollout", { "update_critic.value_clip": 0.2 }).includes("update_critic"));
  assert.deepEqual(stepsOf("supervised", {}), ["load_prompts", "load_model", "fine_tune", "diagnose"]);
});

Deno.test("workflowText() exports an adapter as the other trainers save it, not merged", () => {
  const last = (shape: "reward_model" | "rollout") =>
    parse(workflowText({
      ...{ name: "a", about: "b", shape, comment: [] },
      settings: { "load_model.lora": { rank: 8 } },
    })).steps.at(-1);
  assert.deepEqual(last("rollout"), { uses: "export_model", with: { merge: false } });
  assert.deepEqual(last("reward_model"), { uses: "export_model", with: { what: "reward_model", merge: false } });
});

Deno.test("workflowText() exports what was trained, and diagnoses it before", () => {
  const last = (shape: "reward_model" | "preferences" | "supervised") =>
    parse(workflowText({ name: "a", about: "b", shape, settings: {}, comment: [] })).steps.slice(-2);
  assert.deepEqual(last("reward_model"), [{ uses: "diagnose" }, {
    uses: "export_model",
    with: { what: "reward_model" },
  }]);
  for (const shape of ["preferences", "supervised"] as const) {
    assert.deepEqual(last(shape), [{ uses: "diagnose" }, { uses: "export_model" }]);
  }
});
