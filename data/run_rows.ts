/** The tables of one run as the doctor reads them, ours or another system's. @module */
import type { ColumnTable } from "arquero";
import type { TableName } from "./columns.ts";

/** Whether `reward_std` is measured within groups (TRL up to 0.26) or over the batch (TRL from 0.27). */
export type RewardStdScope = "group" | "batch" | "unknown";

/** How a column of a foreign log was printed. */
export interface PrintedColumn {
  /** Its names there, the most used one first. */
  readonly names: readonly string[];
  /** Fewest decimals it was printed with (0.000 with 3 is not 0), or null for full precision. */
  readonly decimals: number | null;
  /** What its values were multiplied by as they were read: seconds are kept in ms, percent as shares. Absent for 1. */
  readonly factor?: number;
}

/** A cell that prose tells, and no log prints. */
export interface ToldPlace {
  readonly source: string;
  readonly line: number;
  /** The train step that is told of it; null where none is: that of its record is then nobody's word. */
  readonly trainStep: number | null;
  /** False of a cell that stands for more of what is told, as those between the ends of a course do. */
  readonly isPoint: boolean;
}

type ToldCells = ReadonlyMap<string, ReadonlyMap<number, ToldPlace>>;

/** What holds for a foreign log as a whole. */
export interface LogFacts {
  readonly system: string | null;
  readonly algorithm: string | null;
  /** True if the train steps were printed, or follow from what was; false if they are record numbers. */
  readonly stepsPrinted: boolean;
  readonly rewardStdScope: RewardStdScope;
  readonly printed: ReadonlyMap<string, PrintedColumn>;
  /** Cells of `metrics` that prose tells, by column and record, with where it does; absent of a log without any. */
  readonly told?: ToldCells;
  /** It is a post: people write of the run, and paste what they have. */
  readonly isPost?: true;
  /** Evaluation records: one row each, with the names of `metrics`, and where it is written. */
  readonly evaluations: {
    readonly table: ColumnTable;
    readonly printed: ReadonlyMap<string, PrintedColumn>;
    readonly told?: ToldCells;
  };
}

/**
 * Where `metrics`, `settings`, `messages` and `completions` of a log come from stands in their columns `source` and
 * `line`. A table that a run does not have is absent.
 */
export interface RunRows {
  readonly tables: Readonly<Partial<Record<TableName, ColumnTable>>>;
  /** Null for a run of ours: its tables say everything. */
  readonly log: LogFacts | null;
}
