import assert from "node:assert/strict";
import { LLAMAFACTORY_RULES } from "../../../../workflows/preflight/foreign/llamafactory_rules.ts";
import { launchesOf } from "../../../../workflows/preflight/foreign/read_launch.ts";
import { testRules } from "./cases.ts";

testRules(LLAMAFACTORY_RULES);

Deno.test("training_not_asked_for knows the default, and an evaluation that is meant", () => {
  const of = (...more: string[]) => {
    const text = [
      "stage: sft",
      "model_name_or_path: a",
      "dataset: b",
      "finetuning_type: lora",
      "template: qwen",
      ...more,
    ];
    return LLAMAFACTORY_RULES.training_not_asked_for.check(launchesOf("a.yaml", text.join("\n"))[0]!);
  };
  assert.match(of()!.message, /not written/);
  assert.match(of("do_train: false", "do_eval: false")!.message, /do_train is false/);
  for (const more of [["do_train: true"], ["do_predict: true"], ["do_train: false", "do_eval: true"]]) {
    assert.equal(of(...more), null, more.join());
  }
});
