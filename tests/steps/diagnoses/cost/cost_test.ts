/** What a run has cost since its first finding began: by hand. */
import assert from "node:assert/strict";
import { costOf } from "../../../../steps/diagnoses/cost/cost.ts";
import { oneFinding } from "../../../workflows/doctor/one_examined.ts";
import { type Cause, DIAGNOSES } from "../../../../steps/diagnoses/mod.ts";
import { type Run, viewOf } from "../synthetic.ts";

const HOUR = 3.6e6;
const cost = (cause: Cause, train_steps: number[], run: Run) =>
  costOf(oneFinding({ cause, train_steps }), DIAGNOSES[cause].wastes, viewOf(run))!;

Deno.test("costOf() a run that learns nothing any more loses every rollout since, with its tokens and hours", () => {
  const columns = { step_ms: [HOUR, HOUR, 2 * HOUR, 4 * HOUR], num_tokens: [10, 20, 40, 80], reward: [0, 1, 1, 1] };
  const lost = cost("reward_collapse", [3, 4], { columns, settings: { num_processes: 8 } });
  assert.deepEqual(lost, {
    since: 3,
    share_of_run: 0.5,
    waste: "all",
    rollouts: 0.5,
    tokens: 60,
    hours: 6,
    of: { tokens: 80, hours: 8 },
    gpus: 8,
    missing: [],
  });
});

Deno.test("costOf() groups without spread loses their share, from the onset on", () => {
  const columns = { zero_spread_fraction: [0.5, 0.5, 0.5, 1], reward: [0, 1, 0, 1] };
  assert.equal(cost("zero_reward_variance", [3], { columns }).rollouts, (0.5 + 1) / 4);
  const blind = cost("zero_reward_variance", [3], { columns: { reward: [0, 1, 0, 1] } });
  assert.equal(blind.rollouts, null);
  assert(blind.missing.some((text) => text.startsWith("zero_spread_fraction")), blind.missing.join());
});

Deno.test("costOf() weighs each record by the train steps that it stands for; a step made again counts again", () => {
  const every = { columns: { reward: [0, 1, 1, 1] }, steps: [5, 10, 15, 40] };
  assert.equal(cost("reward_collapse", [15], every).share_of_run, (5 + 25) / 40);
  const timed = { ...every, columns: { ...every.columns, step_ms: [HOUR, HOUR, HOUR, HOUR] } };
  assert.deepEqual([cost("reward_collapse", [15], timed).hours, cost("reward_collapse", [15], timed).of.hours], [
    30,
    40,
  ]);
  // logging_first_step: the first record stands for its one step.
  const first = { columns: { reward: [0, 1, 1, 1] }, steps: [1, 10, 20, 30] };
  assert.equal(cost("reward_collapse", [20], first).share_of_run, 20 / 30);
  const again = { columns: { reward: [0, 1, 1, 1] }, steps: [1, 2, 1, 3] };
  assert.equal(cost("reward_collapse", [2], again).rollouts, 0.75);
});

Deno.test("costOf() cut, clipped, listed and longer measures what the log shows", () => {
  const reward = [0, 1, 1, 1];
  const of = (cause: Cause, columns: Run["columns"], steps = [2]) =>
    cost(cause, steps, { columns: { reward, ...columns } });
  assert.equal(of("truncated_completions", { truncated_fraction: [1, 0.5, 0.5, 1] }).rollouts, 0.5);
  assert.equal(of("excessive_clipping", { clip_fraction: [0, 0.5, 0.5, 0.5] }).rollouts, 1.5 / 4);
  assert.equal(of("gradient_spikes", {}, [2, 4]).rollouts, 0.5);
  // From 100 tokens at the onset to 200: half of the last 200 tokens, of 700 in all where each completion counts once.
  const longer = of("length_inflation", { completion_length: [100, 100, 100, 200], completions: [1, 1, 1, 1] });
  assert.equal(longer.tokens, 100);
  assert.equal(longer.rollouts, 100 / 500);
});

Deno.test("costOf() a machine that got slow is the time beyond the median of before", () => {
  const columns = { step_ms: [HOUR, HOUR, 3 * HOUR, 3 * HOUR], reward: [0, 1, 1, 1] };
  const slow = cost("resource_stall", [3], { columns });
  assert.deepEqual([slow.hours, slow.rollouts, slow.tokens], [4, 0.5, null]);
  assert.equal(cost("resource_stall", [1], { columns }).rollouts, null);
});

