/** What says whether anything is right. */
import assert from "node:assert/strict";
import { rightOf } from "../../../../steps/diagnoses/view/right.ts";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import { between, longRun, noisy } from "../long_run.ts";
import { flat, ramp, viewOf } from "../synthetic.ts";

const evaluationSteps = Array.from({ length: 12 }, (_, i) => 25 * (i + 1));
const paid = (accuracy: readonly number[], more: Record<string, readonly number[]> = {}) =>
  viewOf(longRun({
    ...{ reward: noisy(between(0.3, 0.99, 0, 0.3), 0.01), "reward.accuracy_reward": [] },
    ...more,
  }, { evaluationSteps, evaluations: { accuracy } }));

Deno.test("rightOf() is the verifier's accuracy of a run of ours, of so many records", () => {
  const own = (records: number) => viewOf({ own: true, columns: { accuracy: ramp(0.1, 0.3, records) } });
  assert.equal(rightOf(own(9), 10), null);
  assert.equal(rightOf(own(10), 10)!.what, "completion");
});

Deno.test("rightOf() of a foreign log is a held-out score, where one function is paid", () => {
  assert.deepEqual(rightOf(paid(flat(0, 12) as number[]), 10)!.values, flat(0, 12));
  const two = {
    "reward.format_reward": noisy(between(0.3, 0.9), 0.02),
    "reward.accuracy_reward": noisy(() => 0.1, 0.02),
  };
  assert.equal(rightOf(paid(flat(0, 12) as number[], two), 10), null);
  assert.equal(rightOf(viewOf(longRun()), 10), null, "nothing held out");
});

Deno.test("a reward that rises to its top while no held-out answer is ever right is hacked; with some right it is not", () => {
  const first = (accuracy: readonly number[]) => diagnoseRun(paid(accuracy)).findings[0];
  const found = first(flat(0, 12) as number[]);
  assert.deepEqual([found?.cause, found?.severity], ["reward_hacking", "warning"]);
  assert.match(found!.message, /no held-out answer is right$/);
  assert.notEqual(first(noisy(between(0.1, 0.6), 0.01, { records: 12 }))?.cause, "reward_hacking");
});

Deno.test("rightOf() takes the highest of all held-out scores, none of what is paid, and only shares; it shows the highest value", () => {
  const of = (evaluations: Record<string, readonly number[]>) =>
    rightOf(viewOf(longRun({ "reward.accuracy_reward": [] }, { evaluationSteps, evaluations })), 10);
  const rises = between(0.3, 0.68), math = evaluationSteps.map((_, i) => rises(i / 11)), none = flat(0, 12) as number[];
  assert.equal(of({ "aime24/accuracy": none, "math500/accuracy": math })!.evidence.value, 0.68);
  assert.equal(of({ reward: math }), null, "what is paid");
  assert.equal(of({ "judge/score": math.map((value) => value - 1) }), null, "no share");
  const once = none.map((value, i) => i === 5 ? 0.008 : value);
  assert.deepEqual([of({ accuracy: once })!.evidence.value, of({ accuracy: once })!.evidence.train_step], [0.008, 150]);
  assert.equal(
    rightOf(
      viewOf(
        longRun({ "reward.accuracy_reward": [] }, {
          evaluationSteps: [1, 2, 3, 4],
          evaluations: { accuracy: [0, 0, 0, 0] },
        }),
      ),
      10,
    ),
    null,
  );
});

Deno.test("a held-out answer that was right once is one, whatever the last evaluation says", () => {
  const once = (flat(0, 12) as number[]).map((value, i) => i === 3 ? 0.05 : value);
  const { findings, afterEffects } = diagnoseRun(paid(once));
  assert(![...findings, ...afterEffects].some(({ message }) => /no held-out answer is right/.test(message)));
});
