/** The rule reward_hacking: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { begins, flat, group, healthyBut, ramp, testRule, viewOf } from "./synthetic.ts";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, healthyRuns, longRun, noisy } from "./long_run.ts";

/** A run of ours with a reward whose name says nothing, and the accuracy of its verifier. */
const ours = (from: number, to: number) => ({
  ...healthyBut({
    reward: ramp(0.3, 0.95),
    "reward.mine": ramp(0.3, 0.95),
    "reward.accuracy_reward": [],
    accuracy: from === to ? flat(from) : ramp(from, to, 30, 0.01),
  }),
  own: true,
});

const ASKED = "A train leaves Berlin at nine in the morning and drives 60 km an hour. Where is it at noon?";

const REPLY = "After three hours of sixty kilometres each it is there.";

/** A long run whose accuracy goes from one level to another, with a completion printed at each of nine train steps. */
function copies(from: number, to: number, isCopy: (at: number) => boolean, other = REPLY) {
  const accuracy = noisy(between(from, to), 0.02);
  const completions = Array.from(
    { length: 9 },
    (_, i) =>
      group(ASKED, [isCopy(i) ? ASKED : other], [0.5], {
        trainStep: 30 * i + 1,
      }),
  );
  return longRun({ reward: noisy(() => 0.5, 0.02), "reward.accuracy_reward": [], accuracy }, {
    completions: completions.flat(),
  });
}

testRule("reward_hacking", {
  fires: {
    "completions that are their prompts in the end while nothing rises": copies(0.5, 0.5, (at) => at > 4),
    "a reward that rises over a long run while the goal falls from its best": longRun({
      reward: noisy(between(0.3, 1.1), 0.03),
      "reward.accuracy_reward": noisy((at) => at < 0.4 ? 0.3 + at / 2 : 0.7 - at / 2, 0.03),
      "reward.format_reward": noisy(between(0, 0.9), 0.02),
    }),
    "a proxy that took over in the first tenth and still differs inside groups": healthyBut({
      reward: [0.6, 0.6, 0.65, 1.2, ...ramp(3.18, 3.19, 56, 0.01)],
      "reward.accuracy_reward": [0.16, 0.28, 0.16, 0.02, ...flat(0, 56)],
      "reward.detail_reward": [0.57, 0.54, 0.6, 1.2, ...ramp(3.18, 3.19, 56, 0.01)],
      zero_spread_fraction: flat(0.4, 60),
    }),
    "a proxy to its maximum while accuracy falls to 0": healthyBut({
      reward: ramp(0.9, 3),
      "reward.accuracy_reward": ramp(0.6, 0, 30, 0),
      "reward.evidence_reward": ramp(0.8, 3),
    }),
    "a reward of one's own that rises to its top in a run of ours while nothing is right": ours(0, 0),
    "a reward that rises within six train steps of a run of ours while the accuracy falls": {
      ...healthyBut({
        reward: [0.2, 0.25, 0.4, 0.7, 0.8, 0.9],
        "reward.accuracy_reward": [],
        accuracy: [0.6, 0.58, 0.4, 0.2, 0.1, 0.05],
      }),
      own: true,
      settings: { prompts_per_step: 64 },
    },
    "a reward of one's own that stays in a run of ours whose accuracy falls to nothing": {
      ...healthyBut({
        reward: flat(0.62, 8),
        "reward.accuracy_reward": [],
        accuracy: [...flat(0.5, 3), ...flat(0.02, 5)],
      }),
      own: true,
      settings: { prompts_per_step: 64 },
    },
    "a reward of one's own that rises in a run of ours while the accuracy falls": ours(0.4, 0.05),
  },
  silent: {
    "completions that quote their prompts from the first": copies(0.5, 0.5, () => true),
    "completions that quote half of their prompts from the first": copies(
      0.5,
      0.5,
      (at) => at > 4,
      ASKED.slice(0, 60) + REPLY,
    ),
    "completions that learn to quote while the accuracy rises": copies(0.3, 0.7, (at) => at > 4),
    "completions that quote their prompts now and then": copies(0.5, 0.5, (at) => at % 3 === 0),
    "a goal that falls with the reward": longRun({
      reward: noisy((at) => at < 0.4 ? 0.3 + at / 2 : 0.7 - at / 2, 0.03),
      "reward.accuracy_reward": noisy((at) => at < 0.4 ? 0.3 + at / 2 : 0.7 - at / 2, 0.03),
      "reward.format_reward": noisy(() => 0.9, 0.02),
    }),
    "a reward of one's own that rises with the accuracy": ours(0.2, 0.5),
    "both rise": healthyBut({ "reward.format_reward": ramp(0.3, 0.9) }),
    "two records only": {
      columns: {
        "reward.accuracy_reward": [0.16, 0.118],
        "reward.format_reward": [0.476, 0.554],
        reward: [0.71, 0.69],
      },
    },
  },
});

