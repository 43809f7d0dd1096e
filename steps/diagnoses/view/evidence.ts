/** What proves a finding, and where it is written. @module */
import type { TableName } from "../../../data/columns.ts";

/** Where something is written: the table of a run of ours, or the file and line of a log. */
export interface Place {
  readonly table?: TableName;
  readonly source: string | null;
  readonly line: number | null;
  /** The name as printed there. */
  readonly printed?: string;
  /** What the value printed there was multiplied by; absent for 1. */
  readonly factor?: number;
}

/** One row that proves a finding: table, train step and column of a run of ours; file, line and printed name of a log. */
export interface Evidence extends Omit<Place, "printed" | "factor"> {
  readonly train_step: number | null;
  readonly name: string;
  readonly value: number | string | boolean | null;
  readonly note?: string;
}

const DIGITS = 15; // Of a float64 that a product and its quotient keep.

/** A value as it stands at its place: a person who looks there finds it. */
export function asPrinted(value: number | null, place: Place | null): number | null {
  const factor = place?.factor ?? 1;
  return value === null || factor === 1 ? value : Number((value / factor).toPrecision(DIGITS));
}

/** The part of an evidence row that says where it is written. */
export function placeOf(place: Place | null): Pick<Evidence, "table" | "source" | "line"> {
  return {
    ...(place?.table === undefined ? {} : { table: place.table }),
    source: place?.source ?? null,
    line: place?.line ?? null,
  };
}
