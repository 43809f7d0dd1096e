/** The rule learning_rate_too_high: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { usualStepRate } from "../../../data/usual_learning_rate.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { tableOf, tableOfRows } from "../../../data/tables/mod.ts";
import { patchLine } from "../../../steps/diagnoses/remedies/remedy.ts";
import { tableView } from "../../../steps/diagnoses/view/table_view.ts";
import { flat, healthyBut, ramp, type Run, testRule, viewOf } from "./synthetic.ts";
import { between, longRunOf } from "./long_run.ts";

/** KTO after a warm start: desirable answers go from -1.3 nats to a level in six updates, the gradient to nothing. */
const labelled = (learning_rate: number, level: number): Run => ({
  algorithm: "kto",
  own: true,
  steps: Array.from({ length: 30 }, (_, i) => 176 + i),
  settings: { learning_rate, loss: "kto", parameters: 109_248 },
  columns: {
    loss: ramp(0.5, 0.52),
    chosen_logprob: [...ramp(-1.3, level, 6, 0), ...flat(level, 24)],
    rejected_logprob: [...ramp(-20, level - 10, 6, 0), ...flat(level - 10, 24)],
    reward_margin: ramp(0, -1),
    grad_norm: [...ramp(0.45, 0.1, 6, 0), ...flat(2e-6, 24)],
    update_size: ramp(0.9, 0.009, 30, 0),
    learning_rate: flat(learning_rate),
  },
});

/** A small model of ours that falls from 85 % to 0.5 % in four train steps. */
const sudden = (rate: number) => ({
  ...healthyBut({
    accuracy: [0.855, 0.3, 0.02, 0.005],
    reward: [0.855, 0.3, 0.02, 0.005],
    "reward.accuracy_reward": [],
    learning_rate: flat(rate, 4),
  }),
  own: true,
  settings: { prompts_per_step: 64, parameters: 770_000 },
});

/** Healthy rollouts of a small model after a warm start at this rate. */
const warmed = (rate: number, relative: number, lost = false) =>
  healthyBut({ learning_rate: flat(3e-4) }, {
    own: true,
    settings: { parameters: 770_000 },
    warmStart: {
      own: true,
      algorithm: "sft",
      settings: { parameters: 770_000, learning_rate: rate },
      columns: {
        loss: lost ? [5.5, 5.4, ...flat(40, 28)] : ramp(5.5, 0.4),
        learning_rate: flat(rate),
        relative_update: flat(relative),
      },
    },
  });

/** The same at 33 times the usual rate, with what one train step changes of the weights. */
const jolted = (share: number) => ({
  ...sudden(1e-2),
  columns: { ...sudden(1e-2).columns, relative_update: [share, ...flat(0.02, 3)] },
});

/** A run of ours whose completions reach the cap on the train steps of its first half, as given, and end later. */
const runaway = (learning_rate: number, cut: readonly (number | null)[], reward = ramp(0.1, 0.08, 40, 0.03)): Run => ({
  ...healthyBut({
    truncated_fraction: [...cut, ...flat(0.99, 20), ...flat(0.1, 40)].slice(0, 40),
    reward,
    accuracy: reward,
    "reward.accuracy_reward": [],
    zero_spread_fraction: flat(0.5, 40),
    learning_rate: flat(learning_rate, 40),
    ...Object.fromEntries(
      ["loss", "reward_std", "grad_norm", "entropy", "kl", "completion_length"].map((name) => [name, []]),
    ),
  }),
  own: true,
  settings: { learning_rate, prompts_per_step: 8, parameters: 770_000 },
});

