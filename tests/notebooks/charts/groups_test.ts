import assert from "node:assert/strict";
import { CHARTS } from "../../../notebooks/charts/mod.ts";
import { checkChart } from "./check_chart.ts";

Deno.test("chart groups draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("groups"), /completion of the group/);
});

Deno.test("chart groups shows the last train step alone, and what was asked and came, cut where it is long", () => {
  const [source] = CHARTS.groups.sources;
  const row = (train_step: number, sample: number, text: string) => ({
    train_step,
    prompt_id: 3,
    sample,
    prompt: "1+1=\nx",
    text,
    reward: 1,
  });
  const rows = source.rows!([row(1, 0, "old"), row(2, 0, "2"), row(2, 1, "word ".repeat(400))]);
  assert.deepEqual(rows.map(({ sample, label }) => [sample, label]), [[1, "3 1+1="], [2, "3 1+1="]]);
  assert.equal(rows[0]!["shown_text"], "1+1=\nx ▸ 2");
  const lines = String(rows[1]!["shown_text"]).split("\n");
  assert(lines.length <= 16 && lines.every((line) => line.length <= 34) && lines.at(-1) === "…");
});

Deno.test("chart groups places equal rewards on a scale around them, others between their ends", () => {
  const [source] = CHARTS.groups.sources;
  const domain = (...rewards: number[]) => {
    const rows = rewards.map((reward, sample) => ({
      prompt_id: 1,
      sample,
      reward,
      text: "",
      label: "1",
      shown_text: "",
    }));
    const { vconcat } = source.spec(new Set(), rows) as {
      vconcat: { encoding: { color: { scale: { domain?: unknown } } } }[];
    };
    return vconcat[0]!.encoding.color.scale.domain;
  };
  assert.deepEqual([domain(0, 0), domain(1), domain(-3, -3), domain(0, 2)], [[0, 1], [0, 1], [-4, -2], undefined]);
  assert.equal(domain(NaN), undefined);
});
