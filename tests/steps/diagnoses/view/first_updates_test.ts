/** What breaks within the first updates. */
import assert from "node:assert/strict";
import { breakOf, soon } from "../../../../steps/diagnoses/view/first_updates.ts";
import { noisy } from "../long_run.ts";
import { flat, healthyBut, ramp, viewOf } from "../synthetic.ts";

const none = { "reward.accuracy_reward": [] };

Deno.test("an entropy of a tenth with the reward at its floor breaks, an entropy of a fifth does not", () => {
  const run = (left: number) =>
    healthyBut({ ...none, entropy: [0.6, ...flat(left, 29)], reward: [0.5, ...flat(0, 29)] });
  assert.deepEqual([0.05, 0.12].map((left) => breakOf(viewOf(run(left)))?.column), ["entropy", "reward"]);
  assert.equal(breakOf(viewOf(healthyBut({ entropy: [0.6, ...flat(0.05, 29)] }))), null, "while the reward rises");
});

Deno.test("a reward at its floor for good breaks within five updates, not later, and not one that comes back", () => {
  const falls = (at: number, back = 0) =>
    breakOf(viewOf(healthyBut({ ...none, reward: [...flat(0.5, at), ...flat(0, 29 - at), back] })));
  assert.deepEqual([falls(5)?.record, falls(6), falls(5, 0.5)], [5, null, null]);
});

Deno.test("a loss that doubles and both log-probs that lose 20 nats break; so does nothing after the first NaN", () => {
  const supervised = { algorithm: "sft", columns: { loss: [1, 2.1, ...flat(2.2, 28)] } };
  assert.equal(breakOf(viewOf(supervised))?.column, "loss");
  const pairs = (chosen: number) => ({
    algorithm: "dpo",
    columns: {
      loss: ramp(0.69, 0.5),
      chosen_logprob: [-30, ...flat(chosen, 29)],
      rejected_logprob: [-30, ...flat(-60, 29)],
    },
  });
  assert.deepEqual([-51, -49].map((chosen) => breakOf(viewOf(pairs(chosen)))?.column), ["chosen_logprob", undefined]);
  const nan = healthyBut({ ...none, grad_norm: [1, NaN, ...flat(NaN, 28)], reward: [0.5, 0.5, ...flat(0, 28)] });
  assert.equal(breakOf(viewOf(nan)), null);
});

Deno.test("records far apart show the first updates twice, those of every update six times", () => {
  const steps = (every: number) =>
    viewOf({ ...healthyBut({}), steps: Array.from({ length: 30 }, (_, i) => every * (i + 1)) });
  assert.deepEqual([soon(steps(1)), soon(steps(10))], [6, 2]);
});

Deno.test("an entropy that triples breaks from half a nat more on, a learned loss that doubles below 0.1 does not", () => {
  const rises = (to: number) =>
    breakOf(viewOf(healthyBut({ ...none, entropy: [0.1, ...flat(to, 29)], reward: [0.5, ...flat(0, 29)] })))?.column;
  assert.deepEqual([0.7, 0.85].map(rises), ["reward", "entropy"]);
  const loss = (first: number, later: number) =>
    breakOf(viewOf({ algorithm: "sft", columns: { loss: [first, ...flat(later, 29)] } }));
  assert.equal(loss(0.01, 0.55)?.column, "loss");
  assert.equal(loss(0.3, 0.75), null, "less than half a nat more");
});

Deno.test("log-probs that differ by the lengths of the batches' texts do not break: rewards stay, or the fall does not last", () => {
  const lengths = noisy(() => -240, 50, { records: 60, memory: 0 });
  const pairs = (logprobs: number[], reward?: number[]) =>
    breakOf(viewOf({
      algorithm: "dpo",
      columns: {
        loss: ramp(0.69, 0.6, 60),
        chosen_logprob: logprobs,
        rejected_logprob: logprobs.map((value) => value - 5),
        ...(reward && { chosen_reward: reward, rejected_reward: reward.map((value) => value - 0.01) }),
      },
    }));
  const short = [-150, ...lengths.slice(1)], gone = [-150, ...flat(-800, 59)] as number[];
  assert.equal(pairs(short), null, "no rewards, and the scatter explains it");
  assert.equal(pairs(short, ramp(0, 0.01, 60)), null, "rewards near 0");
  assert.equal(pairs(gone, ramp(0, 0.01, 60, 0)), null, "longer texts from the second record on");
  assert.equal(pairs(gone)?.record, 1);
  assert.equal(pairs(gone, [0, ...flat(-65, 59)] as number[])?.record, 1);
});