testRule("learning_rate_too_high", {
  fires: {
    "KTO that loses 40 nats of both sides in six updates at ten times the usual rate": labelled(3e-3, -41),
    "0.3 and a policy that is gone after one update": healthyBut({
      learning_rate: flat(0.3),
      entropy: [0.32, 0.09, ...flat(0.001, 28)],
      reward: [1.06, ...flat(0, 29)],
      "reward.accuracy_reward": [0.4, ...flat(0, 29)],
      zero_spread_fraction: [0, ...flat(1, 29)],
      completion_length: [8, ...flat(16, 29)],
      truncated_fraction: [0.03, ...flat(1, 29)],
      grad_norm: [0.9, ...flat(0, 29)],
    }),
    "a configuration with 0.1": { settings: { learning_rate: 0.1 } },
    "half of the weights' norm in one step": healthyBut({ relative_update: [0.5, ...flat(0.01, 29)] }, { own: true }),
    "pairs that lose both log-probs in three updates": {
      algorithm: "dpo",
      settings: { learning_rate: 5e-3 },
      columns: {
        loss: ramp(0.6931, 0.65),
        learning_rate: flat(5e-3),
        chosen_logprob: [-2.5, -15, -30, ...ramp(-42, -90, 27)],
        rejected_logprob: [-2.7, -15, -31, ...ramp(-43, -93, 27)],
        grad_norm: ramp(0.3, 0.4),
      },
    },
    "a warm start that changes the weights by a third in one update": warmed(0.3, 0.33),
    "a warm start at a hundred times its usual rate, whatever came of it": warmed(0.1, 0.09),
    "a warm start whose loss grows": warmed(0.1, 0.09, true),
    "an accuracy gone in four train steps at several times the usual rate": sudden(1e-3),
    "completions that run to the cap in a few train steps, and end again": runaway(3e-3, [0.1, 0.6, 0.98, 1]),
    "the same within the first train step": runaway(3e-3, [0.02, 0.98]),
    "the same at ten times that, with a tenth of the weights' norm in one step": jolted(0.135),
  },
  silent: {
    "KTO that loses as much at the usual rate": labelled(3e-4, -41),
    "KTO that loses a few nats at ten times the usual rate": labelled(3e-3, -8),
    "a warm start at ten times its usual rate, which learns": warmed(0.01, 0.09),
    "a warm start at its usual rate, which learns": warmed(1e-3, 0.02),
    "the same fall at a usual rate, which has another cause": sudden(1e-5),
    "a slow fall at that rate": {
      ...sudden(1e-3),
      columns: { accuracy: ramp(0.85, 0.05, 60, 0.01), learning_rate: flat(1e-3, 60) },
    },
    "a large rate whose tokens are clipped while rollouts are reused": healthyBut({
      learning_rate: flat(0.03),
      clip_fraction: Array.from({ length: 30 }, (_, i) => i % 10 === 0 ? 0 : 0.5),
      reward: Array.from({ length: 30 }, (_, i) => i % 10 === 0 ? 0.3 + 0.01 * i : null),
      "reward.accuracy_reward": Array.from({ length: 30 }, (_, i) => i % 10 === 0 ? 0.3 + 0.01 * i : null),
    }),
    "a reward that falls to its floor with the first NaN": healthyBut({
      learning_rate: flat(3e-4),
      grad_norm: [0.7, 1.4, 1.7, ...flat(NaN, 27)],
      entropy: [0.43, 0.42, 0.4, ...flat(null, 27)],
      reward: [1.2, 1.1, 1.1, ...flat(0, 27)],
    }),
    "pairs that learn": {
      algorithm: "dpo",
      columns: {
        loss: ramp(0.6931, 0.3, 30, 0),
        learning_rate: flat(3e-4),
        chosen_logprob: ramp(-12, -13),
        rejected_logprob: ramp(-14, -60),
      },
    },
    "3e-4 that a tiny model stands": healthyBut({ learning_rate: flat(3e-4) }),
    "completions that run to the cap at the usual rate, which has another cause": runaway(1e-5, [0.1, 0.6, 0.98, 1]),
    "completions that ran to the cap from the first record on": runaway(3e-3, [0.98, 1]),
    "completions that run to the cap and are rewarded for it": runaway(3e-3, [0.1, 0.6, 0.98, 1], ramp(0.1, 0.7, 40)),
    "completions that run to the cap on two records": runaway(3e-3, [0.1, 0.98, 0.98, ...flat(0.3, 30)]),
    "a usual rate with a NaN": healthyBut({ grad_norm: [0.5, 0.6, ...flat(NaN, 28)] }),
    "a clean relative update": healthyBut({ relative_update: flat(0.056) }, { own: true }),
  },
});

