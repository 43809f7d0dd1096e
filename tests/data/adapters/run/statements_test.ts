import assert from "node:assert/strict";
import { statementsOf } from "../../../../data/adapters/run/statements.ts";
import { readPost } from "../post/read_post.ts";

async function statements(text: string) {
  const intake = await readPost(text), { told, claims, left } = statementsOf(intake, intake.completions);
  return {
    told: told.map(({ line, name }) => `${line} ${name}`),
    claims: claims.map(({ line, subject, predicate }) => `${line} ${subject}.${predicate}`),
    left: left.map(({ line, reason }) => `${line} ${reason}`),
  };
}

Deno.test("statementsOf() takes what is said in a text about training, and of another only how much it was", async () => {
  assert.deepEqual(await statements("I run GRPO, why? The reward is stuck.\n"), {
    told: [],
    claims: ["1 reward.constant"],
    left: [],
  });
  assert.deepEqual(
    await statements("It was cold, and why did I go?\n\nThe loss was constant. His reward was zero.\n"),
    { told: [], claims: [], left: ["3 2 statements in a text that names no training run"] },
  );
  assert.deepEqual((await statements("I went home, why?\n")).left, []);
});

Deno.test("statementsOf() takes neither of two statements that contradict each other, and says which", async () => {
  assert.deepEqual(await statements("I run GRPO, why? The reward is always 0.\n\nThe reward goes from 0.1 to 0.9.\n"), {
    told: [],
    claims: [],
    left: ["1 reward is told to stay at 0 and, on line 3, to be 0.1, 0.9: neither counts"],
  });
});

Deno.test("statementsOf() takes levels of parts of a run, of its end, and that are about the same", async () => {
  for (
    const text of [
      "The reward is always 0.\n\nFrom step 40 to 80 the reward goes from 0.1 to 0.9.\n",
      "The reward is always 0.\n\nAt the end the reward is 0.5.\n",
      "The reward is always 0.5.\n\nThe reward goes from 0.48 to 0.52.\n",
      "The reward is always 0.5.\n\nThe KL is always 0.1.\n",
    ]
  ) {
    const { told, left } = await statements(`I run GRPO, why?\n\n${text}`);
    assert.deepEqual([told.length, left], [2, []], text);
  }
});
