/** Chart of what the doctor found, as a time line. @module */
import { AREA_LEGEND, type Chart, type Row, type Spec, STEP_AXIS } from "./chart.ts";
import { PALETTE } from "./palette.ts";

/** Severities with their colours, the worst first, here, under charts and on the cards of a page. */
export const SEVERITY_COLORS = {
  fatal: PALETTE.bad,
  error: PALETTE.bad,
  warning: PALETTE.second,
  info: PALETTE.first,
} as const;

export const findings: Chart = {
  title: "Findings",
  about: "Train steps in which each cause held. Causes that begin first explain those that follow.",
  onlyWhereThere: true,
  sources: [{
    reads: "findings",
    needs: ["cause", "severity"],
    uses: ["train_step", "train_steps", "message"],
    rows: spans,
    spec: (_, rows): Spec => ({
      height: 24 * new Set(rows.map((row) => row["cause"])).size,
      mark: { type: "bar", height: 9, cornerRadius: 2, minBandSize: 4 },
      encoding: {
        x: { ...STEP_AXIS, field: "from" },
        x2: { field: "to" },
        y: { field: "cause", type: "nominal", title: null, sort: null, axis: { labelLimit: 235, ticks: false } },
        color: {
          field: "severity",
          type: "nominal",
          scale: severityScale(rows),
          legend: severityLegend(rows),
        },
        tooltip: ["cause", "severity", "from", "to", "message"].map((field) => ({ field })),
      },
    }),
  }],
};

/** The severities that were found, the worst first. */
function severityScale(rows: readonly Row[]): Spec {
  const there = Object.entries(SEVERITY_COLORS).filter(([name]) => rows.some((row) => row["severity"] === name));
  return { domain: there.map(([name]) => name), range: there.map(([, color]) => color) };
}

/** One entry for each colour: of what is fatal and what is an error both names stand at it. */
function severityLegend(rows: readonly Row[]): Spec {
  const { domain } = severityScale(rows) as { domain: string[] };
  return domain.includes("fatal") && domain.includes("error")
    ? {
      ...AREA_LEGEND,
      values: domain.filter((name) => name !== "error"),
      labelExpr: "datum.label === 'fatal' ? 'fatal, error' : datum.label",
    }
    : AREA_LEGEND;
}

/** Each cause with its spans of neighbouring train steps, in the order they begin. A finding without steps holds at its own. */
export function spans(rows: readonly Row[]): Row[] {
  const causes = Map.groupBy(rows, (row) => String(row["cause"]));
  const spans = [...causes].flatMap(([cause, members]) => {
    const steps = [...new Set(members.flatMap(stepsOf))].sort((a, b) => a - b);
    const { severity, message } = members[0]!, gap = usualGap(steps);
    const begins = steps.filter((step, i) => i === 0 || step - steps[i - 1]! > gap);
    return begins.map((from, i) => {
      const to = steps.filter((step) => step < (begins[i + 1] ?? Infinity)).at(-1)!;
      return { cause, severity, message, from, to: to + 1, train_step: from };
    });
  });
  return spans.sort((a, b) => a.from - b.from);
}

function stepsOf(row: Row): number[] {
  const listed = Array.from((row["train_steps"] ?? []) as ArrayLike<number>);
  const own = row["train_step"];
  return listed.length ? listed : typeof own === "number" ? [own] : [];
}

/** Steps of a log that prints every tenth are neighbours too. */
function usualGap(steps: readonly number[]): number {
  const gaps = steps.slice(1).map((step, i) => step - steps[i]!).sort((a, b) => a - b);
  return 2 * (gaps[Math.floor(gaps.length / 2)] ?? 1);
}