Deno.test("learning_rate_too_high is an error where one step changes a third of the weights' norm, a warning from a tenth", () => {
  const severity = (share: number) =>
    diagnoseRun(viewOf(healthyBut({ relative_update: [share, ...flat(0.01, 29)] }, { own: true }))).findings.find((
      { cause },
    ) => cause === "learning_rate_too_high")?.severity;
  assert.deepEqual([severity(0.09), severity(0.2), severity(0.4)], [undefined, "warning", "error"]);
});

Deno.test("learning_rate_too_high of the warm start is found behind the rollouts that it broke, and mended where it is", () => {
  const steps = Array.from({ length: 48 }, (_, i) => i + 1), warm = (step: number) => step <= 40;
  const settings = Object.entries({ parameters: 65_000, sft_learning_rate: 3, learning_rate: 3e-4 });
  const tables = {
    metrics: tableOf("metrics", {
      train_step: steps,
      phase: steps.map((step) => warm(step) ? "sft" : "rollout"),
      loss: steps.map((step) => warm(step) ? 5.48 + 3.6 * step : 0),
      learning_rate: steps.map((step) => warm(step) ? 3 : 3e-4),
      relative_update: steps.map((step) => step === 1 ? 0.93 : 0.01),
      reward: steps.map((step) => warm(step) ? null : 0),
      reward_std: steps.map((step) => warm(step) ? null : 0),
      entropy: steps.map((step) => warm(step) ? null : 0),
      grad_norm: steps.map(() => 1e-3),
    }),
    settings: tableOfRows(
      "settings",
      settings.map(([name, value]) => ({ name, option: name, value: `${value}`, written_type: "number" })),
    ),
  };
  const [first] = diagnoseRun(tableView({ tables, log: null })).findings;
  assert.deepEqual([first?.cause, first?.severity, first?.train_steps], ["learning_rate_too_high", "error", [1]]);
  assert.match(first!.message, /^In the warm start: One train step changes the weights by 93 %/);
  assert.deepEqual(first!.remedy.patches.map(patchLine), ["learning_rate: 0.001  # fine_tune"]);
});

Deno.test("learning_rate_too_high is told of the rollouts where the warm start gives only a warning", () => {
  const both = { ...warmed(1e-3, 0.2), columns: { ...healthyBut({}).columns, relative_update: flat(0.5) } };
  const [first] = diagnoseRun(viewOf(both)).findings;
  assert.deepEqual([first?.severity, first?.remedy.patches[0]?.step], ["error", "apply_update"]);
});

Deno.test("learning_rate_too_high counts a rate as far out from a hundred times the usual one", () => {
  const fires = (rate: number) =>
    diagnoseRun(viewOf(warmed(rate, 0.01, true))).findings.some(({ cause }) => cause === "learning_rate_too_high");
  assert.deepEqual([fires(0.099), fires(0.1), fires(0.101)], [false, true, true]);
});

Deno.test("learning_rate_too_high is an error where the run is dead, whatever one step changes, and says the fall", () => {
  for (const share of [0.05, 0.135, 0.4]) {
    const [first] = diagnoseRun(viewOf(jolted(share))).findings;
    assert.deepEqual([first?.cause, first?.severity], ["learning_rate_too_high", "error"], String(share));
  }
  const { message, hint } = diagnoseRun(viewOf(jolted(0.135))).findings[0]!;
  assert.match(message, /accuracy fell from 0.855 to less than half/);
  assert.match(
    hint,
    /or start again, with a tenth of this learning rate, and no more than the usual one/,
    "as the remedy says",
  );
});

