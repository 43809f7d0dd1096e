import assert from "node:assert/strict";
import { diagnoseRun } from "../../../../steps/diagnoses/diagnose_run.ts";
import { unevaluated } from "../../../../steps/diagnoses/differential/unevaluated.ts";
import { between, longRun, noisy } from "../long_run.ts";
import { viewOf } from "../synthetic.ts";

const rising = noisy(between(0.3, 0.8), 0.06);
const alone = { reward: rising, "reward.accuracy_reward": [] };

Deno.test("unevaluated() asks for an evaluation where a long run shows its reward alone", () => {
  const view = viewOf(longRun(alone));
  const [line] = unevaluated(view);
  assert.match(
    line!,
    /^the reward went from 0\.\d+ to 0\.\d+, and no held-out score says .*: evaluate .*\(eval_strategy.*eval_steps/,
  );
  const { verdict, reasons, findings } = diagnoseRun(view);
  assert.deepEqual([verdict, findings], ["benign", []], "a note, and no alarm");
  assert(reasons.includes(line!));
});

Deno.test("unevaluated() is silent where a truth is printed, the reward stays, or the run is short", () => {
  const silent = [
    longRun({ ...alone, accuracy: rising }),
    longRun({ ...alone, reward: noisy(() => 0.5, 0.06) }),
    longRun({ ...alone, reward: rising.slice(0, 100) }, { records: 100 }),
    longRun(alone, {
      evaluations: { accuracy: Array(10).fill(0.5) },
      evaluationSteps: Array.from({ length: 10 }, (_, i) => 30 * i),
    }),
  ];
  silent.forEach((run, i) => assert.deepEqual(unevaluated(viewOf(run)), [], String(i)));
});

Deno.test("unevaluated() says how many evaluations there are where they are too few, and how they go", () => {
  const of = (accuracy: number[]) =>
    unevaluated(viewOf(longRun(alone, {
      evaluations: { accuracy },
      evaluationSteps: accuracy.map((_, i) => 50 * (i + 1)),
    })))[0]!;
  assert.match(
    of([0.2, 0.3, 0.4]),
    /, and only 3 evaluations say whether .* learned: eval_accuracy went from 0\.2 to 0\.4$/,
  );
  assert.match(of([0.2]), /, and only 1 evaluation says whether .* learned: eval_accuracy is 0\.2$/);
});
