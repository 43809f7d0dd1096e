/** Columns that go from percent to shares: told from what falls to a hundredth, and from scales that only look alike. */
import assert from "node:assert/strict";
import { oneScale } from "../../../../steps/diagnoses/view/one_scale.ts";
import { between, noisy } from "../long_run.ts";
import { flat } from "../synthetic.ts";

const changes = (columns: Record<string, readonly (number | null)[]>) => oneScale(new Map(Object.entries(columns)));
const rising = noisy(between(0.4, 0.8), 0.04, { records: 60 });
const percent = (cells: readonly number[], isPercent: (at: number) => boolean) =>
  cells.map((value, at) => isPercent(at) ? 100 * value : value);

Deno.test("oneScale() reads percent that turn to shares, and shares that turn to percent, as shares", () => {
  for (const percentBefore of [true, false]) {
    const { columns, changes: found } = changes({ reward: percent(rising, (at) => at < 30 === percentBefore) });
    assert.deepEqual(found.get("reward"), { record: 30, percentBefore });
    columns.get("reward")!.forEach((value, at) => assert(Math.abs(value! - rising[at]!) < 1e-12));
  }
});

Deno.test("oneScale() takes deviations and ends along, and leaves what is on another scale", () => {
  const early = (at: number) => at < 30, std = noisy(() => 0.3, 0.01, { records: 60 });
  const { changes: found } = changes({
    reward: percent(rising, early),
    reward_std: percent(std, early),
    "reward.format": std,
    loss: percent(std, early),
    kl: percent(std, early),
  });
  assert.deepEqual([...found.keys()], ["reward", "reward_std"]);
});

Deno.test("oneScale() sees the change between few evaluations, and in cells with gaps", () => {
  assert.deepEqual(changes({ accuracy: [41, 43, 0.42, 0.45] }).changes.get("accuracy")?.record, 2);
  assert.deepEqual(changes({ "gsm8k/accuracy": [41, null, 43, null, 0.42, 0.45] }).changes.size, 1);
  assert.equal(changes({ accuracy: [41, 0.42] }).changes.size, 0);
});

Deno.test("oneScale() is silent on a fall, on a rise, on one scale throughout and on rewards of any sign", () => {
  const rough = Array.from({ length: 30 }, (_, i) => [1, 0.5, 0.75, 0.25, 1, 0.75][i % 6]!);
  const silent: Record<string, readonly number[]> = {
    "a fall to nothing": [...noisy(() => 80, 4, { records: 30 }), ...flat(0, 30) as number[]],
    "a fall to a hundredth, as rough as few right answers are": [...noisy(() => 80, 3, { records: 30 }), ...rough],
    "a fall to a tenth": [...noisy(() => 8, 0.4, { records: 30 }), ...noisy(() => 0.8, 0.04, { records: 30 })],
    "a slow rise": noisy(between(0.2, 60), 2, { records: 60 }).map((value) => Math.max(0, value)),
    "shares": rising,
    "percent": rising.map((value) => 100 * value),
    "points below 0": [...noisy(() => 80, 4, { records: 30 }), ...noisy(() => -0.8, 0.04, { records: 30 })],
  };
  for (const [what, reward] of Object.entries(silent)) assert.equal(changes({ reward }).changes.size, 0, what);
});
