/** What a person says of a run, as a rule sees it. @module */
import type { RowOf } from "../../../data/tables/row_of.ts";
import type { Place } from "./evidence.ts";

/** A row of `claims`: what a person says of the run. It counts less than a number. */
export interface SaidOf extends
  Place,
  Readonly<
    Pick<
      RowOf<"claims", "value" | "from" | "to">,
      "subject" | "predicate" | "value" | "from" | "to" | "throughout" | "text"
    >
  > {
  /** True of the author's words on this run: neither quoted nor an answer, nor of another run or setting. */
  readonly counts: boolean;
  readonly elsewhere: boolean;
}
