import assert from "node:assert/strict";
import { generatePreferences } from "../../../data/preferences/generate_preferences.ts";
import { type Task, TASKS } from "../../../data/tasks/mod.ts";

const splits = { train: 0.8, validation: 0.1, held_out: 0.1 };

Deno.test("generatePreferences() chooses the right answer and rejects a wrong one, the same for a seed, of every task of texts", () => {
  for (const [name, entry] of Object.entries(TASKS)) {
    if (entry.hasImages) continue;
    const task: Task = entry, options = name === "addition" ? { digits: 1 } : {};
    const pairs = generatePreferences(task, name, options, { seed: 3, splits });
    const problems = task.rows(task.params.parse(options));
    assert.equal(pairs.length, problems.length, name);
    for (const [i, { prompt, chosen, rejected }] of pairs.entries()) {
      if (i > 200) break;
      const row = { prompt, answer: chosen, ...problems[i]!.columns };
      assert(task.verify(chosen, row) && !task.verify(rejected, row), `${name}: ${prompt} ${chosen} ${rejected}`);
    }
  }
  const one = (seed: number) => generatePreferences(TASKS.addition, "addition", { digits: 1 }, { seed, splits });
  assert.deepEqual(one(3), one(3));
  assert.notDeepEqual(one(3), one(4));
  assert.deepEqual(new Set(one(3).map(({ split }) => split)), new Set(["train", "validation", "held_out"]));
});
