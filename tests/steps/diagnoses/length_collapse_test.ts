/** The rule length_collapse: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { flat, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";
import { between, healthyRuns, longRun, noisy } from "./long_run.ts";

testRule("length_collapse", {
  fires: {
    "completions that lose two thirds of their length over a long run": longRun({
      ...{ reward: noisy(between(0.3, 0.6, 0, 0.4), 0.03), "reward.accuracy_reward": [] },
      completion_length: noisy(between(300, 100, 0.3, 0.8), 8),
    }),
    "a length that begins to shrink, a little, while the reward still rises": longRun({
      ...{ reward: noisy(between(0.3, 0.6, 0, 0.35), 0.02), "reward.accuracy_reward": [] },
      completion_length: noisy((at) => between(0, -30, 0.1, 0.35)(at) + between(400, 40, 0.4, 0.6)(at), 4),
    }),
    "a fifth of the length at the same reward": healthyBut({
      completion_length: ramp(200, 20),
      reward: ramp(0.4, 0.4),
      "reward.accuracy_reward": ramp(0.4, 0.4),
    }),
  },
  silent: {
    "the same with a reward that rises": longRun({ completion_length: noisy(between(300, 100, 0.1, 0.9), 8) }),
    "lengths that follow the prompts, of a policy that no update has moved": healthyBut({
      completion_length: [...flat(200, 15), ...flat(20, 15)],
      reward: flat(0),
      "reward.accuracy_reward": flat(0),
      grad_norm: flat(0),
    }),
    "short but better": healthyBut({ completion_length: ramp(200, 20) }),
    "lengths that follow the prompts after the last gradient, of a run that is at its floor": longRun({
      ...{ reward: noisy(() => 0, 0), "reward.accuracy_reward": [], grad_norm: flat(0, 300) as number[] },
      completion_length: noisy(between(300, 100, 0.3, 0.8), 8),
    }),
    "a third shorter": healthyBut({ completion_length: ramp(200, 130), reward: ramp(0.4, 0.4) }),
  },
});

Deno.test("length_collapse is from the train step on at which its own series falls", () => {
  const completion_length = ramp(100, 100, 40, 0.001).map((value, i) => i < 12 ? value : 10 + i / 1e4);
  const result = DIAGNOSES.length_collapse.check(
    viewOf(healthyBut({ completion_length, reward: flat(0.4, 40), "reward.accuracy_reward": [] })),
  );
  assert(result !== null && "message" in result);
  assert.deepEqual([result.trainSteps[0], result.trainSteps.length], [13, 28]);
});

Deno.test("length_collapse is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.length_collapse.check(viewOf(run)), null);
});

Deno.test("length_collapse over a long run wants four stretches of it, and texts of four tokens", () => {
  const still = { reward: noisy(between(0.3, 0.6, 0, 0.3), 0.04), "reward.accuracy_reward": [] };
  const check = (length: number, record: number) =>
    DIAGNOSES.length_collapse.check(viewOf(longRun({
      ...still,
      completion_length: noisy(() => 1, 0.03).map((rough, i) => rough * length * (i < record ? 1 : 0.35)),
    })));
  // The twenty-first of 24 stretches of 300 records begins with record 250, the one behind it with record 263.
  assert.deepEqual([250, 263].map((record) => check(400, record) !== null), [true, false]);
  assert.deepEqual([3, 6].map((length) => check(length, 150) !== null), [false, true]);
});

Deno.test("length_collapse names the reward function that rises meanwhile, and comes before the entropy that goes with it", () => {
  const falls = (at: number) => at < 0.7 ? 8 : Math.max(1, 8 - 60 * (at - 0.7));
  const run = longRun({
    completion_length: noisy(falls, 0.1),
    entropy: noisy((at) => at < 0.72 ? 1.9 : Math.max(0.1, 1.9 - 15 * (at - 0.72)), 0.02),
    "reward.accuracy_reward": noisy(() => 0.02, 0.002),
    "reward.brevity_reward": noisy((at) => 1 - falls(at) / 16, 0.01),
    "reward.style_reward": noisy(between(0.3, 0.4), 0.05, { seed: 8 }),
    reward: noisy((at) => 0.05 - falls(at) / 400, 0.002),
  });
  const { findings, afterEffects } = diagnoseRun(viewOf(run));
  assert.equal(findings[0]!.cause, "length_collapse", findings.map(({ cause }) => cause).join());
  assert.match(findings[0]!.hint, /brevity_reward rises meanwhile/);
  assert.deepEqual(findings[0]!.remedy.options, []);
  assert(afterEffects.some(({ cause }) => cause === "entropy_collapse"));
});

Deno.test("length_collapse costs from where the run no longer learns, and asks for gradients from where it begins", () => {
  const length = noisy((at) => between(0, -60, 0.1, 0.5)(at) + between(400, 200, 0.5, 0.65)(at), 4);
  const found = (reward: readonly number[], grad_norm: readonly number[] = noisy(() => 0.5, 0.02)) =>
    DIAGNOSES.length_collapse.check(
      viewOf(longRun({ reward, "reward.accuracy_reward": [], completion_length: length, grad_norm })),
    );
  const learns = found(noisy(between(0.2, 0.7, 0, 0.5), 0.02)), never = found(noisy(() => 0.5, 0.02));
  assert(learns !== null && "message" in learns && never !== null && "message" in never);
  assert(learns.trainSteps[0]! > 150 && never.trainSteps[0]! < 120, `${learns.trainSteps[0]} ${never.trainSteps[0]}`);
  const stops = noisy(() => 0.5, 0.02).map((value, i) => i < 60 ? value : 0);
  assert.equal(found(noisy(() => 0.5, 0.02), stops), null, "no update since it began");
});

Deno.test("length_collapse goes back first, and offers another loss only to a run that shows the biased one", () => {
  const shrunk = (settings: Record<string, unknown>) =>
    diagnoseRun(viewOf(longRun({
      ...{ reward: noisy(between(0.3, 0.6, 0, 0.4), 0.03), "reward.accuracy_reward": [] },
      completion_length: noisy(between(300, 100, 0.3, 0.8), 8),
    }, { system: "trl", settings }))).findings[0]!;
  assert.match(shrunk({}).hint, /^Go back to a checkpoint from before/);
  assert.deepEqual(shrunk({}).remedy.options, []);
  assert.deepEqual(shrunk({ loss_type: "dapo" }).remedy.options, []);
  assert.deepEqual(shrunk({ loss_type: "grpo" }).remedy.options, ["trl: loss_type=bnpo"]);
});
