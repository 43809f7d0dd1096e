/** Chart of the groups of one train step: prompts by completions, coloured by reward, the texts on click. @module */
import { moments } from "../../data/statistics/mod.ts";
import { askedText } from "../asked_text.ts";
import { type Chart, type Row, SCALE_LEGEND, type Spec } from "./chart.ts";
import { PALETTE, SEQUENTIAL } from "./palette.ts";
import { numbersOf } from "./step_rows.ts";

/** Groups and completions of each that are drawn. */
const MOST_GROUPS = 24, MOST_SAMPLES = 32;
const LINE = 34, MOST_LINES = 16; // Characters of a line of the text below, which the narrowest card has room for beside names of rows, and lines of it.

export const groups: Chart = {
  title: "Groups",
  about:
    "The completions of the last train step, one row per prompt, coloured by reward. A row of one colour teaches " +
    "nothing. A click shows what was asked and what came.",
  sources: [{
    reads: "completions",
    needs: ["prompt_id", "sample", "reward"],
    uses: ["train_step", "prompt", "text", "advantage", "truncated", "completion_tokens"],
    elsewhere: true,
    clicked: true,
    rows: lastGroups,
    spec: (_, rows): Spec => ({ vconcat: [cellView(rows), textView(rows)], spacing: 8 }),
  }],
};

/** Prompts by completions; a click chooses one, the first is chosen before. */
function cellView(rows: readonly Row[]): Spec {
  const prompts = new Set(rows.map((row) => row["prompt_id"])).size;
  return {
    height: Math.max(60, 18 * prompts),
    params: [{
      name: "shown",
      select: { type: "point", fields: ["prompt_id", "sample"] },
      value: [{ prompt_id: rows[0]!["prompt_id"], sample: rows[0]!["sample"] }],
    }],
    mark: { type: "rect", cursor: "pointer", cornerRadius: 2 },
    encoding: {
      x: {
        field: "sample",
        type: "ordinal",
        title: "completion of the group",
        axis: { labelAngle: 0, labelOverlap: true },
      },
      y: { field: "label", type: "nominal", title: null, sort: null, axis: { labelLimit: 150, ticks: false } },
      color: {
        field: "reward",
        type: "quantitative",
        title: "reward",
        scale: { scheme: SEQUENTIAL, ...rewardDomain(rows) },
        legend: SCALE_LEGEND,
      },
      stroke: { condition: { param: "shown", value: PALETTE.bad }, value: null },
      strokeWidth: { value: 2 },
      tooltip: ["label", "sample", "reward", "advantage", "tokens", "text"].map((field) => ({ field })),
    },
  };
}

/** Of rewards that are all equal, the colour says where they lie: between 0 and 1, or beside their value. */
function rewardDomain(rows: readonly Row[]): Spec {
  const { count, mean, spread } = moments(numbersOf(rows, "reward"));
  if (count === 0 || spread > 0) return {};
  return { domain: mean >= 0 && mean <= 1 ? [0, 1] : [mean - 1, mean + 1] };
}

/** What was asked and what came of the chosen completion. */
const textView = (rows: readonly Row[]): Spec => ({
  height: 14 * Math.max(...rows.map((row) => String(row["shown_text"]).split("\n").length)),
  transform: [{ filter: { param: "shown", empty: false } }],
  mark: {
    type: "text",
    align: "left",
    baseline: "top",
    lineBreak: "\n",
    fontSize: 11,
    font: "ui-monospace, 'DejaVu Sans Mono', monospace",
    color: PALETTE.ink,
  },
  encoding: { x: { value: 0 }, y: { value: 0 }, text: { field: "shown_text" } },
});

/** The first groups of the last train step. */
function lastGroups(rows: readonly Row[]): Row[] {
  const last = rows.reduce((most, row) => Math.max(most, Number(row["train_step"] ?? 0)), 0);
  const there = rows.filter((row) => Number(row["train_step"] ?? 0) === last);
  const ids = [...new Set(there.map((row) => row["prompt_id"]))].slice(0, MOST_GROUPS);
  return there.filter((row) => ids.includes(row["prompt_id"]) && Number(row["sample"]) < MOST_SAMPLES).map((row) => ({
    train_step: last,
    prompt_id: row["prompt_id"],
    sample: Number(row["sample"]) + 1,
    label: `${row["prompt_id"]} ${firstLine(askedText(String(row["prompt"] ?? "")))}`.trim(),
    reward: row["reward"],
    advantage: row["advantage"],
    tokens: row["completion_tokens"],
    text: String(row["text"] ?? "").slice(0, 400),
    shown_text: wrapped(
      `${askedText(String(row["prompt"] ?? ""))} ▸ ${String(row["text"] ?? "")}${
        row["truncated"] === true ? " ▪ cut off" : ""
      }`,
    ),
  }));
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]!.slice(0, 60);
}

/** Text in lines of at most `LINE` characters; what is beyond the last one is left out with a mark. */
function wrapped(text: string): string {
  const lines = text.split("\n").flatMap((line) => {
    const pieces: string[] = [];
    for (let rest = line; pieces.length <= MOST_LINES;) {
      const cut = rest.length <= LINE
        ? rest.length
        : rest.lastIndexOf(" ", LINE) > LINE / 2
        ? rest.lastIndexOf(" ", LINE)
        : LINE;
      pieces.push(rest.slice(0, cut));
      rest = rest.slice(cut).trimStart();
      if (rest === "") break;
    }
    return pieces;
  });
  return (lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), "…"] : lines).join("\n");
}
