/** The differential: what the evidence leaves possible, and how likely. */
import assert from "node:assert/strict";
import { differentialOf } from "../../../../steps/diagnoses/differential/differential.ts";
import { WEIGHTS } from "../../../../steps/diagnoses/differential/weights.ts";
import type { Finding } from "../../../../steps/diagnoses/diagnosis.ts";

const alarm = (cause: string, more: Partial<Finding> = {}): Finding => ({
  cause,
  codes: [],
  severity: "error",
  train_steps: [10],
  message: `${cause} is there`,
  hint: "",
  evidence: [],
  remedy: { patches: [], options: [] },
  ruled_out: [],
  ...more,
});

Deno.test("one finding has the share that its severity has beside what is not known", () => {
  const [only] = differentialOf({ alarms: [alarm("nan_loss")], open: [], length: 100 });
  const odd = Math.exp(WEIGHTS.error);
  assert.ok(Math.abs(only!.probability - odd / (odd + Math.exp(WEIGHTS.nothing))) < 1e-12);
  assert.deepEqual(only!.for, [{ says: "nan_loss is there", weight: WEIGHTS.error }]);
  assert.deepEqual(only!.against, []);
});

Deno.test("what follows from another finding is less likely, and says from which", () => {
  const [first, second] = differentialOf({
    alarms: [alarm("truncated_completions"), alarm("zero_reward_variance")],
    open: [],
    length: 100,
  });
  assert.deepEqual([first!.cause, second!.cause], ["truncated_completions", "zero_reward_variance"]);
  assert.deepEqual(second!.against, [{ says: "it follows from truncated_completions", weight: WEIGHTS.follows }]);
  assert.ok(first!.for.some(({ says }) => says === "it explains zero_reward_variance"));
});

Deno.test("of two that explain neither other, the one that began first gains", () => {
  const at = (entropy: number, clipping: number) =>
    differentialOf({
      alarms: [
        alarm("entropy_collapse", { began: entropy }),
        alarm("critic_not_learning", { began: clipping }),
      ],
      open: [],
      length: 100,
    });
  const early = at(10, 50)[0]!, late = at(50, 10).find(({ cause }) => cause === "critic_not_learning")!;
  assert.ok(early.for.some(({ says }) => says === "it begins first, at train step 10"));
  assert.ok(late.for.some(({ says }) => says === "it begins first, at train step 10"));
  assert.equal(at(10, 12)[0]!.for.length, 1);
});

Deno.test("what a rule cannot decide stays possible, below a finding", () => {
  const found = differentialOf({
    alarms: [alarm("nan_loss")],
    open: [{ cause: "critic_not_learning", missing: ["return_std"], because: "no deviation is printed" }],
    length: 100,
  });
  assert.deepEqual(found.map(({ cause }) => cause), ["nan_loss", "critic_not_learning"]);
  assert.ok(found.reduce((sum, { probability }) => sum + probability, 0) < 1);
});

Deno.test("a doubt weighs against its own cause", () => {
  const sure = differentialOf({ alarms: [alarm("nan_loss")], open: [], length: 9 })[0]!;
  const doubtful = differentialOf({
    alarms: [alarm("nan_loss", { confirm: "look" })],
    open: [],
    length: 9,
  })[0]!;
  assert.ok(doubtful.probability < sure.probability);
  assert.deepEqual(doubtful.against, [{ says: "not confirmed: look", weight: WEIGHTS.doubt }]);
});

Deno.test("a trend that began well before another is none of its after-effects", () => {
  const causes = (began: number) =>
    differentialOf({
      alarms: [alarm("entropy_collapse", { began: 60 }), alarm("truncated_completions", { began })],
      open: [],
      length: 100,
    });
  assert.ok(
    causes(55).find(({ cause }) => cause === "truncated_completions")!.against.some(({ weight }) =>
      weight === WEIGHTS.follows
    ),
  );
  assert.ok(
    !causes(30).find(({ cause }) => cause === "truncated_completions")!.against.some(({ weight }) =>
      weight === WEIGHTS.follows
    ),
  );
});
