import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { chartSpec, toSvg } from "../../../notebooks/draw.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart difficulty draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("difficulty"), /train step/);
});

Deno.test("chart difficulty has a row for each of few prompts, the best first, and classes of many", () => {
  const [source] = CHARTS.difficulty.sources;
  const row = (prompt_id: number, correct: boolean) => ({ train_step: 1, prompt_id, prompt: `p${prompt_id}`, correct });
  const few = source.rows!([row(1, false), row(1, true), row(2, true), row(2, true)]);
  assert.deepEqual(few.map(({ prompt, pass_rate }) => [prompt, pass_rate]), [["2 p2", 1], ["1 p1", 0.5]]);
  const many = Array.from({ length: 80 }, (_, i) => [0, 1, 2, 3].map((k) => row(i, k < i % 5))).flat();
  const shares = source.rows!(many);
  assert.deepEqual(shares.map(({ label, share }) => [label, share]), [
    ["always", 0.2],
    ["mostly", 0.4],
    ["sometimes", 0.2],
    ["never", 0.2],
  ]);
});

Deno.test("chart difficulty leaves out completions that no verifier judged, and parts two groups of one prompt", () => {
  const [source] = CHARTS.difficulty.sources;
  const row = (prompt_id: number, sample: number, correct: boolean | null) => ({
    train_step: 1,
    prompt_id,
    sample,
    prompt: "p",
    correct,
    reward: 0.25,
  });
  const few = source.rows!([row(1, 0, true), row(1, 1, null), row(2, 0, null)]);
  assert.deepEqual(few.map(({ prompt_id, pass_rate }) => [prompt_id, pass_rate]), [[1, 1]]);
  const twice = Array.from(
    { length: 41 },
    (_, i) => [row(i, 0, true), row(i, 1, true), row(i, 0, false), row(i, 1, false)],
  );
  const shares = new Map(source.rows!(twice.flat()).map(({ label, share }) => [label, share]));
  assert.deepEqual([shares.get("always"), shares.get("never"), shares.get("mostly")], [0.5, 0.5, 0]);
});

Deno.test("chart difficulty shows one train step as a bar, several as areas", async () => {
  const draw = (...steps: number[]) =>
    toSvg(
      chartSpec(CHARTS.difficulty, {
        completions: steps.flatMap((train_step) =>
          Array.from({ length: 82 }, (_, i) => ({ train_step, prompt_id: i, correct: i % 2 === 0 }))
        ),
      }),
      (text) => assert.fail(text),
    );
  assert.match(await draw(1), /aria-roledescription="bar"/);
  assert.doesNotMatch(await draw(1, 2), /aria-roledescription="bar"/);
  assert.match(await draw(1, 2), /aria-roledescription="area mark"/);
});
