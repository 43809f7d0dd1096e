import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chooseSource } from "../../../notebooks/choose_source.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";

const rowsOf = (completions: readonly Record<string, unknown>[]) =>
  chooseSource(CHARTS.iou, { completions })?.rows ?? null;
const rewarded = (name: string, ...steps: readonly (readonly unknown[])[]) =>
  steps.flatMap((values, i) => values.map((value) => ({ train_step: i + 1, reward: 1, [`reward.${name}`]: value })));

Deno.test("chart iou has the share of completions in each tenth of IoU, and their mean", () => {
  const rows = rowsOf(rewarded("visual/iou", [0, 0, 0.55, 1], [0.31, 0.39, null, NaN]))!;
  const cells = rows.filter((row) => row["share"] !== undefined);
  assert.equal(cells.length, 20, "a tenth that is empty is drawn as a share of 0, not as paper");
  assert.deepEqual(
    cells.filter(({ share }) => share !== 0).map(({ from, low, high, share }) => [from, low, high, share]),
    [[1, 0, 0.1, 0.5], [1, 0.5, 0.6, 0.25], [1, 0.9, 1, 0.25], [2, 0.3, 0.4, 1]],
  );
  const means = rows.flatMap((row) => row["mean"] === undefined ? [] : [[row["middle"], row["mean"]]]);
  assert.deepEqual(means, [[1.5, 1.55 / 4], [2.5, 0.35]]);
});

Deno.test("chart iou counts rewards beyond 0 and 1 at their end, so that shares are of all", () => {
  const cells = rowsOf(rewarded("visual/iou", [-0.5, 2, 0.5]))!.filter((row) => row["share"]);
  assert.deepEqual(cells.map(({ low, completions }) => [low, completions]), [[0, 1], [0.5, 1], [0.9, 1]]);
});

Deno.test("chart iou knows the reward under other names, and takes no other for it", () => {
  for (const name of ["visual/iou", "iou", "my_iou", "IoU", "iou_greedy"]) assert(rowsOf(rewarded(name, [0.5])), name);
  for (const name of ["visual/giou", "serious", "visual/confidence", "format"]) {
    assert.equal(rowsOf(rewarded(name, [0.5])), null, name);
  }
  const both = rewarded("my_iou", [0.1]).map((row) => ({ ...row, "reward.visual/iou": 0.9 }));
  assert.equal(rowsOf(both)!.find((row) => row["mean"] !== undefined)!["mean"], 0.9);
});

Deno.test("chart iou takes the IoU of the boxes before a reward, and says which of both it is", () => {
  const read = rewarded("visual/giou", [0.6, 0.8]).map((row, i) => ({
    ...row,
    box_iou: i / 4,
    "reward.visual/iou": 0,
  }));
  const means = (rows: readonly Record<string, unknown>[]) => rows.filter((row) => row["mean"] !== undefined);
  assert.deepEqual(means(rowsOf(read)!).map((row) => row["mean"]), [0.125]);
  const about = CHARTS.iou.sources[0].about as (rows: readonly Record<string, unknown>[]) => string;
  assert.equal(about(rowsOf(read)!), "");
  assert.match(about(rowsOf(rewarded("visual/iou", [0.5]))!), /0 below its threshold/);
});

Deno.test("chart iou is drawn of one train step and of many, light and dark, and refuses a run without it", async () => {
  for (const steps of [1, 3, 200]) {
    const completions = rewarded("visual/iou", ...Array.from({ length: steps }, (_, i) => [0, i / steps, 1]));
    for (const theme of ["light", "dark"] as const) {
      const spec = chartSpec(CHARTS.iou, { completions }, { theme, width: 300 });
      const svg = await toSvg(spec, (text) => assert.fail(`Vega warns: ${text}`));
      assert.doesNotMatch(svg, /NaN|undefined/);
      assert.match(svg, /train step/);
      // A line of one point has no length.
      assert.equal(/aria-roledescription="point"/.test(svg), steps === 1, `${steps}`);
    }
  }
  assert.throws(
    () => chartSpec(CHARTS.iou, { completions: [{ train_step: 1, reward: 1 }] }),
    /Cannot draw "IoU of the boxes"/,
  );
  assert.throws(() => chartSpec(CHARTS.iou, {}), /has no rows of table "completions"/);
});