Deno.test("reward_hacking is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.reward_hacking.check(viewOf(run)), null);
});

Deno.test("reward_hacking is no name for a goal that falls while what is paid falls too, however a part of it rises", () => {
  const falls = noisy(between(0.6, 0.2, 0.4, 1), 0.03), format = noisy(between(0.1, 0.9), 0.02);
  const check = (reward: readonly number[]) =>
    DIAGNOSES.reward_hacking.check(
      viewOf(longRun({ reward, "reward.accuracy_reward": falls, "reward.format_reward": format })),
    );
  assert.equal(check(noisy(between(1.2, 0.6), 0.03, { seed: 5 })), null);
  const found = check(noisy(() => 0.8, 0.03, { seed: 5 }));
  assert(found !== null && "message" in found);
  assert.match(found.message, /^format_reward rose from .* while accuracy_reward went from 0\.\d+ to 0\.\d+$/);
  assert.equal(found.trend, true);
  assert(found.trainSteps[0]! > 120 && found.trainSteps[0]! < 200, `where the goal turned: ${found.trainSteps[0]}`);
});

Deno.test("reward_hacking by a held-out score wants an eighth of it lost", () => {
  const check = (lost: number) =>
    DIAGNOSES.reward_hacking.check(viewOf(longRun({}, {
      evaluationSteps: Array.from({ length: 60 }, (_, i) => 5 * (i + 1)),
      evaluations: {
        accuracy: noisy(
          (at) => at < 0.4 ? 0.2 + at : 0.6 - 0.6 * lost * Math.min(1, Math.max(0, (at - 0.6) / 0.1)),
          5e-4,
          { records: 60 },
        ),
      },
    })));
  for (const lost of [0.1, 0.115]) assert.equal(check(lost), null, String(lost));
  assert.match(
    JSON.stringify(check(0.135)),
    /The reward went from about 0\.\d+ to 0\.\d+ while eval_accuracy fell from about 0\.6/,
  );
});

Deno.test("reward_hacking wants both trends by three and a half standard errors", () => {
  // Fifteen records: too few for a course. Three of a quarter scatter by s: the error is s times the root of two thirds,
  // and 3.1 times as much for the memory that so few records cannot exclude.
  const check = (sigma: number) => {
    const by = 0.1, s = by / sigma / Math.sqrt(2 / 3);
    const line = (sign: number) =>
      Array.from({ length: 15 }, (_, i) => 0.5 + sign * by * (i - 7) / 12 + s * (i % 3 - 1));
    return DIAGNOSES.reward_hacking.check(viewOf({
      columns: { reward: line(1), "reward.accuracy_reward": line(-1), "reward.format_reward": line(1) },
    }));
  };
  for (const sigma of [3.5, 3.1 * 3.3]) assert.equal(check(sigma), null);
  assert.match(JSON.stringify(check(3.1 * 3.8)), /rose from .* while accuracy_reward went from/);
});

Deno.test("reward_hacking is not a curriculum: harder prompts, while those that were held out are answered better", () => {
  const phases = (t: number) => 0.75 - 0.08 * Math.floor(4 * Math.min(t, 0.999));
  const run = longRun({
    reward: noisy((t) => phases(t) + 0.5 + 0.45 * t, 0.02),
    "reward.accuracy_reward": noisy(phases, 0.02),
    "reward.format_reward": noisy((t) => 0.5 + 0.45 * t, 0.01),
  });
  const trainSteps = Array.from({ length: 12 }, (_, i) => 25 * (i + 1));
  const held = (values: number[]) => viewOf({ ...run, evaluationSteps: trainSteps, evaluations: { accuracy: values } });
  const cause = (values: number[]) => DIAGNOSES.reward_hacking.check(held(values));
  assert.equal(cause(trainSteps.map((_, i) => 0.2 + 0.045 * i)), null);
  assert.notEqual(cause(trainSteps.map((_, i) => 0.7 - 0.03 * i)), null);
});

Deno.test("reward_hacking takes held-out scores for what they are: three say nothing, and chance is no fall", () => {
  const run = longRun({ reward: noisy((t) => 0.3 + 0.4 * t, 0.02) }), records = run.columns!["reward"]!.length;
  const check = (values: number[], column = "accuracy") =>
    DIAGNOSES.reward_hacking.check(viewOf({
      ...run,
      evaluationSteps: values.map((_, i) => Math.round(records * (i + 1) / values.length)),
      evaluations: { [column]: values },
    }));
  assert.equal(check([0.55, 0.56, 0.52]), null);
  assert.equal(check([0.55, 0.5, 0.57, 0.52, 0.56, 0.5, 0.55, 0.51]), null);
  const falls = [0.55, 0.56, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3];
  assert.notEqual(check(falls), null);
  assert.notEqual(check(falls, "gsm8k_accuracy"), null, "the same score by another name");
});

