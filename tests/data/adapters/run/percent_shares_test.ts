/** Shares that are printed in percent: read as shares, and told; what is a share as printed stays, what is none is not used. */
import assert from "node:assert/strict";
import { column, readText } from "../read_text.ts";

const RECORDS = 60;
/** Shares of eight groups, rough as they are, some of them 0. */
const rough = (at: number) => ((at * 5) % 4) / 8;
const smooth = (at: number) => 0.2 + 0.002 * at;
const log = (name: string, value: (at: number) => number) =>
  readText(
    Array.from({ length: RECORDS }, (_, at) => JSON.stringify({ step: at + 1, loss: 0.1, [name]: value(at) })).join(
      "\n",
    ),
  );
const said = (run: Awaited<ReturnType<typeof log>>) => run.skipped.map(({ line, reason }) => [line, reason]);

const NAMES = {
  frac_reward_zero_std: "zero_spread_fraction",
  "completions/clipped_ratio": "truncated_fraction",
  "clip_ratio/region_mean": "clip_fraction",
  mean_token_accuracy: "token_accuracy",
  "rewards/accuracies": "preference_accuracy",
};

Deno.test("a share that is printed in percent is read as a share, and the report says so", async () => {
  for (const [name, own] of Object.entries(NAMES)) {
    const run = await log(name, (at) => 100 * smooth(at));
    column(run, own)!.forEach((value, at) => assert(Math.abs(value! - smooth(at)) < 1e-12, name));
    assert.deepEqual(said(run), [[1, `${name} is printed in percent: read as shares`]]);
  }
  const rising = await log("clip_ratio", (at) => 0.5 + 0.5 * at);
  assert.equal(column(rising, "clip_fraction")![0], 0.005, "below 1 % at first");
});

Deno.test("a share that is in percent from the middle on, or up to there, is a share throughout", async () => {
  for (const share of [rough, smooth]) {
    const late = await log("frac_reward_zero_std", (at) => share(at) * (at < 31 ? 1 : 100));
    assert.deepEqual(
      column(late, "zero_spread_fraction"),
      Array.from({ length: RECORDS }, (_, at) => (share(at) * (at < 31 ? 1 : 100)) / (at < 31 ? 1 : 100)),
    );
    assert.match(said(late).join(), /is printed in percent from train step 3\d on: read as shares$/);
    const early = await log("frac_reward_zero_std", (at) => share(at) * (at < 31 ? 100 : 1));
    assert(column(early, "zero_spread_fraction")!.every((value, at) => Math.abs(value! - share(at)) < 1e-12));
    assert.match(said(early).join(), /is printed in percent before train step 3\d: read as shares$/);
  }
});

Deno.test("evaluations in percent are shares, too; a change of theirs is left to the view of the run", async () => {
  const evaluated = (values: readonly number[]) =>
    readText(
      values.map((value, at) =>
        JSON.stringify({ step: at + 1, loss: 0.1 }) + "\n" + JSON.stringify({ step: at + 1, eval_accuracy: value })
      ).join("\n"),
    );
  const run = await evaluated([41, 50, 75]);
  assert.deepEqual(run.evaluations.columns.get("accuracy"), [0.41, 0.5, 0.75]);
  assert.deepEqual(said(run), [[2, "eval_accuracy is printed in percent: read as shares"]]);
  const mixed = await evaluated([41, 43, 44, 0.42, 0.45]);
  assert.deepEqual([mixed.evaluations.columns.get("accuracy"), said(mixed)], [[41, 43, 44, 0.42, 0.45], []]);
});

Deno.test("what is far above 100, or on no one scale, is not used", async () => {
  const far = await log("frac_reward_zero_std", (at) => 3375 + at);
  assert.deepEqual([column(far, "zero_spread_fraction"), far.skipped[0]?.count], [undefined, RECORDS]);
  assert.deepEqual(said(far), [[1, "frac_reward_zero_std is neither a share nor in percent: not used"]]);
  const spike = await log("frac_reward_zero_std", (at) => at === 20 ? 1e9 : smooth(at));
  assert.deepEqual([column(spike, "zero_spread_fraction")![20], column(spike, "zero_spread_fraction")![21]], [
    null,
    smooth(21),
  ]);
  assert.equal(spike.skipped[0]?.count, 1);
  const few = await log("clip_ratio", (at) => at % 10 === 0 ? 3 : 0.2);
  assert.equal(column(few, "clip_fraction"), undefined);
});

Deno.test("shares as they are, and numbers that are no shares, stay", async () => {
  for (
    const [name, own] of [["frac_reward_zero_std", "zero_spread_fraction"], ["reward", "reward"], [
      "entropy",
      "entropy",
    ]] as const
  ) {
    const scale = own === name ? 40 : 1, run = await log(name, (at) => scale * smooth(at));
    assert.deepEqual([column(run, own)![3], said(run)], [scale * smooth(3), []]);
  }
  const all = await log("completions/clipped_ratio", (at) => at < 30 ? 0.02 : 1.0000001);
  assert.deepEqual([column(all, "truncated_fraction")![40], said(all)], [1.0000001, []]);
});
