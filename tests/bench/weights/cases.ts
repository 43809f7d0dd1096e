/** Labelled runs as evidence: what the rules say of each, and which causes are right. @module */
import { join } from "node:path";
import { longestRun } from "../slow/longest_run.ts";
import { suspectsOf } from "../../../steps/diagnoses/diagnose_run.ts";
import { evidenceOf, type Suspected } from "../../../steps/diagnoses/differential/evidence.ts";
import { tableView } from "../../../steps/diagnoses/view/table_view.ts";
import { UsageError } from "../../../workflows/terminal/usage_error.ts";
import type { Label } from "../diagnoses.ts";

const ACCEPTED = 0.5; // What naming another accepted cause is worth beside the primary one.

/** A labelled run. */
export interface Case {
  readonly name: string;
  /** The folder that it comes from: runs of one folder have one maker. */
  readonly source: string;
  /** True if the label says that something is wrong. */
  readonly isFaulty: boolean;
  readonly primary: string;
  readonly evidence: readonly Suspected[];
  /** How right each cause of the evidence is: 1 the primary one, less another accepted one, 0 any other. */
  readonly right: readonly number[];
}

/** The case of a label and what the rules found. */
export function caseOf(name: string, source: string, label: Label, evidence: readonly Suspected[]): Case {
  const isFaulty = label.verdict === "faulty";
  const rightness = (cause: string) =>
    !isFaulty ? 0 : cause === label.primary ? 1 : label.causes.includes(cause) ? ACCEPTED : 0;
  return {
    name,
    source,
    isFaulty,
    primary: label.primary,
    evidence,
    right: evidence.map(({ cause }) => rightness(cause)),
  };
}

/** The cases of a folder; runs of which the label says that nothing can be told are left out. Throws UsageError for none. */
export async function readCases(folder: string): Promise<Case[]> {
  const names = [], cases = [], source = folder.split("/").filter(Boolean).at(-1) ?? folder;
  for await (const entry of Deno.readDir(folder)) if (entry.isDirectory) names.push(entry.name);
  for (const name of names.sort()) {
    const path = join(folder, name);
    const text = await Deno.readTextFile(join(path, "label.json")).catch((error) => {
      if (error instanceof Deno.errors.NotFound) return null;
      throw error;
    });
    if (text === null) continue;
    const label: Label = JSON.parse(text), rows = await longestRun(path);
    if (label.verdict === "insufficient" || rows === null) continue;
    cases.push(caseOf(name, source, label, evidenceOf(suspectsOf(tableView(rows)))));
  }
  if (cases.length === 0) throw new UsageError(`Cannot fit to "${folder}": it holds no case with a label.json`);
  return cases;
}
