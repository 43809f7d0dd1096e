import assert from "node:assert/strict";
import { rewardColumns } from "../../../workflows/translate/reward_columns.ts";
import type { Given } from "../../../workflows/translate/table.ts";
import { translated } from "../../../workflows/translate/translate.ts";
import { readPython } from "../../../workflows/translate/python_call.ts";

const script = (reward: string, parameters: string) =>
  `from trl import GRPOTrainer, GRPOConfig
def exact(${parameters}):
    return [1.0 for c in completions]
GRPOTrainer(model="a/b", reward_funcs=${reward}, args=GRPOConfig("out", max_steps=5), train_dataset=ds)`;

/** The options of load_prompts and the place of the rows. */
function of(reward: string, parameters: string) {
  const { options, functions } = readPython(script(reward, parameters));
  const foreign = { system: "trl" as const, trainer: "grpo", form: "TRL script", options, notes: [], functions };
  const { settings, notes } = translated(foreign, "a.py", "mine");
  const own = ["answer_column", "verifier", "columns"].map((name) => settings[`load_prompts.${name}`]);
  return [...own, notes.find((note) => note.startsWith("put the rows"))?.replace(/^.*, with /, "")];
}

Deno.test("the answer is the one column that a script's reward reads", () => {
  const solution = ["solution", undefined, undefined, "columns prompt and solution"];
  assert.deepEqual(of("exact", "completions, solution, **kw"), solution);
  assert.deepEqual(of("[exact, think_format_reward]", "prompts, completions, solution, weight=2"), solution);
  assert.deepEqual(of("exact", "completions, answer"), ["answer", undefined, undefined, "columns prompt and answer"]);
});

Deno.test("rows have prompts alone where rewards read nothing else, and all columns where they read several", () => {
  assert.deepEqual(of("exact", "completions, **kwargs"), [null, "none", undefined, "a column prompt"]);
  const two = of("exact", "completions, level, target");
  assert.deepEqual(two, [null, "none", ["level", "target"], "columns prompt, level and target"]);
  const judged = of("[exact, accuracy_reward]", "completions, level");
  assert.deepEqual(judged, ["solution", undefined, ["level"], "columns prompt, solution and level"]);
});

Deno.test("nothing is set where a reward's columns do not stand in the script", () => {
  const plain = [undefined, undefined, undefined, "columns prompt and answer"];
  for (const reward of ["make_reward(0.5)", "elsewhere", "[exact, elsewhere]", "exact(1)"]) {
    assert.deepEqual(of(reward, "completions, solution"), plain, reward);
  }
  assert.deepEqual(rewardColumns([{ unresolved: "constructor" }], { functions: {} } as unknown as Given), {});
});