Deno.test("learning_rate_too_high and reward_collapse offer a tenth of the rate of a fall, at most the usual one that check says", () => {
  const offered = (rate: number, share: number) => {
    const run = sudden(rate);
    const columns = { ...run.columns, relative_update: [share, ...flat(0.02, 3)] };
    const { findings, afterEffects } = diagnoseRun(viewOf({ ...run, columns }));
    return [...findings, ...afterEffects].filter(({ cause }) => /learning_rate_too_high|reward_collapse/.test(cause))
      .map(({ cause, remedy }) => [cause, remedy.patches.find(({ key }) => key === "learning_rate")?.value]);
  };
  const both = (rate: number) => [["learning_rate_too_high", rate], ["reward_collapse", rate]];
  assert.deepEqual(offered(1e-3, 0.02), both(1e-4));
  // From ten times the usual rate on a plan is warned of it before the run: with the same number.
  const usual = usualStepRate("apply_update", { parameters: 770_000, adapter: false });
  assert.deepEqual([offered(1e-2, 0.135), offered(1e-2, 0.4)], [both(usual), both(usual)]);
  assert.deepEqual(offered(5e-4, 0.02), [["reward_collapse", 5e-5]]);
  assert.deepEqual(offered(1e-4, 0.02), [["reward_collapse", 1e-5]]);
});

Deno.test("learning_rate_too_high says the adapter where it alone is trained, and the same of both where to go on", () => {
  const jolt = (settings: Record<string, unknown>) => {
    const run = healthyBut({ relative_update: [0.5, ...flat(0.01, 29)] }, { own: true, settings });
    return diagnoseRun(viewOf(run)).findings[0]!;
  };
  const whole = jolt({}), adapter = jolt({ adapter_parameters: 4096, lora_rank: 8 });
  assert.equal(whole.message, "One train step changes the weights by 50 % of their norm");
  assert.equal(adapter.message, "One train step changes the adapter's weights by 50 % of their norm");
  assert.match(adapter.hint, /^Go on from a checkpoint before the break, or start again,/);
});

Deno.test("learning_rate_too_high of a foreign log counts a fall of the first dozen train steps at a hundred times the usual rate", () => {
  const reward = (at: number) =>
    [...flat(0.6, at), ...flat(0.1, 60 - at)].map((value, i) => value! + 0.01 * Math.sin(7.3 * i));
  const said = (at: number, rate: number) => {
    const run = healthyBut({
      learning_rate: flat(rate, 60),
      reward: reward(at),
      "reward.accuracy_reward": [],
      entropy: [],
      kl: [],
    });
    return diagnoseRun(viewOf(run)).findings[0]?.cause;
  };
  assert.deepEqual([said(6, 1e-4), said(6, 9e-5), said(40, 1e-4)].map((cause) => cause === "learning_rate_too_high"), [
    true,
    false,
    false,
  ]);
});

Deno.test("learning_rate_too_high of a rate that teaches a long run all the same is a note, without a break", () => {
  const severity = (from: number, to: number) => {
    const reward = between(from, to);
    const run = longRunOf({ reward, "reward.accuracy_reward": reward, learning_rate: () => 0.02 });
    return DIAGNOSES.learning_rate_too_high.check(viewOf(run));
  };
  assert.equal((severity(0.3, 0.8) as { severity?: string }).severity, "info");
  assert.notEqual((severity(0.3, 0.3) as { severity?: string }).severity, "info");
});

Deno.test("learning_rate_too_high of a policy that is gone in the first record that a log prints", () => {
  const run = healthyBut({
    kl: ramp(3.2, 3, 30, 0.01),
    learning_rate: flat(1e-3),
    reward: ramp(0.04, 0.03, 30, 0.005),
    "reward.accuracy_reward": [],
  });
  assert.notEqual(DIAGNOSES.learning_rate_too_high.check(viewOf(run)), null);
});

Deno.test("learning_rate_too_high of a foreign log is no goal that falls at first while what is paid rises", () => {
  const accuracy = [...flat(0.6, 6), ...flat(0.1, 54)].map((value, i) => value! + 0.01 * Math.sin(7.3 * i));
  const said = (reward: readonly number[]) => {
    const columns = {
      learning_rate: flat(1e-4, 60),
      accuracy,
      reward,
      "reward.accuracy_reward": [],
      entropy: [],
      kl: [],
    };
    const { findings, afterEffects } = diagnoseRun(viewOf(healthyBut(columns)));
    return [...findings, ...afterEffects].some(({ cause }) => cause === "learning_rate_too_high");
  };
  assert.deepEqual([said(accuracy), said(ramp(0.2, 0.9, 60))], [true, false]);
});
