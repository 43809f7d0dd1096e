import assert from "node:assert/strict";
import { tableOf } from "../../data/tables/mod.ts";
import { bestOf, bestOfN } from "../../steps/best_of_n.ts";
import { stepContext } from "./contexts/reward_steps.ts";

interface Given {
  readonly reward: number | null;
  readonly correct: boolean | null;
}

/** Runs the step on groups of completions. */
function measured(groups: readonly (readonly Given[])[], given: Record<string, unknown> = {}) {
  const rows = groups.flatMap((group, prompt_id) => group.map((one, sample) => ({ prompt_id, sample, ...one })));
  const column = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name]);
  const completions = tableOf("completions", {
    prompt_id: column("prompt_id"),
    sample: column("sample"),
    reward: column("reward"),
    correct: column("correct"),
  });
  return bestOfN.run(bestOfN.params.parse(given), stepContext({ completions })) as { outputs: Record<string, number> };
}
const right = (reward: number | null): Given => ({ reward, correct: true });
const wrong = (reward: number | null): Given => ({ reward, correct: false });

Deno.test("the completion of highest reward is judged, beside one sample and any that is right", () => {
  const { outputs } = measured([
    [right(0.9), wrong(0.1), wrong(0.2), wrong(0.3)],
    [right(0.1), wrong(0.9), right(0.2), wrong(0.3)],
    [wrong(0.1), wrong(0.9), wrong(0.2), wrong(0.3)],
  ]);
  assert.deepEqual(outputs, { n: 4, best: 1 / 3, sampled: (0.25 + 0.5 + 0) / 3, any: 2 / 3, prompts: 3 });
});

Deno.test("with n below the group size every choice of n counts alike", () => {
  const group = [
    { reward: 3, right: 1 },
    { reward: 1, right: 0 },
    { reward: 2, right: 1 },
    { reward: 2, right: 0 },
    { reward: 0, right: 1 },
  ];
  for (const n of [1, 2, 3, 4, 5]) {
    let sum = 0, choices = 0;
    for (let bits = 0; bits < 32; bits++) {
      const chosen = group.filter((_, i) => bits >> i & 1);
      if (chosen.length !== n) continue;
      const most = Math.max(...chosen.map(({ reward }) => reward));
      // Equal rewards are alike in the whole group, so that either may stand for both.
      const equals = group.filter(({ reward }) => reward === most);
      sum += equals.reduce((total, { right }) => total + right, 0) / equals.length;
      choices++;
    }
    assert(Math.abs(bestOf(group, n) - sum / choices) < 1e-12, `n ${n}`);
  }
  assert(Math.abs(bestOf(group, 1) - 3 / 5) < 1e-12);
});

Deno.test("completions without a reward are not chosen, and groups without one are left out", () => {
  const { outputs } = measured([[right(null), wrong(0.1), right(0.5)], [right(null), wrong(null), wrong(null)]], {
    n: 2,
  });
  assert.deepEqual([outputs["best"], outputs["prompts"]], [1, 1]);
});

Deno.test("nothing to compare and more than there are is refused", () => {
  assert.throws(() => measured([[right(null)]]), /none has a reward and a verifier; run score_rewards/);
  assert.throws(() => measured([[{ reward: 1, correct: null }]]), /none has a reward and a verifier/);
  assert.throws(
    () => measured([[right(1), right(2)]], { n: 3 }),
    /a group has 2 with a reward, want at least 3; lower n/,
  );
});
