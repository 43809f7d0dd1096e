import assert from "node:assert/strict";
import { modelAndData, splitOf } from "../../../workflows/translate/trl_model.ts";
import { told } from "./translated.ts";

Deno.test("modelAndData() puts models and data into folders beside the workflow, and an adapter into lora", () => {
  const { settings, classes, texts } = told("trl", "grpo", {
    model: "Qwen/Qwen2.5-0.5B",
    train_dataset: "org/data",
    "peft_config.r": 16,
    use_peft: false,
    dtype: "bfloat16",
    load_in_4bit: false,
    trust_remote_code: true,
  });
  assert.equal(settings["load_model.model"], "hf:Qwen/Qwen2.5-0.5B");
  assert.equal(settings["load_prompts.file"], "hf:datasets/org/data");
  assert.deepEqual(classes, {
    model: "translated",
    train_dataset: "translated",
    "peft_config.r": "translated",
    use_peft: "equal",
    dtype: "not_supported",
    load_in_4bit: "equal",
    trust_remote_code: "equal",
  });
  assert.deepEqual(settings["load_model.lora"], { rank: 16, alpha: 8 });
  assert.match(texts["dtype"]!, /float32/);
});

Deno.test("modelAndData() tells what is only known when the program runs", () => {
  assert.equal(told("trl", "grpo", { model: { unresolved: "get()" } }).classes["model"], "not_supported");
  assert(
    "load_preferences.file" in
      (modelAndData("load_preferences")["dataset_name"]!.make(
        "a/b",
        { isWritten: () => false, value: () => null } as never,
      ) as {
        set: object;
      }).set,
  );
});

Deno.test("modelAndData() reads revision, configuration and split of what lies on the Hub, and none of a file", () => {
  const { settings, classes } = told("trl", "dpo", {
    model: "org/m",
    "model.revision": "v1",
    train_dataset: "org/data",
    "train_dataset.name": "main",
    "train_dataset.split": "train_prefs",
    "train_dataset.revision": "abc",
  });
  const { "load_model.model": model, "load_preferences.file": file, "load_preferences.config": config } = settings;
  assert.deepEqual([model, file, config], ["hf:org/m@v1", "hf:datasets/org/data@abc", "main"]);
  assert.deepEqual(settings["load_preferences.take"], { train: "train_prefs" });
  assert.equal(classes["model.revision"], "translated");
  const sliced = told("trl", "dpo", { train_dataset: "org/data", "train_dataset.split": "train[:10%]" });
  assert.equal(sliced.classes["train_dataset.split"], "not_supported");
  const own = told("trl", "dpo", { train_dataset: "./own.jsonl", "train_dataset.split": "train" });
  assert.deepEqual([own.settings["load_preferences.file"], own.classes["train_dataset.split"]], [
    "./own.jsonl",
    "equal",
  ]);
  assert.deepEqual(splitOf("a-b", "x"), {
    lacks: '"a-b" is no name of a split; all rows are read: set take or limit of x',
  });
});

Deno.test("a data set's local file is the file of the rows, by itself or under train", () => {
  for (
    const [value, file] of [["prefs.jsonl", "prefs.jsonl"], [{ train: "d/kto.csv" }, "d/kto.csv"], [
      ["a.json"],
      "a.jsonl",
    ]] as const
  ) {
    const { settings, classes } = told("trl", "dpo", { train_dataset: "json", "train_dataset.data_files": value });
    assert.deepEqual([settings["load_preferences.file"], classes["train_dataset"]], [file, "equal"]);
  }
  const { classes } = told("trl", "dpo", { train_dataset: "json", "train_dataset.data_files": ["a.json", "b.json"] });
  assert.equal(classes["train_dataset.data_files"], "not_supported");
});

Deno.test("what changes the tokenizer or its chat template is not equal: it is said where to change it", () => {
  for (
    const [option, value, how] of [
      ["eos_token", "<|im_end|>", /change .* of its tokenizer_config\.json/],
      ["chat_template_path", "a/b", /where this is a file, write it as chat_template of load_model/],
    ] as const
  ) {
    const { classes, texts } = told("trl", "sft", { [option]: value });
    assert.equal(classes[option], "not_supported");
    assert.match(texts[option]!, how);
    assert.equal(told("trl", "sft", { [option]: null }).classes[option], "equal");
  }
  assert.equal(told("trl", "sft", { eos_token: "<EOS_TOKEN>" }).classes["eos_token"], "equal");
});
