/** What proves a finding, and where it is written. @module */
import type { TableName } from "../../../data/columns.ts";

/** Where something is written: the table of a run of ours, or the file and line of a log. */
export interface Place {
  readonly table?: TableName;
  readonly source: string | null;
  readonly line: number | null;
  /** The name as printed there. */
  readonly printed?: string;
}

/** One row that proves a finding: table, train step and column of a run of ours; file, line and printed name of a log. */
export interface Evidence extends Omit<Place, "printed"> {
  readonly train_step: number | null;
  readonly name: string;
  readonly value: number | string | boolean | null;
  readonly note?: string;
}

/** The part of an evidence row that says where it is written. */
export function placeOf(place: Place | null): Pick<Evidence, "table" | "source" | "line"> {
  return {
    ...(place?.table === undefined ? {} : { table: place.table }),
    source: place?.source ?? null,
    line: place?.line ?? null,
  };
}
