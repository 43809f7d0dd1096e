/** The table `completions` as a critic reads it. @module */
import type { ColumnTable } from "arquero";
import { groupRows } from "../../data/statistics/mod.ts";
import { columnArray } from "../../data/tables/mod.ts";
import type { Sequences } from "../../gpu/language_model.ts";
import type { Policy } from "../resources/policy.ts";

/** A column as a list of rows. Throws a RangeError that says which step writes it. */
export function completionColumn<Value>(
  completions: ColumnTable,
  name: string,
  { what, before }: { readonly what: string; readonly before: string },
): Value[] {
  if (completions.column(name)) return Array.from(columnArray(completions, name) as ArrayLike<Value>);
  throw new RangeError(`Cannot ${what}: table "completions" has no column "${name}"; run ${before} before`);
}

/** Prompts and completions; a prompt is computed once for its group where groups are of one size and stand together. */
export function completionSequences(completions: ColumnTable, policy: Policy): Sequences {
  const texts = columnArray(completions, "prompt") as ArrayLike<string>;
  const tokens = Array.from(columnArray(completions, "token_ids") as ArrayLike<ArrayLike<number>>);
  const groups = groupRows(completions), size = groups[0]?.length ?? 1;
  const together = groups.every((rows) => rows.length === size && rows.every((row, i) => row === rows[0]! + i));
  const heads = together ? groups.map(([first]) => first!) : tokens.map((_, row) => row);
  return policy.sequences(heads.map((row) => texts[row]!), tokens);
}
