import assert from "node:assert/strict";
import { commandLine } from "../../../workflows/terminal/command_line.ts";
import { placeNote } from "../../../workflows/translate/pull_notes.ts";
import { translated } from "../../../workflows/translate/translate.ts";

Deno.test("placeNote() is the command that fetches an address, and nothing new of a path", () => {
  assert.equal(
    placeNote("hf:a/b@v1", "the model", ""),
    `fetch the model: ${commandLine(["pull", "a/b", "--revision", "v1"])}`,
  );
  assert.equal(
    placeNote("hf:datasets/a/b", "the rows", ""),
    `fetch the rows: ${commandLine(["pull", "datasets/a/b"])}`,
  );
  assert.equal(placeNote("./models/b", "the model", "put it there"), "put it there");
});

Deno.test("translated() tells what to pull, and takes the adapter off for the reference in place of a copy", () => {
  const options = Object.entries({ model: "Qwen/Q", train_dataset: "openai/gsm8k", beta: 0.04, use_peft: true }).map((
    [name, value],
    i,
  ) => ({ name, value, line: i + 1 }));
  const foreign = { system: "trl", trainer: "grpo", form: "x", notes: [] } as const;
  const { notes, settings, text, outcomes } = translated({ ...foreign, options }, "a.py", "a");
  assert(notes.includes(`fetch the model: ${commandLine(["pull", "Qwen/Q"])}`));
  assert(notes.includes(`fetch the rows: ${commandLine(["pull", "datasets/openai/gsm8k"])}`));
  assert.equal(settings["load_model.reference"], "adapter_off");
  assert.equal(outcomes.find(({ option }) => option === "beta")!.set["load_model.reference"], "adapter_off");
  assert.match(text, /reference: adapter_off/);
  const plain = translated({ ...foreign, options: options.filter(({ name }) => name !== "use_peft") }, "a.py", "a");
  assert.equal(plain.settings["load_model.reference"], "copy");
});
