/** What a chart is: the question it answers, the tables it can be drawn from, and a Vega-Lite specification without data. @module */
import { type Column, type TableName, TABLES } from "../../data/columns.ts";

/** Column that says which phase of a run a row belongs to. */
export const PHASE = "phase";

/** Marks a row that counts for a median and is not drawn itself: a picture has no room for all of a long run. */
export const THINNED = "thinned";

/** What was trained in a phase, as the column says it. */
export type Phase = "sft" | "rollout" | "preference" | "reward_model";

/** What is drawn: a row of a table, or one made from several. */
export type Row = Readonly<Record<string, unknown>>;

/** A part of a Vega-Lite specification. */
export type Spec = Readonly<Record<string, unknown>>;

/** How one metric is drawn also where its chart is not: beside those of other runs. */
export interface MetricLook {
  readonly title: string;
  /** Title of the axis where the dictionary has no unit. */
  readonly y: string;
  /** The least that y spans. */
  readonly span?: number | undefined;
}

/** One table that a chart can be drawn from, and how. */
export interface Source {
  readonly reads: TableName;
  /** What the reader is told besides of this drawing: of bands, say, where another source has lines. */
  readonly about?: string | ((rows: readonly Row[]) => string);
  /** Columns without which nothing can be drawn. */
  readonly needs: readonly string[];
  /** Columns that are drawn where they are there; of a source that needs train_step alone at least one must be. `x.*` names all that begin so. */
  readonly uses: readonly string[];
  /** What is drawn, made from the table's rows in their order; the rows themselves where absent. `tables` are the run's others. */
  readonly rows?: (rows: readonly Row[], tables?: ChartTables) => readonly Row[];
  /** What is drawn over something else than train steps: a page neither zooms nor hovers it, and no finding lies under it. */
  readonly elsewhere?: boolean;
  /** Something in it can be clicked: a page draws it as a live view, not as a picture. */
  readonly clicked?: boolean;
  /** The drawing, given the columns that have a value: a legend names no line that is not there. */
  readonly spec: (measured: ReadonlySet<string>, rows: readonly Row[]) => Spec;
}

export interface Chart {
  readonly title: string;
  /** One sentence for the reader: what the values are, what a healthy run looks like. */
  readonly about: string;
  /** What more is said where a phase of the run has values: what they mean differs with what is trained. */
  readonly aboutPhase?: Readonly<Partial<Record<Phase, string>>>;
  /** How each metric that it shows is called, and how it is drawn alone. */
  readonly metrics?: Readonly<Record<string, MetricLook>>;
  /** What it can be drawn from, the one that tells most first. */
  readonly sources: readonly [Source, ...Source[]];
  /** Phases of a run share the scale of y: their values are of one kind. */
  readonly sharedScale?: boolean;
  /** Left out of a report whose run has none of its columns, without a word: few runs have a critic. */
  readonly onlyWhereThere?: boolean;
}

/** The rows of a run by table, as far as there are any. */
export type ChartTables = Readonly<Partial<Record<TableName, readonly Row[]>>>;

/** Train steps are counted: no tick stands between two of them. */
export const STEP_AXIS = {
  field: "train_step",
  type: "quantitative",
  title: "train step",
  axis: { tickMinStep: 1, format: "d" },
  scale: { zero: false, nice: false },
} as const;

/** What an axis of a column is called: its unit as the dictionary has it, else `name`. */
export function unitOf(table: TableName, column: string, name: string): string {
  const columns: Readonly<Record<string, Column>> = TABLES[table];
  return columns[column]?.unit || name;
}

/** The scale of a heat map's colours, above the drawing. */
export const SCALE_LEGEND = {
  orient: "top",
  direction: "horizontal",
  gradientLength: 160,
  titleOrient: "left",
  titleFontWeight: "normal",
  format: ".3~g",
} as const;

/** A legend of areas and bars above the drawing. */
export const AREA_LEGEND = { title: null, orient: "top", symbolType: "square" } as const;

/** A legend of lines above the drawing. */
export const LINE_LEGEND = {
  title: null,
  orient: "top",
  symbolType: "stroke",
  symbolOpacity: 1,
  symbolStrokeWidth: 2,
  labelLimit: 320,
} as const;