Deno.test("costOf() never invents: no step times, no onset, NaN, no records", () => {
  const bare = cost("nan_loss", [2], { columns: { loss: [1, NaN, NaN] } });
  assert.deepEqual([bare.hours, bare.gpus, bare.of.hours], [null, null, null]);
  assert(bare.missing.some((text) => text.startsWith("step_ms")));
  assert.equal(cost("nan_loss", [2], { columns: { loss: [1, 1, 1], step_ms: [HOUR, NaN, null] } }).hours, null);
  assert.equal(cost("zero_reward_variance", [], { columns: { reward: [1, 1] } }).since, null);
  assert.equal(cost("no_trainable_parameters", [], { columns: { reward: [1, 1] } }).share_of_run, 1);
  assert.equal(cost("reward_collapse", [99], { columns: { reward: [1, 1] } }).rollouts, null);
  assert.equal(costOf(oneFinding(), "all", viewOf({})), null);
  assert.equal(cost("benign_zero_loss", [1], { columns: { reward: [1, 1] } }).rollouts, null);
});

Deno.test("costOf() of a log without train steps has no hours, unless its configuration says how many a record is of", () => {
  const columns = { step_ms: [HOUR, HOUR, HOUR, HOUR], loss_tokens: [10, 10, 10, 10], reward: [0, 1, 1, 1] };
  const of = (settings: Run["settings"]) => cost("reward_collapse", [3], { columns, stepsPrinted: false, settings });
  const blind = of({});
  assert.deepEqual([blind.hours, blind.of.hours, blind.rollouts], [null, null, 0.5]);
  assert(
    blind.missing.some((text) => text.startsWith("the train steps that a record stands for")),
    blind.missing.join(),
  );
  const told = of({ logging_steps: 5 });
  assert.deepEqual([told.hours, told.of.hours, told.tokens, told.missing], [10, 20, 100, []]);
  assert.deepEqual([told.rollouts, told.share_of_run], [0.5, 0.5]);
});

Deno.test("costOf() cut completions counts their tokens by their own length, at most all", () => {
  const columns = { num_tokens: [100, 200, 300, 400], truncated_fraction: [0, 0, 0.25, 0.5], reward: [0, 1, 1, 1] };
  const of = (length: number, more: Run = {}) =>
    cost("truncated_completions", [3], { ...more, columns: { ...columns, completion_length: Array(4).fill(length) } });
  const capped = { settings: { max_completion_length: 60 } };
  // A quarter and a half of 100 tokens, twice as long as the mean of 30; of a mean near the cap no more than their share.
  assert.deepEqual([of(30, capped).tokens, of(60, capped).tokens, of(10, capped).tokens], [150, 75, 200]);
  assert.equal(of(30).tokens, 75, "no cap is known");
  assert.equal(of(30, capped).rollouts, 0.75 / 4);
});

Deno.test("costOf() has the GPUs of all machines, unless the whole of processes is told or others share the run", () => {
  const gpus = (settings: Run["settings"], system = "verl", more: Run = {}) =>
    cost("reward_collapse", [2], { columns: { reward: [0, 1, 1] }, system, settings, ...more }).gpus;
  assert.equal(gpus({ "trainer.n_gpus_per_node": 8 }), 8);
  assert.equal(gpus({ "trainer.n_gpus_per_node": 8, "trainer.nnodes": 4 }), 32);
  assert.equal(gpus({ "trainer.nnodes": 4 }), null, "how many a machine has is not told");
  assert.equal(gpus({ world_size: 64, "trainer.n_gpus_per_node": 8, "trainer.nnodes": 4 }), 64);
  assert.equal(gpus({ "trainer.n_gpus_per_node": 8 }, "verl", { own: true }), null);
});

Deno.test("costOf() tells no tokens of a log of TRL by lengths whose records stand for nobody knows how many updates", () => {
  const columns = { completion_length: [10, 10], completions: [8, 8], reward: [0, 1] };
  const of = (settings: Record<string, unknown>) =>
    cost("reward_collapse", [1], { columns, settings, stepsPrinted: false, system: "trl" });
  const blind = of({});
  assert.equal(blind.tokens, null);
  assert(blind.missing.some((text) => /logging_steps/.test(text)), blind.missing.join());
  assert.equal(of({ logging_steps: 5 }).tokens, 800);
});
