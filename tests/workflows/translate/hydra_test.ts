import assert from "node:assert/strict";
import { hydraOverrides, hydraValue } from "../../../workflows/translate/hydra.ts";
import { shellCommands } from "../../../workflows/translate/shell_words.ts";

Deno.test("hydraValue() reads numbers, lists, dicts and quoted texts", () => {
  assert.deepEqual(["1e-6", "null", "True", "['console','wandb']", "{a: 1, b: [x, 2]}", "'1'", ""].map(hydraValue), [
    1e-6,
    null,
    true,
    ["console", "wandb"],
    { a: 1, b: ["x", 2] },
    "1",
    null,
  ]);
  assert.deepEqual(hydraValue("${data.max_prompt_length}"), { unresolved: "${data.max_prompt_length}" });
  for (const broken of ["[1, 2", "{a: ", "{{{", "{[1]: 2}", "{{a: b}: c}", "'open", "]", "[".repeat(100), "{a: [1}"]) {
    assert.equal(hydraValue(broken), broken);
  }
});

Deno.test("hydraOverrides() knows added and removed keys, and what is none", () => {
  const [words] = shellCommands("a.b=1 +c.d=[1,2] ++e=x ~f.g plain --config-name=ppo");
  const { overrides, rest } = hydraOverrides(words!);
  assert.deepEqual(overrides.map(({ name, value, deleted }) => [name, value, deleted]), [
    ["a.b", 1, false],
    ["c.d", [1, 2], false],
    ["e", "x", false],
    ["f.g", null, true],
  ]);
  assert.deepEqual(rest.map(({ text }) => text), ["plain", "--config-name=ppo"]);
});
