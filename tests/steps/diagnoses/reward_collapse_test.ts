/** The rule reward_collapse: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { tableOf } from "../../../data/tables/mod.ts";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { withRun } from "../contexts/training_run.ts";
import { flat, HEALTHY, healthyBut, ramp, type Run, testRule, viewOf } from "./synthetic.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, healthyRuns, longRun, noisy } from "./long_run.ts";

/** A run of ours whose accuracy and reward are these shares of 64 prompts. */
function own(accuracy: readonly number[], more: Omit<Run, "columns"> = {}): Run {
  const records = accuracy.length;
  return {
    own: true,
    settings: { prompts_per_step: 64, group_size: 8 },
    ...more,
    columns: {
      ...Object.fromEntries(
        Object.entries(HEALTHY.columns!).filter(([name]) => !name.startsWith("reward.")).map((
          [name, cells],
        ) => [name, cells.slice(0, records)]),
      ),
      accuracy,
      reward: accuracy,
    },
  };
}

/** Held-out scores of `prompts` prompts, one every 10 train steps. */
const held = (prompts: number, values: readonly number[]): Pick<Run, "scores"> => ({
  scores: [{
    name: "correct (held_out, sampled)",
    split: "held_out",
    mode: "sampled",
    prompts,
    trainSteps: values.map((_, i) => 10 * i),
    values,
  }],
});

testRule("reward_collapse", {
  fires: {
    "a score of a reward model that falls far below its best for good": longRun({
      reward: noisy((at) => at < 0.4 ? -2 + 6 * at : 0.4 - 8 * (at - 0.4), 0.15),
      "reward.accuracy_reward": [],
    }),
    "85 % to 0.5 % in four train steps": own([0.855, 0.3, 0.02, 0.005]),
    "a rise and a fall to a fifth": own([...ramp(0.4, 0.8, 15), ...ramp(0.7, 0.15, 15)]),
    "a held-out score that falls from 85 % to 1 % between two evaluations": own(
      ramp(0.5, 0.5),
      held(500, [0.85, 0.01]),
    ),
    "a held-out score that loses more than half of a small best": own(ramp(0.3, 0.3), held(300, [0.2, 0.15, 0.08])),
    "a loss of a third beyond doubt": own(ramp(0.6, 0.6), held(500, [0.6, 0.8, 0.5])),
    "an imported log with a fall of the goal": healthyBut({
      reward: [...ramp(0.3, 0.8, 30), ...ramp(0.7, 0.1, 20)],
      "reward.accuracy_reward": [...ramp(0.3, 0.8, 30), ...ramp(0.7, 0.1, 20)],
    }),
    "a reward below zero that falls by three of its standard deviations": healthyBut({
      reward: [...ramp(-0.5, 0.2, 30), ...ramp(-0.5, -0.9, 20)],
      "reward.accuracy_reward": [],
      reward_std: flat(0.3, 50),
    }),
  },
  silent: {
    "a score of a reward model that dips and comes back": longRun({
      reward: noisy((at) => -2 + 4 * at - (at > 0.5 && at < 0.6 ? 1.5 : 0), 0.15),
      "reward.accuracy_reward": [],
    }),
    "a rise": own(ramp(0.3, 0.9)),
    "a dip that has recovered": own([...ramp(0.6, 0.6, 12), 0.2, 0.1, 0.15, ...ramp(0.5, 0.6, 12)]),
    "the noise of 64 prompts": own(Array.from({ length: 100 }, (_, i) => 0.1 + 0.04 * Math.sin(17.3 * i))),
    "one bad batch at the end": own([...ramp(0.6, 0.6, 20), 0.25]),
    "a small loss": own(ramp(0.8, 0.7)),
    "harder prompts while the held-out score stays": own([...ramp(0.8, 0.8, 15), ...ramp(0.3, 0.3, 15)], {
      ...held(500, [0.6, 0.6, 0.61, 0.6]),
    }),
    "held-out scores of 20 prompts that differ by chance": own(ramp(0.3, 0.3), held(20, [0.3, 0.4, 0.3])),
    "an imported reward that swings": healthyBut({
      reward: Array.from({ length: 60 }, (_, i) => 0.3 + 0.25 * Math.sin(2.1 * i)),
      "reward.accuracy_reward": [],
    }),
  },
});

Deno.test("reward_collapse: below half by what may be chance is no health, the verdict is open", () => {
  const { verdict, missing, reasons } = diagnoseRun(viewOf(own(ramp(0.3, 0.3), held(20, [0.4, 0.15]))));
  assert.equal(verdict, "insufficient");
  assert.deepEqual(missing, ["an evaluation of more prompts"]);
  assert.match(reasons[0]!, /from 40 % .* to 15 % .* chance/);
});

