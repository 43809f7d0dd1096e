import assert from "node:assert/strict";
import { type Form, Launch } from "../../../../workflows/preflight/foreign/launch.ts";
import type { Value } from "../../../../workflows/translate/written.ts";
import type { SystemName } from "../../../../data/systems.ts";

function launch(
  options: Readonly<Record<string, Value>>,
  system: SystemName = "trl",
  form: Form = "flags",
  trainer: string | null = "grpo",
) {
  const told = Object.entries(options).map(([name, value], i) => ({
    name,
    value,
    line: i + 1,
    column: 1,
    source: "a",
  }));
  return new Launch({ path: "a", text: "", system, trainer, form, options: told, beside: new Map() });
}

Deno.test("Launch reads the last of some names; what only the program knows is no value, and no default stands for it", () => {
  const one = launch({
    lr: 1,
    learning_rate: 2,
    open: { unresolved: "$X" },
    list: "a, b",
    pair: [1, 2],
    no_bf16: true,
  });
  assert.equal(one.told("lr", "learning_rate")!.value, 2);
  assert.deepEqual([one.number("lr"), one.number("open"), one.number("none")], [1, null, null]);
  assert.deepEqual([one.numberOr(8, "none"), one.numberOr(8, "open"), one.numberOr(8, "lr")], [8, null, 1]);
  assert.deepEqual([one.value("open"), one.word("open")], [undefined, "$X"]);
  assert.deepEqual([one.list("list"), one.list("pair"), one.list("lr"), one.list("none")], [
    ["a", "b"],
    [1, 2],
    [1],
    null,
  ]);
  assert.deepEqual([one.flag("bf16"), one.flag("none")], [false, null]);
});

Deno.test("Launch counts processes by what the system calls them", () => {
  const verl = { "trainer.n_gpus_per_node": 8, "trainer.nnodes": 2 };
  assert.equal(launch(verl, "verl").processes, 16);
  assert.equal(launch({ "trainer.n_gpus_per_node": 8 }, "verl").processes, 8);
  assert.equal(launch({ num_processes: 4 }).processes, 4);
  assert.equal(launch({}).processes, null);
});

const ADAPTERS: readonly (readonly [SystemName, Form, Readonly<Record<string, Value>>, boolean | null])[] = [
  ["trl", "flags", { use_peft: true }, true],
  ["trl", "flags", { lora_r: 16 }, false],
  ["trl", "keywords", { "peft_config.r": 16 }, true],
  ["trl", "keywords", { model: "m" }, false],
  ["trl", "keywords", {}, null],
  ["llamafactory", "keys", {}, true],
  ["llamafactory", "keys", { finetuning_type: "full" }, false],
  ["ms-swift", "flags", {}, true],
  ["ms-swift", "flags", { tuner_type: "full" }, false],
  ["verl", "overrides", { "actor_rollout_ref.model.lora_rank": 32 }, true],
  ["verl", "overrides", {}, false],
  ["openrlhf", "flags", { lora_rank: 0 }, false],
];

for (const [system, form, options, has] of ADAPTERS) {
  Deno.test(`Launch says ${has} of an adapter of ${system} with ${JSON.stringify(options)} as ${form}`, () => {
    assert.equal(launch(options, system, form).hasAdapter, has);
  });
}

Deno.test("Launch knows a training by groups and by rollouts", () => {
  assert.deepEqual([launch({}).isGrouped, launch({}).isRollout], [true, true]);
  const dpo = launch({}, "trl", "flags", "dpo");
  assert.deepEqual([dpo.isGrouped, dpo.isRollout], [false, false]);
  assert(launch({ advantage_estimator: "group_norm" }, "openrlhf", "flags", "ppo").isGrouped);
});

Deno.test("Launch writes a change as the file writes its options", () => {
  const change = { name: "peft_config.r", value: 16 },
    off = { name: "fp16", value: false },
    small = { name: "lr", value: 1e-6 };
  const by = (form: Form) => [change, off, small].map((one) => launch({}, "trl", form).written(one));
  assert.deepEqual(by("flags"), ["--peft_config.r 16", "--fp16 false", "--lr 1.0e-6"]);
  assert.deepEqual(by("overrides"), ["peft_config.r=16", "fp16=False", "lr=1.0e-6"]);
  assert.deepEqual(by("keys"), ["peft_config.r: 16", "fp16: false", "lr: 1.0e-6"]);
  assert.deepEqual(by("keywords"), ["r=16", "fp16=False", "lr=1.0e-6"]);
  assert.equal(launch({}).written({ name: "delta" }), "leave out --delta");
  assert.equal(launch({}).written({ name: "w", value: [1, 0.5] }), "--w 1 0.5");
  assert.equal(launch({}, "trl", "keywords").written({ name: "loss_type", value: "grpo" }), 'loss_type="grpo"');
  assert.equal(launch({}, "trl", "keywords").called("model.max_seq_length"), "max_seq_length");
});