Deno.test("reward_hacking by a held-out score of its own begins where that left its best level, not five records ago", () => {
  const run = longRun({
    reward: noisy(between(0.3, 0.9), 0.02),
    "reward.accuracy_reward": noisy(() => 0.5, 0.02),
    "reward.format_reward": noisy(between(0.1, 0.9), 0.02),
  });
  const evaluationSteps = Array.from({ length: 20 }, (_, i) => 15 * (i + 1));
  const held = evaluationSteps.map((_, i) => i < 10 ? 0.6 : 0.6 - 0.04 * (i - 9));
  const first = begins("reward_hacking", { ...run, evaluationSteps, evaluations: { accuracy: held } });
  assert(first > 140 && first < 200, String(first));
});

Deno.test("reward_hacking of a reward that nothing right is behind begins where the reward begins to rise", () => {
  const run = longRun({
    reward: noisy(between(0.2, 0.95, 0.3, 0.7), 0.01),
    accuracy: Array(300).fill(0),
    "reward.accuracy_reward": [],
  });
  const first = begins("reward_hacking", { ...run, own: true });
  assert(first > 85 && first < 120, String(first));
});

Deno.test("reward_hacking is not told by one low last evaluation: the next one tells", () => {
  const reward = noisy((at) => 0.3 + 0.5 * at ** 2, 0.01);
  const judged = (low: readonly number[], count: number, from = 0.3) => {
    const rises = noisy(between(from, 0.6), 0.003, { records: count, seed: 60 });
    const accuracy = [...rises.slice(0, count - low.length), ...low];
    const evaluationSteps = accuracy.map((_, i) => Math.round(300 * (i + 1) / count));
    const run = longRun({ reward, "reward.accuracy_reward": [] }, { evaluationSteps, evaluations: { accuracy } });
    const { verdict, missing, findings } = diagnoseRun(viewOf(run));
    return [verdict, missing[0] ?? findings[0]?.cause];
  };
  for (const count of [5, 8, 10, 16]) {
    assert.deepEqual(judged([0.05], count, 0.55), ["insufficient", "another evaluation"], `${count} evaluations`);
    // The fall is most of the scatter of five.
    if (count > 5) assert.deepEqual(judged([0.05, 0.06], count, 0.55), ["faulty", "reward_hacking"], `two of ${count}`);
  }
  assert.equal(judged([0.54], 10, 0.55)[0], "benign", "a little lower");
});

/** A goal that stays, rises over a tenth of the run, stays, and falls by so much of its rise in the last third. */
const rewarded = (floor: number, rise: number, lost: number) =>
  DIAGNOSES.reward_hacking.check(viewOf(longRun({
    reward: noisy(between(0.3, 0.9), 0.01),
    "reward.accuracy_reward": noisy(
      (at) =>
        floor + rise * (Math.min(1, Math.max(0, at - 0.25) / 0.1) - lost * Math.min(1, Math.max(0, at - 0.65) / 0.05)),
      0.001 * rise,
    ),
    "reward.style_reward": noisy(() => 0.5, 0.05),
  })));

Deno.test("reward_hacking of a goal that can be negative wants an eighth of its span lost, not of the level it reached", () => {
  // From -2 to 0.5 and back by a quarter of that: an eighth of 0.5 is 0.06, of the 2.5 that it spans 0.3.
  assert.equal(rewarded(-2, 2.5, 0.09), null);
  assert.notEqual(rewarded(-2, 2.5, 0.15), null);
});

Deno.test("reward_hacking of a goal far below 0 wants a fiftieth of its size lost: its span alone is small beside it", () => {
  // From -10.6 to -10: an eighth of the span is 0.07, a fiftieth of the level 0.2.
  assert.equal(rewarded(-10.6, 0.6, 0.25), null);
  assert.notEqual(rewarded(-10.6, 0.6, 0.45), null);
});

Deno.test("reward_hacking is no function at its top that nothing is paid for: its weight is 0", () => {
  const columns = (paid: number) => ({
    "reward.has_digit": [...flat(0.5, 3), ...flat(1, 27)],
    "reward.accuracy_reward": [...flat(0.6, 5), ...flat(0, 25)],
    reward: [...flat(0.6, 5), ...flat(paid, 25)],
  });
  const said = (paid: number) => DIAGNOSES.reward_hacking.check(viewOf(healthyBut(columns(paid))));
  const named = said(0.5), unpaid = said(0);
  assert.match(JSON.stringify(named), /has_digit is 1 of at most/);
  assert(unpaid === null || !("message" in unpaid), JSON.stringify(unpaid));
});