Deno.test("reward_collapse: a held-out score that fell by what is chance once in a hundred runs is no health", () => {
  const judged = (...right: number[]) =>
    diagnoseRun(viewOf(own(ramp(0.6, 0.6), held(41, right.map((solved) => solved / 41)))));
  const { verdict, findings, reasons } = judged(34, 23);
  assert.deepEqual([verdict, findings], ["insufficient", []]);
  assert.match(reasons[0]!, /the held-out score fell from 82.9\d % .* to 56.1 % .* chance/);
  assert.equal(judged(34, 27).verdict, "benign");
  assert.equal(judged(23, 34).verdict, "benign");
  assert.equal(judged(34, 34, 33, 35, 34, 33, 34, 32, 35, 24).verdict, "benign"); // one of ten may be that far off
});

Deno.test("diagnose stops a run whose held-out score falls between its evaluations, whatever the metrics say", () =>
  withRun(async (run) => {
    run.tables.write({
      prompts: tableOf("prompts", {
        prompt_id: Array.from({ length: 200 }, (_, i) => i),
        prompt: Array.from({ length: 200 }, (_, i) => `${i}`),
        answer: Array.from({ length: 200 }, () => "1"),
        split: Array.from({ length: 200 }, () => "held_out"),
      }),
    }, "load_prompts");
    const evaluate = (writer: string, solved: number) =>
      run.tables.write({
        evaluations: tableOf("evaluations", {
          train_step: Array(200).fill(run.tables.trainStep),
          step_id: Array(200).fill(writer),
          mode: Array(200).fill("sampled"),
          prompt_id: Array.from({ length: 200 }, (_, i) => i),
          correct: Array.from({ length: 200 }, (_, i) => i < solved),
        }),
      }, writer);
    const step = () => {
      const train_step = run.tables.advance();
      run.tables.write({
        metrics: tableOf("metrics", {
          train_step: [train_step],
          phase: ["rollout"],
          step_id: ["apply_update"],
          reward: [0.5],
          grad_norm: [0.4],
        }),
      }, "apply_update");
    };
    evaluate("before", 171);
    for (let i = 0; i < 4; i++) step();
    assert.equal((await run.run("diagnose")).outputs!["findings"], 0);
    evaluate("after", 1);
    const result = await run.run("diagnose");
    assert.match(result.stop!, /^reward_collapse: The held-out score fell from 85.5 % \(train step 0\) to 0.5 %/);
  }));

Deno.test("reward_collapse is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.reward_collapse.check(viewOf(run)), null);
});

Deno.test("reward_collapse is at risk where what the run is for goes down stretch by stretch, far beyond chance", () => {
  const check = (lost: number, { end = 1, noise = 0.004, seed = 1 } = {}) =>
    DIAGNOSES.reward_collapse.check(viewOf(longRun({
      reward: noisy(
        (at) => at < 0.5 ? 0.3 + 0.8 * at : 0.7 - 0.7 * lost * Math.min(1, (at - 0.5) / (end - 0.5)),
        noise,
        { seed },
      ),
      "reward.accuracy_reward": [],
    })));
  const found = check(0.25);
  assert(found !== null && "message" in found, JSON.stringify(found));
  assert.match(
    found.message,
    /^At risk: the reward goes down from 0\.6\d+ to 0\.5\d+ since train step \d+, stretch by stretch/,
  );
  assert.deepEqual([found.severity, found.trend], ["warning", true]);
  assert(found.trainSteps[0]! > 150 && found.trainSteps[0]! < 240, String(found.trainSteps[0]));
  assert.equal(check(0.12), null, "a tenth of its height");
  assert.equal(check(0.25, { end: 0.7 }), null, "it has stopped there");
  // Seeds whose last stretches happen to go down one by one.
  for (const seed of [108, 124]) assert.equal(check(0.25, { noise: 0.1, seed }), null, "it may be chance");
});

Deno.test("reward_collapse at risk is of what the run is for: a reward that falls beside a goal that rises is none", () => {
  const falls = noisy((at) => at < 0.5 ? 0.3 + 0.8 * at : 0.7 - 0.35 * (at - 0.5), 0.004);
  const check = (goal: readonly number[]) =>
    DIAGNOSES.reward_collapse.check(
      viewOf(longRun({ reward: falls, "reward.accuracy_reward": goal, "reward.style_reward": noisy(() => 0.5, 0.01) })),
    );
  assert.notEqual(check(falls), null);
  assert.equal(check(noisy(between(0.2, 0.6), 0.004)), null);
});

