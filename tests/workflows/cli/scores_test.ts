import assert from "node:assert/strict";
import { endScores, type Evaluations, scoreText } from "../../../workflows/cli/scores.ts";

const CASES: readonly (readonly [evaluations: Evaluations, before: string, after: string])[] = [
  [{}, "–", "–"],
  [{ before: { sampled: 0.5, greedy: 0.6 }, after: { sampled: 0.75, greedy: 0.8 } }, "50.0 %", "75.0 %"],
  [{ before: { sampled: null, greedy: 0.6 }, after: { greedy: 0.8 } }, "60.0 % greedy", "80.0 % greedy"],
  [{ before: { sampled: 0.5, greedy: 0.6 }, after: { greedy: 0.8 } }, "60.0 % greedy", "80.0 % greedy"],
  [{ before: { sampled: 0.5 }, after: { greedy: 0.8 } }, "50.0 %", "80.0 % greedy"],
  [{ before: { sampled: 0 } }, "0.0 %", "–"],
  [{ after: { sampled: 1 } }, "–", "100.0 %"],
  [{ during: { greedy: 0.25 } }, "–", "25.0 % greedy during"],
  [{ start: { sampled: 0.1 }, middle: { sampled: 0.2 }, end: { sampled: 0.3 } }, "10.0 % start", "30.0 % end"],
  [{ before: { sampled: 0.1 }, during: { sampled: 0.3 } }, "10.0 %", "30.0 % during"],
  // No verifier judged: what the rewards say stands in, and never for a share that one run has.
  [
    {
      before: { sampled: null, sampled_reward: 0.25, greedy_reward: 0.3 },
      after: { sampled: null, sampled_reward: 0.5 },
    },
    "reward 0.25",
    "reward 0.5",
  ],
  [{ after: { sampled: null, greedy: null, sampled_reward: null, greedy_reward: 1.5 } }, "–", "reward 1.5 greedy"],
  [{ before: { sampled: 0.1, sampled_reward: 9 }, after: { sampled: 0.2, sampled_reward: 8 } }, "10.0 %", "20.0 %"],
  [{ during: { sampled: 0.3 }, after: { sampled: 0.4 } }, "30.0 % during", "40.0 %"],
];

Deno.test("endScores() find what was measured, whatever mode or name it has", () => {
  for (const [evaluations, before, after] of CASES) {
    const ends = endScores(evaluations);
    const texts = [scoreText(ends.before, "before"), scoreText(ends.after, "after")];
    assert.deepEqual(texts, [before, after], JSON.stringify(evaluations));
  }
});
