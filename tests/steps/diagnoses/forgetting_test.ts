/** The rule forgetting: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, type Curve, longRun, noisy, uniform } from "./long_run.ts";
import { begins, type Run, silentOn, testRule, viewOf } from "./synthetic.ts";

const STEPS = 300;

/** A long run with evaluations of several data sets; each of `prompts` prompts, whose share solved is drawn. */
function evaluated(
  sets: Record<string, Curve>,
  { count = 20, prompts = 200, seed = 1, ...more }: { count?: number; prompts?: number; seed?: number } & Partial<Run> =
    {},
): Run {
  const draw = uniform(seed + 7);
  const solved = (curve: Curve) =>
    Array.from({ length: count }, (_, i) => {
      const share = curve((i + 1) / count);
      return Array.from({ length: prompts }, () => draw() < share ? 1 : 0).reduce<number>((a, b) => a + b, 0) / prompts;
    });
  return longRun({ ...more.columns }, {
    records: STEPS,
    seed,
    evaluationSteps: Array.from({ length: count }, (_, i) => Math.round((i + 1) * STEPS / count)),
    evaluations: Object.fromEntries(Object.entries(sets).map(([name, curve]) => [`${name}`, solved(curve)])),
  });
}

const RISES = between(0.3, 0.7), FALLS = between(0.6, 0.3), STAYS: Curve = () => 0.5;

testRule("forgetting", {
  fires: {
    "another data set that falls while the task's rises": evaluated({ accuracy: RISES, "mmlu/accuracy": FALLS }),
    "one of verl's data sets that falls while another rises": evaluated({
      "openai/gsm8k/reward": RISES,
      "hellaswag/reward": FALLS,
    }),
    "another one that falls while the task's holds and the reward rises": evaluated({
      accuracy: STAYS,
      "mmlu/accuracy": FALLS,
    }),
    "one that is called old, beside a reward that rises and no other set": evaluated({ "old_task/accuracy": FALLS }),
    "a fall to nothing in the second half": evaluated({
      accuracy: RISES,
      "code/accuracy": between(0.2, 0.01, 0.5, 0.8),
    }),
    "held-out pairs of another kind that are told apart worse": evaluated({
      "chat/preference_accuracy": between(0.6, 0.8),
      "code/preference_accuracy": between(0.8, 0.45),
    }),
  },
  silent: {
    "the task's own score that falls": evaluated({ accuracy: FALLS, "mmlu/accuracy": STAYS }),
    "both falling": evaluated({ accuracy: FALLS, "mmlu/accuracy": FALLS }),
    "both rising": evaluated({ accuracy: RISES, "mmlu/accuracy": RISES }),
    "a dip that is over": evaluated({
      accuracy: RISES,
      "mmlu/accuracy": (at) => 0.5 - 0.3 * Math.exp(-(((at - 0.4) / 0.1) ** 2)),
    }),
    "a score that was never more than noise": evaluated({ accuracy: RISES, "aime/accuracy": () => 0.05 }, {
      prompts: 30,
    }),
    "one data set alone": evaluated({ "mmlu/accuracy": FALLS }),
    "data sets of which none rises": evaluated({ "mmlu/accuracy": FALLS, "code/accuracy": STAYS }),
    "four evaluations": evaluated({ accuracy: RISES, "mmlu/accuracy": FALLS }, { count: 4 }),
  },
});

silentOn(
  "forgetting",
  "healthy long runs with two or three data sets",
  Array.from({ length: 300 }, (_, i) =>
    evaluated({
      ...(i % 3 === 0 ? {} : { accuracy: RISES }),
      "a/accuracy": between(0.2 + 0.1 * (i % 5), 0.3 + 0.1 * (i % 5)),
      "b/accuracy": () => 0.1 + 0.1 * (i % 8),
    }, { count: [6, 8, 12, 20, 40][i % 5]!, prompts: [30, 100, 500][i % 3]!, seed: i + 1 })),
);

Deno.test("forgetting says what fell, from where, and what rose meanwhile", () => {
  const view = viewOf(evaluated({ accuracy: RISES, "mmlu/accuracy": FALLS }, { prompts: 1000 }));
  const found = DIAGNOSES.forgetting.check(view);
  assert(found !== null && "message" in found);
  assert.match(
    found.message,
    /^The score of mmlu fell from \d\S* % \(train step \d+\) to 3\S* % while eval_accuracy went from about 0\.\d+ to 0\.[67]\d*$/,
  );
  assert.equal(found.evidence.at(-1)?.name, "eval_accuracy");
  assert.equal(found.evidence[0]?.name, "eval_mmlu/accuracy");
});

