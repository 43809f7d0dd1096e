/** The prompts of a run that a person may try: those it was not trained on. @module */
import type { RunFolder } from "../../data/open_run_folder.ts";
import { columnArray } from "../../data/tables/mod.ts";
import { printable } from "../terminal/terminal.ts";

const SHORT = 60; // Longest prompt that is worth printing in a command, characters.

/** Held-out prompts of a run, in their order; those of another split where it held none out. */
export function ownPrompts(run: RunFolder): string[] {
  const table = run.table("prompts");
  if (!table.numRows()) return [];
  const prompts = Array.from(columnArray(table, "prompt"), String);
  const splits = Array.from(columnArray(table, "split"), String);
  for (const split of ["held_out", "validation"]) {
    if (splits.includes(split)) return prompts.filter((_, row) => splits[row] === split);
  }
  return prompts;
}

/** The first of them that a person can read and paste in one line; null where there is none. */
export function promptToPaste(run: RunFolder): string | null {
  return ownPrompts(run).find((text) => text !== "" && text.length <= SHORT && printable(text) === text) ?? null;
}