/** The train steps that the finding lists. */
function listed(run: Run): readonly number[] {
  const found = DIAGNOSES.reward_collapse.check(viewOf(run));
  assert(found !== null && "message" in found, JSON.stringify(found));
  return found.trainSteps;
}

Deno.test("reward_collapse begins where the best level is left for good, not at its best value", () => {
  // Best at 20; it holds until 60, and what is lost is lost from 70 on.
  assert.deepEqual(
    listed(own(ramp(0.5, 0.5), held(500, [0.5, 0.7, 0.81, 0.79, 0.8, 0.78, 0.8, 0.5, 0.3, 0.2]))),
    [60, 90],
  );
  // A reward that stays at its best for half of the run: the best batch is none of the fall.
  const reward = noisy((at) => at < 0.2 ? 0.3 + 2 * at : at < 0.7 ? 0.7 : Math.max(0.1, 0.7 - 4 * (at - 0.7)), 0.06);
  const [begins] = listed(longRun({ reward, "reward.accuracy_reward": reward }));
  assert(begins! > 200 && begins! < 235, String(begins));
  // One batch that is right by chance late in the fall is no level.
  const lucky = [...ramp(0.8, 0.8, 20), ...ramp(0.2, 0.1, 20)].map((share, at) => at === 36 ? 0.7 : share);
  const [since] = listed(own(lucky));
  assert(since! >= 19 && since! <= 22, String(since));
});

Deno.test("reward_collapse of a score of any scale begins where the score leaves its best level", () => {
  const reward = noisy((at) => at < 0.1 ? -2 + 40 * at : at < 0.6 ? 2 : Math.max(-2, 2 - 20 * (at - 0.6)), 0.15);
  const [begins] = listed(longRun({ reward, "reward.accuracy_reward": [] }));
  assert(begins! > 175 && begins! < 205, String(begins));
});

Deno.test("reward_collapse of a foreign log is sure of a fall to nothing wherever it comes, and shows its levels", () => {
  for (const fall of [0.15, 0.25, 0.5, 0.7, 0.8]) {
    const accuracy = noisy((at) => at < fall ? 0.6 : 0.05, 0.02, { records: 200, memory: 0 });
    const run = longRun({ reward: accuracy, "reward.accuracy_reward": accuracy }, { records: 200 });
    const found = DIAGNOSES.reward_collapse.check(viewOf(run));
    assert(found !== null && "message" in found, `at ${fall}: ${JSON.stringify(found)}`);
    const [from, to] = [...found.message.matchAll(/(?:from|to) (0\.\d+)/g)].map(([, level]) => Number(level));
    assert(from! > 0.5 && to! < 0.08, found.message);
  }
});

Deno.test("reward_collapse judges a few evaluations by their scatter: a fall among sixteen is no memory", () => {
  const accuracy = [72, 68, 84, 90, 91, 77, 85, 92, 91, 71, 76, 62, 40, 54, 46, 49].map((percent) => percent / 100);
  const evaluationSteps = accuracy.map((_, i) => Math.round(300 * (i + 1) / 16));
  const found = DIAGNOSES.reward_collapse.check(viewOf(longRun({}, { evaluationSteps, evaluations: { accuracy } })));
  assert.match(JSON.stringify(found), /eval_accuracy fell from/);
});

/** A reward of a foreign log that falls from 0.6 to 0.1 and stays, beside such evaluations of it. */
function lostBeside(accuracy: readonly number[]) {
  const reward = noisy((at) => at < 0.5 ? 0.6 : 0.1, 0.03);
  const evaluationSteps = accuracy.map((_, i) => Math.round(300 * (i + 1) / accuracy.length));
  return DIAGNOSES.reward_collapse.check(
    viewOf(longRun({ reward, "reward.accuracy_reward": [] }, { evaluationSteps, evaluations: { accuracy } })),
  );
}

Deno.test("reward_collapse is an error beside an evaluation that says nothing: flat, noise, five values, two, 0, NaN", () => {
  const around = (records: number) => noisy(() => 0.5, 0.03, { records, seed: 5, memory: 0 });
  const mute = { noise: around(30), five: around(5), two: around(2), zero: flat(0, 20), nan: flat(NaN, 20) };
  for (const [name, accuracy] of Object.entries({ ...mute, flat: flat(0.5, 30) })) {
    const found = lostBeside(accuracy as number[]);
    assert(found !== null && "message" in found && found.severity === "error", `${name}: ${JSON.stringify(found)}`);
  }
  assert.equal(lostBeside(noisy(between(0.3, 0.6), 0.02, { records: 20, seed: 5, memory: 0 })), null, "it rises");
});

