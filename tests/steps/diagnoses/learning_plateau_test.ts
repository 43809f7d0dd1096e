/** The rule learning_plateau: its fault, its reasons and its look-alikes. */
import assert from "node:assert/strict";
import { diagnoseRun } from "../../../steps/diagnoses/diagnose_run.ts";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { between, type Curve, healthyRuns, longRun, noisy } from "./long_run.ts";
import { testRule, viewOf } from "./synthetic.ts";
import { longPairs } from "./long_pairs.ts";

/** A reward that learns until a share of the run and stands still from there. */
const until = (share: number, noise = 0.03) => ({
  reward: noisy(between(0.2, 0.6, 0, share), noise),
  "reward.accuracy_reward": [],
});

testRule("learning_plateau", {
  fires: { "a reward that is flat from a quarter of the run on": longRun(until(0.25)) },
  silent: {
    "a reward that rises to the end": longRun(until(1)),
    "a reward that is flat in the last third": longRun(until(0.67)),
    "a reward that never rose": longRun({ reward: noisy(() => 0.4, 0.03), "reward.accuracy_reward": [] }),
    "a reward whose noise leaves it open": longRun({
      reward: noisy((at) => 0.3 + 0.2 * at, 0.6),
      "reward.accuracy_reward": [],
    }),
    "a flat reward of 100 train steps": longRun({
      reward: noisy(between(0.2, 0.6, 0, 0.25), 0.03, { records: 100 }),
      "reward.accuracy_reward": [],
    }, { records: 100 }),
  },
});

const why = (columns: Record<string, readonly number[]>) => {
  const found = DIAGNOSES.learning_plateau.check(viewOf(longRun({ ...until(0.25), ...columns })));
  assert(found !== null && "message" in found);
  return found;
};

Deno.test("learning_plateau says why, with the row that shows it", () => {
  const cases = [
    ["entropy", between(0.6, 0.02, 0, 0.3), /the entropy is down to 0\.0\d+ of 0\.\d+ nats/],
    ["truncated_fraction", between(0, 0.4, 0, 0.3), /4\d?\.?\d* % of the completions are cut|39\.\d+ % of the comp/],
    ["learning_rate", between(1e-6, 1e-9, 0, 0.3), /[Tt]he learning rate is down to \S+ since train step \d+/],
    ["zero_spread_fraction", between(0.1, 0.8, 0, 0.3), /of the groups all completions get the same reward/],
  ] as const;
  for (const [name, curve, text] of cases) {
    const found = why({ [name]: noisy(curve, 1e-12) });
    assert.match(found.message, text);
    assert(found.evidence.some((row) => row.name === name), name);
  }
  assert.match(why({}).alone!, /^nothing that is printed says why$/);
});

Deno.test("learning_plateau begins where the last rise ends", () => {
  const first = why({}).trainSteps[0]!;
  assert(first > 45 && first < 110, String(first));
});

Deno.test("learning_plateau is silent on sixty healthy long runs", () => {
  for (const run of healthyRuns()) assert.equal(DIAGNOSES.learning_plateau.check(viewOf(run)), null);
});

Deno.test("learning_plateau of pairs is said where the rate is 0 long before the end, and they were learned before", () => {
  const run = longPairs({ seed: 1 }), rate = run.columns!.learning_rate!;
  const spent = (from: number) =>
    viewOf({
      ...run,
      columns: { ...run.columns, learning_rate: rate.map((_, i) => Math.max(0, 1e-6 * (1 - i / from))) },
    });
  const { findings, afterEffects } = diagnoseRun(spent(120));
  assert.deepEqual(findings.map(({ cause }) => cause), ["learning_plateau"]);
  assert.deepEqual(afterEffects.map(({ cause }) => cause), ["learning_rate_zero"]);
  assert.equal(findings[0]!.train_steps[0], 121);
  assert.equal(diagnoseRun(spent(250)).verdict, "benign");
  // What is to be done is said once: no second advice to change what the message names.
  assert.match(findings[0]!.hint, /^Let the schedule end with the run/);
  assert.equal(findings[0]!.remedy.by_hand, findings[0]!.hint);
});

/** A reward that learns until a share of the run, to a level from which on it climbs by so much more to the end. */
const flatFrom = (share: number, { to = 0.6, climb = 0, noise = 0.02 } = {}) => ({
  reward: noisy((at) => at < share ? 0.2 + (to - 0.2) * at / share : to + climb * (at - share) / (1 - share), noise),
  "reward.accuracy_reward": [],
});
const check = (columns: Record<string, readonly number[]>) =>
  DIAGNOSES.learning_plateau.check(viewOf(longRun(columns)));

Deno.test("learning_plateau is silent on a climb, however slow, that a line through it shows beyond chance", () => {
  for (const noise of [0.01, 0.02, 0.03]) {
    assert.notEqual(check(flatFrom(0.15, { noise })), null, `flat, noise ${noise}`);
    assert.equal(check(flatFrom(0.15, { noise, climb: 0.03 })), null, `noise ${noise}`);
  }
});

