/** Of every estimator and every combination of its options: one that changes nothing is named, one that does is not. */
import assert from "node:assert/strict";
import type { AdvantageBatch } from "../../../steps/advantages/advantage.ts";
import { estimate } from "../../../steps/advantages/estimate.ts";
import { type Advantage, ADVANTAGES } from "../../../steps/advantages/mod.ts";
import { ADVANTAGE_PRESETS } from "../../../steps/advantages/presets.ts";
import { computeAdvantages } from "../../../steps/compute_advantages.ts";

/** Values of each option beside its default; an option that is new is asked for below. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  scale: ["batch", "none"],
  eps: [0.5],
  group_of_one: ["zero", "reward"],
  divide_by_std: [false],
  reward_weights: [{ right: 3 }],
  finish: ["tokens", "none"],
  normalize: [true],
  baseline: [true],
  gamma: [0.5],
  gaps: ["skip"],
  variance: ["biased"],
  f_norm: [2],
  positions: ["counted"],
  zero_tail: [false],
  sampler_weights: ["token", "sequence"],
  sampler_bound: [1.2],
  lambda: [0.7],
  whiten: [false],
  whiten_rewards: [true],
};

const LENGTHS = [5, 4, 2, 5, 4, 3, 4];
const rows = (value: (row: number, t: number) => number) =>
  LENGTHS.map((length, row) => Array.from({ length }, (_, t) => value(row, t)));

/** Two groups of three and, where it is asked for, one of one; the second token of every other completion is a tool's. */
function batchOf(completions: number): AdvantageBatch {
  const cut = <T>(list: readonly T[]) => list.slice(0, completions);
  const masks = cut(rows((row, t) => row % 2 === 1 && t === 1 ? 0 : 1));
  return {
    rewards: cut([1, 0, 0.25, 2, 0.5, 0, 3]),
    groups: cut([0, 0, 0, 1, 1, 1, 2]),
    lengths: masks.map((mask) => mask.reduce((a, b) => a + b)),
    masks,
    tokenRewards: cut(rows((row, t) => -0.01 * (row + 1) * (t + 1))),
    components: { right: cut([1, 0, 0, 1, 0, 0, 1]), short: cut([0.1, 0.4, 0.2, 0.9, 0.3, 0.8, 0.5]) },
    values: cut(rows((row, t) => 0.1 * row - 0.2 * t)),
    baselines: cut([0.5, 0.5, 0.5, 1, 1, 1, 0]),
    logprobs: cut(rows((row, t) => -0.3 - 0.1 * ((row + t) % 3))),
    logSumSquares: cut(rows((row, t) => -0.2 - 0.1 * ((2 * row + t) % 3))),
    samplerLogprobs: cut(rows((row, t) => -0.3 - 0.2 * ((row + 2 * t) % 4))),
  };
}

/** What an estimator says of batches without and with a group of one: numbers, or why not. */
function said(entry: Advantage, given: Record<string, unknown>): (number | string)[] {
  return [6, 7].flatMap((completions): (number | string)[] => {
    const batch = batchOf(completions), counts = (row: number, t: number) => batch.masks![row]![t] === 1;
    try {
      const { advantage, tokens, returns } = estimate(entry, given, batch);
      const counted = [...tokens ?? [], ...returns ?? []].flatMap((row, i) =>
        row.filter((_, t) => counts(i % completions, t))
      );
      return [...advantage, ...counted];
    } catch (error) {
      return [(error as Error).message];
    }
  });
}

const same = (a: readonly (number | string)[], b: readonly (number | string)[]) =>
  a.length === b.length &&
  a.every((value, i) =>
    Object.is(value, b[i]) || (typeof value === "number" && Math.abs(value - (b[i] as number)) < 1e-6)
  );

/** Every combination of the defaults and the values above. */
function combinations(defaults: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  return Object.entries(defaults).reduce<Record<string, unknown>[]>((made, [name, byDefault]) => {
    const values = [byDefault, ...VALUES[name] ?? assert.fail(`give "${name}" a value beside its default`)];
    return made.flatMap((one) => values.map((value) => ({ ...one, [name]: value })));
  }, [{}]);
}

for (const [name, entry] of Object.entries(ADVANTAGES) as [string, Advantage][]) {
  Deno.test(`${name} names exactly the options that change nothing`, () => {
    const defaults = entry.params.parse({});
    for (const given of combinations(defaults)) {
      const told = (entry.problems?.(given, given) ?? []).map((text) =>
        /^Cannot use "(\w+)": .+, want /.exec(text)?.[1]
      );
      const idle = Object.keys(defaults).filter((option) =>
        given[option] !== defaults[option] &&
        same(said(entry, given), said(entry, { ...given, [option]: defaults[option] }))
      );
      assert.deepEqual(told.toSorted(), idle.toSorted(), JSON.stringify(given));
    }
  });
}

const messages = (given: Record<string, unknown>) => computeAdvantages.check!(computeAdvantages.params.parse(given));

Deno.test("compute_advantages.check() says which option changes nothing, and not of those that a preset brings", () => {
  const cases: readonly (readonly [Record<string, unknown>, RegExp])[] = [
    [{ estimator: "grpo", scale: "none", eps: 0.1 }, /"eps": scale is none, want group or batch; nothing would change/],
    [{ estimator: "rloo", eps: 0.1 }, /"eps": normalize is false, want true/],
    [{ estimator: "gae", whiten: false, variance: "biased" }, /"variance": whiten is false, want true/],
    [{ estimator: "gae", whiten: false, divide_by_std: false }, /"divide_by_std": whiten is false, want true/],
    [{ estimator: "reinforce_plus_plus", group_of_one: "zero" }, /"group_of_one": baseline is false, want true/],
    [{ estimator: "reinforce_plus_plus", gaps: "skip" }, /"gaps": gamma is 1, want it below 1/],
    [{ preset: "verl/grpo", scale: "none", eps: 0.1 }, /"eps": scale is none/],
  ];
  for (const [given, problem] of cases) assert.match(messages(given).join("\n"), problem, JSON.stringify(given));
  const silent = Object.keys(ADVANTAGE_PRESETS).map((preset): Record<string, unknown> => ({ preset, kl_coef: 0.1 }));
  silent.push({ preset: "verl/grpo", scale: "none" }, { preset: "openrlhf/gae", divide_by_std: false });
  silent.push({ preset: "verl/gdpo", divide_by_std: false }, { preset: "openrlhf/reinforce", divide_by_std: false });
  for (const given of silent) assert.deepEqual(messages(given), [], JSON.stringify(given));
});

Deno.test("compute_advantages.check() says an option of the estimator's that is wrong as an error is said", () => {
  const given = { ...computeAdvantages.params.parse({}), eps: -1 };
  assert.match(
    computeAdvantages.check!(given).join("\n"),
    /^Cannot use estimator "grpo": its option "eps" is wrong \(.+\), want another value$/,
  );
});