Deno.test("reward_collapse is at risk beside held-out scores that do not tell", () => {
  const reward = noisy((at) => at < 0.5 ? 0.3 + 0.8 * at : 0.7 - 0.35 * (at - 0.5), 0.004);
  const accuracy = noisy(() => 0.5, 0.03, { records: 30, seed: 5, memory: 0 });
  const found = DIAGNOSES.reward_collapse.check(
    viewOf(longRun({ reward, "reward.accuracy_reward": [] }, {
      evaluationSteps: accuracy.map((_, i) => 10 * i + 10),
      evaluations: { accuracy },
    })),
  );
  assert.match(JSON.stringify(found), /At risk: the reward goes down/);
});

Deno.test("reward_collapse says where its fall began, and lowers no rate that is usual", () => {
  const fallen = (rate: number) => {
    const reward = [...ramp(0.3, 0.8, 30), ...ramp(0.7, 0.1, 20)];
    const run = healthyBut({ reward, "reward.accuracy_reward": reward, learning_rate: flat(rate, 50) });
    return diagnoseRun(viewOf(run)).findings.find(({ cause }) => cause === "reward_collapse")!;
  };
  assert.equal(fallen(1e-6).began, fallen(1e-6).train_steps[0]);
  assert.deepEqual([1e-6, 1e-4].map((rate) => fallen(rate).remedy.options.some((one) => /learning_rate/.test(one))), [
    false,
    true,
  ]);
});

Deno.test("reward_collapse is an error of a reward that goes down in a smooth bend, whatever memory the bend looks like", () => {
  const smooth = (at: number, middle: number) => 1 / (1 + Math.exp(-(at - middle) / 0.05));
  const judged = (to: number, noise: number, memory: number) => {
    const curve = (at: number) => 0.3 + 0.4 * smooth(at, 0.18) - (0.7 - to) * smooth(at, 0.55);
    const run = longRun({ reward: noisy(curve, noise, { memory }), "reward.accuracy_reward": [] });
    const found = DIAGNOSES.reward_collapse.check(viewOf(run));
    return found !== null && "message" in found ? found.severity : null;
  };
  for (const noise of [0.02, 0.04]) {
    for (const memory of [0, 0.3, 0.7]) assert.equal(judged(0.05, noise, memory), "error", `${noise} ${memory}`);
  }
  assert.equal(judged(0.45, 0.02, 0.3), null, "more than half is left, and a bend looks like a memory");
});

/** A score that is learned and lost in the middle of the run. */
const LOST = noisy((at) => at < 0.5 ? 0.3 + 0.6 * at : 0.6 - 1.2 * Math.min(0.4, at - 0.5), 0.02);
const FELL = { reward: LOST, "reward.accuracy_reward": [] };

Deno.test("reward_collapse: an entropy that has doubled since the best is named, and the change is what lowers it", () => {
  const entropy = noisy((at) => 0.35 + 3.5 * Math.max(0, at - 0.5), 0.02);
  const settings = {
    "actor_rollout_ref.actor.entropy_coeff": 0.01,
    "actor_rollout_ref.actor.use_kl_loss": "True",
    "actor_rollout_ref.actor.kl_loss_coef": 0.001,
    "actor_rollout_ref.actor.optim.lr": 1e-6,
  };
  const { findings: [finding] } = diagnoseRun(viewOf(longRun({ ...FELL, entropy }, { system: "verl", settings })));
  assert.equal(finding!.cause, "reward_collapse");
  assert.match(finding!.message, /the entropy rose from 0\.\d+ to \d\.\d+/);
  assert.deepEqual(finding!.remedy.options, [
    "verl: actor_rollout_ref.actor.entropy_coeff=0",
    "verl: actor_rollout_ref.actor.optim.lr=3.0e-7",
    "verl: actor_rollout_ref.actor.kl_loss_coef=0.01",
  ]);
});

Deno.test("reward_collapse: an entropy that stays is not named, and no KL is offered that the log shows", () => {
  const { findings: [finding] } = diagnoseRun(viewOf(longRun(FELL, { system: "verl" })));
  assert.doesNotMatch(finding!.message, /entropy/);
  assert(!finding!.remedy.options.some((option) => /entropy|use_kl_loss/.test(option)), finding!.remedy.options.join());
});
