/** Chart of which prompts are solved over time: the pass rate of each, or of many the share in each class. @module */
import { moments } from "../../data/statistics/mod.ts";
import { askedText } from "../asked_text.ts";
import { AREA_LEGEND, type Chart, type Row, SCALE_LEGEND, type Spec, STEP_AXIS, unitOf } from "./chart.ts";
import { PALETTE, SEQUENTIAL } from "./palette.ts";
import { byStep, groupsOf, hasLone, listedBins, STEP_RANGE } from "./step_rows.ts";

const MOST_PROMPTS = 40; // Prompts that get a line of their own.
const CLASSES = [
  { label: "always", color: PALETTE.third },
  { label: "mostly", color: PALETTE.first },
  { label: "sometimes", color: PALETTE.second },
  { label: "never", color: PALETTE.bad },
] as const;

export const difficulty: Chart = {
  title: "Difficulty",
  about:
    "Share of a prompt's completions that are right. Few prompts have a row each, the hardest below; of many, the share " +
    "of groups that are always, mostly (half or more), sometimes and never right: only the two in the middle teach.",
  sources: [{
    reads: "completions",
    needs: ["train_step", "prompt_id", "correct"],
    uses: ["prompt", "sample"],
    rows(rows) {
      // A completion that no verifier judged is neither right nor wrong.
      const judged = rows.filter((row) => typeof row["correct"] === "boolean");
      const prompts = new Set(judged.map((row) => row["prompt_id"])).size;
      return prompts > MOST_PROMPTS ? classShares(judged) : passRates(judged);
    },
    spec: (_, rows): Spec => rows[0]?.["share"] === undefined ? heatMap : areas(hasLone(rows)),
  }],
};

const heatMap: Spec = {
  mark: { type: "rect", tooltip: true },
  encoding: {
    ...STEP_RANGE,
    y: { field: "prompt", type: "nominal", title: null, sort: null, axis: { labelLimit: 150, ticks: false } },
    color: {
      field: "pass_rate",
      type: "quantitative",
      title: unitOf("groups", "pass_rate", "pass rate"),
      scale: { domain: [0, 1], scheme: SEQUENTIAL },
      legend: SCALE_LEGEND,
    },
  },
};

const areas = (isLone: boolean): Spec => ({
  mark: isLone ? { type: "bar", size: 14, opacity: 0.85 } : { type: "area", opacity: 0.85 },
  encoding: {
    x: STEP_AXIS,
    y: { field: "share", type: "quantitative", title: "fraction of groups", stack: "zero", scale: { domain: [0, 1] } },
    order: { field: "rank", type: "quantitative" },
    color: {
      field: "label",
      type: "nominal",
      scale: { domain: CLASSES.map(({ label }) => label), range: CLASSES.map(({ color }) => color) },
      legend: AREA_LEGEND,
    },
  },
});

/** The pass rate of each prompt in each bin of train steps, the prompts by their mean, best first. */
function passRates(rows: readonly Row[]): Row[] {
  const means = [...Map.groupBy(rows, (row) => row["prompt_id"])].map(([id, members]) => ({
    id,
    mean: passRate(members),
    members,
  }));
  means.sort((a, b) => b.mean - a.mean);
  const names = new Map(
    means.map(({ id, members }) => [id, `${id} ${askedText(String(members[0]!["prompt"] ?? ""))}`.trim()]),
  );
  const cells = listedBins(rows).flatMap(({ from, to, members }) =>
    [...Map.groupBy(members, (row) => row["prompt_id"])].map(([id, cell]) => ({
      train_step: from,
      from,
      to,
      prompt_id: id,
      prompt: names.get(id),
      pass_rate: passRate(cell),
    }))
  );
  const place = new Map(means.map(({ id }, index) => [id, index]));
  return cells.sort((a, b) => place.get(a.prompt_id)! - place.get(b.prompt_id)!);
}

/** Of each train step: the share of its groups in each class. */
function classShares(rows: readonly Row[]): Row[] {
  return listedBins(rows).flatMap(({ from, members }) => {
    const groups = byStep(members).flatMap(([, completions]) => {
      const ids = groupsOf(completions);
      return [...Map.groupBy(completions, (_, i) => ids[i]).values()].map(passRate);
    });
    return CLASSES.map(({ label }, rank) => ({
      train_step: from,
      label,
      rank,
      share: groups.filter((rate) => classOf(rate) === label).length / groups.length,
    }));
  });
}

function classOf(rate: number): (typeof CLASSES)[number]["label"] {
  return rate === 1 ? "always" : rate >= 0.5 ? "mostly" : rate > 0 ? "sometimes" : "never";
}

function passRate(rows: readonly Row[]): number {
  return moments(rows.map((row) => row["correct"] ? 1 : 0)).mean;
}