Deno.test("forgetting of a run of ours is a split that falls beyond chance", () => {
  const series = (split: string, values: number[]) => ({
    name: `correct (${split}, sampled)`,
    split,
    mode: "sampled",
    prompts: 200,
    trainSteps: values.map((_, i) => 10 * (i + 1)),
    values,
  });
  const up = noisy(between(0.4, 0.8), 0.01, { records: 12 }), down = noisy(between(0.5, 0.1), 0.01, { records: 12 });
  const check = (held: number[], other: number[]) =>
    DIAGNOSES.forgetting.check(viewOf({
      ...longRun(),
      own: true,
      scores: [series("held_out", held), series("validation", other)],
    }));
  assert.match(JSON.stringify(check(up, down)), /The validation score fell/);
  assert.equal(check(down, up), null, "overfitted, or collapsed: the task's own score falls");
});

Deno.test("forgetting needs no reward that rises where the task's score holds, but one that does not fall", () => {
  const check = (reward: Curve) =>
    DIAGNOSES.forgetting.check(viewOf(evaluated({ accuracy: STAYS, "mmlu/accuracy": FALLS }, {
      columns: { reward: noisy(reward, 0.02), "reward.accuracy_reward": [] },
    })));
  assert.match(JSON.stringify(check(() => 0.5)), /The score of mmlu fell/);
  assert.equal(check(between(0.7, 0.4)), null);
});

Deno.test("forgetting begins where the best level was last held, not where half of it is lost", () => {
  const first = begins("forgetting", evaluated({ accuracy: STAYS, "mmlu/accuracy": between(0.8, 0.2, 0.2, 1) }));
  // Of the way down from train step 60 on a quarter is lost at 120, half at 180.
  assert(first >= 60 && first < 150, String(first));
});

Deno.test("forgetting wants about a seventh of the best level lost, however sure the fall", () => {
  const lost = (share: number) =>
    DIAGNOSES.forgetting.check(
      viewOf(evaluated({ accuracy: RISES, "mmlu/accuracy": between(0.6, 0.6 * (1 - share), 0.4, 0.6) }, {
        prompts: 20_000,
      })),
    );
  assert.equal(lost(0.13), null);
  assert.notEqual(lost(0.17), null);
});

Deno.test("forgetting takes one low last evaluation for no end, two for one", () => {
  const check = (low: number) => {
    const run = evaluated({ accuracy: RISES, "mmlu/accuracy": STAYS }, { count: 40, prompts: 1000 });
    const mmlu = run.evaluations!["mmlu/accuracy"]!.map((value, i) => i >= 40 - low ? 0.2 : value);
    return DIAGNOSES.forgetting.check(viewOf({ ...run, evaluations: { ...run.evaluations, "mmlu/accuracy": mmlu } }));
  };
  assert.equal(check(1), null);
  assert.notEqual(check(2), null);
});

silentOn(
  "forgetting",
  "runs of ours whose splits scatter as few prompts do",
  Array.from({ length: 300 }, (_, i) => {
    const draw = uniform(i + 11), prompts = [16, 32, 64][i % 3]!;
    const solved = (curve: Curve) =>
      Array.from({ length: 12 }, (_, at) => {
        const share = curve(at / 11);
        return Array.from({ length: prompts }, () => draw() < share ? 1 : 0).reduce<number>((a, b) => a + b, 0) /
          prompts;
      });
    const series = (split: string, curve: Curve) => ({
      name: `correct (${split}, sampled)`,
      split,
      mode: "sampled",
      prompts,
      trainSteps: Array.from({ length: 12 }, (_, at) => 25 * (at + 1)),
      values: solved(curve),
    });
    return { ...longRun(), own: true, scores: [series("held_out", RISES), series("validation", () => 0.4)] };
  }),
);

Deno.test("forgetting of a set that is called general wants what is paid to rise, and no other name does instead", () => {
  const said = (set: string, reward: readonly number[]) =>
    DIAGNOSES.forgetting.check(
      viewOf(evaluated({ [`${set}/accuracy`]: FALLS }, { columns: { reward, "reward.accuracy_reward": [] } })),
    );
  const rises = noisy(between(0.3, 0.8), 0.03), stays = noisy(() => 0.5, 0.03);
  assert.deepEqual([said("general", rises) !== null, said("general", stays), said("math", rises)], [true, null, null]);
});
