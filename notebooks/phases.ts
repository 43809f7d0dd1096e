/** Draws the phases of a run side by side, each over its own train steps: a long warm start must not squeeze the rest. @module */
import { type Chart, PHASE, type Phase, type Row, type Source, type Spec } from "./charts/chart.ts";

/** What a reader calls the phases of the table `metrics`. */
const NAMES: Readonly<Record<Phase, string>> = {
  sft: "warm start, supervised",
  rollout: "reinforcement",
  preference: "preferences",
  reward_model: "reward model",
};

/** The phases that have a value of the chart, by the name a reader knows, in the order they began. */
export function phasesOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.map((row) => phaseName(row[PHASE])))];
}

/** Readable name of a phase; the empty text where a row has none. */
export function phaseName(phase: unknown): string {
  return phase === null || phase === undefined ? "" : NAMES[phase as Phase] ?? String(phase);
}

/** What stands under a chart's title: what it is, and what is to be said of the phases that have values of it. */
export function captionOf(chart: Chart, rows: readonly Row[], source?: Source): string {
  const there = new Set(rows.map((row) => row[PHASE]));
  const said = Object.entries(chart.aboutPhase ?? {}).filter(([phase]) => there.has(phase));
  const own = typeof source?.about === "function" ? source.about(rows) : source?.about;
  return [chart.about, ...own ? [own] : [], ...said.map(([, text]) => text)].join(" ");
}

/** Room for an axis and its title, in units of the drawing. */
const AXIS = 50, GAP = 14;

/** A chart's specification as one panel per phase, together as wide as a chart of one: `width` and its axis. */
export function panels(
  spec: Spec,
  phases: readonly string[],
  sharedScale: boolean,
  { width, height }: { width: number; height: number },
) {
  const axes = sharedScale ? 0 : AXIS * (phases.length - 1);
  const each = Math.round((width - axes - GAP * (phases.length - 1)) / phases.length);
  return {
    facet: { column: { field: PHASE, type: "nominal", title: null, sort: phases, header: HEADER } },
    spacing: { column: GAP },
    spec: { width: each, height, ...spec },
    resolve: { scale: { x: "independent", y: sharedScale ? "shared" : "independent" } },
  } satisfies Spec;
}

const HEADER = { labelAnchor: "start", labelFontSize: 11, labelFontWeight: "bold", labelPadding: 6 } as const;