Deno.test("learning_plateau without a why wants 70 % of the run and 15 % of the scale above it, and is then in doubt", () => {
  const tied = { zero_spread_fraction: noisy(between(0.1, 0.78, 0, 0.2), 1e-3) };
  const cases = [
    ["80 % of the run at 0.6", flatFrom(0.15), true],
    ["60 % of the run at 0.6", flatFrom(0.4, { noise: 0.03 }), false],
    ["80 % of the run at 0.8", flatFrom(0.15, { to: 0.8 }), true],
    ["80 % of the run at 0.9", flatFrom(0.15, { to: 0.9 }), false],
  ] as const;
  for (const [what, columns, fires] of cases) {
    const found = check(columns), told = check({ ...columns, ...tied });
    assert.equal(found !== null, fires, what);
    assert(told !== null && "message" in told && told.confirm === undefined, `${what}, and groups tie`);
    assert.match(told.message, /of the groups all completions get the same reward$/);
    if (found === null) continue;
    assert("message" in found);
    assert.match(found.confirm!, /^evaluate held-out prompts/);
  }
});

Deno.test("learning_plateau takes no share of ties below seven tenths for its why", () => {
  const at = (share: number) => {
    const found = check({ ...flatFrom(0.15), zero_spread_fraction: noisy(between(0.1, share, 0, 0.2), 1e-3) });
    return found !== null && "message" in found ? found.alone ?? found.message : "silent";
  };
  assert.match(at(0.65), /nothing that is printed says why$/);
  assert.match(at(0.75), /of the groups all completions get the same reward$/);
});

Deno.test("learning_plateau is silent where the goal is near its top, whatever a sum of functions could be", () => {
  const rise = between(0.5, 0.9, 0, 0.25);
  const of = (goal: Curve, more: number) =>
    DIAGNOSES.learning_plateau.check(viewOf(longRun({
      reward: noisy((at) => goal(at) + more * rise(at), 0.01),
      "reward.accuracy_reward": noisy(goal, 0.04),
      "reward.brevity": noisy(rise, 0.01),
    })));
  assert.equal(of(rise, 1), null);
  assert.match(JSON.stringify(of(between(0.2, 0.5, 0, 0.25), 1)), /Nothing rises/);
});

Deno.test("learning_plateau begins where no later stretches of their own lie higher, whatever those do that it shares", () => {
  // Of 24 stretches 0.2 in four, a hump of 0.6 in four, and 0.5 to the end; a level is the mean of four. That of the fourth to
  // the seventh is 0.5, the next of its own 0.525; only such as share stretches with it have more of the hump.
  const levels = Array.from({ length: 24 }, (_, i) => i < 4 ? 0.2 : i < 8 ? 0.6 : 0.5);
  const reward = noisy(() => 0, 0.004).map((noise, i) => levels[Math.floor(24 * i / 300)]! + noise);
  const found = check({ reward, "reward.accuracy_reward": [] });
  assert(found !== null && "message" in found);
  assert.equal(found.trainSteps[0], 39, "the first of the fourth stretch");
});

Deno.test("learning_plateau says how the signal went over the stretches by which it judges that nothing rises", () => {
  // At once from 0.2 to 0.6 where the seventh of 24 stretches begins: what was before it is not what stands still.
  const reward = noisy(() => 0, 0.004).map((noise, i) => (i < 75 ? 0.2 : 0.6) + noise);
  const found = check({ reward, "reward.accuracy_reward": [] });
  assert(found !== null && "message" in found);
  assert.match(
    found.message,
    /^Nothing rises since train step 76 .*: the reward (did not rise \(about 0\.(6|5[89])\d* to|stayed at about) 0\.(6|5[89])\d*/,
  );
});

Deno.test("learning_plateau is of more than half of the run, whatever says why", () => {
  const tied = { zero_spread_fraction: noisy(between(0.1, 0.78, 0, 0.2), 1e-3) };
  assert.deepEqual([0.4, 0.6].map((share) => check({ ...flatFrom(share), ...tied }) !== null), [true, false]);
});

Deno.test("learning_plateau says that nothing says why only where no other alarm stands", () => {
  const plateau = (columns: Record<string, readonly number[]>) => {
    const { findings, afterEffects } = diagnoseRun(viewOf(longRun({ ...until(0.25), ...columns })));
    return [...findings, ...afterEffects].find(({ cause }) => cause === "learning_plateau")!.message;
  };
  assert.match(plateau({}), /; nothing that is printed says why$/);
  const stalls = noisy((at) => at < 0.5 ? 1000 : 5000, 10);
  assert.doesNotMatch(plateau({ step_ms: stalls }), /says why/);
});
