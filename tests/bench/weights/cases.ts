/** Labelled runs as evidence: what the rules say of each, and which causes are right. @module */
import { accepts, type Label, labelledCases } from "../labelled/cases.ts";
import { longestRun } from "../labelled/longest_run.ts";
import { suspectsOf } from "../../../steps/diagnoses/diagnose_run.ts";
import { evidenceOf, type Suspected } from "../../../steps/diagnoses/differential/evidence.ts";
import { tableView } from "../../../steps/diagnoses/view/table_view.ts";

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
  const rightness = (cause: string) => isFaulty && cause === label.primary ? 1 : accepts(label, cause) ? ACCEPTED : 0;
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
  const cases = [], source = folder.split("/").filter(Boolean).at(-1) ?? folder;
  for (const { name, path, label } of labelledCases(folder)) {
    const rows = label.verdict === "insufficient" ? null : await longestRun(path);
    if (rows !== null) cases.push(caseOf(name, source, label, evidenceOf(suspectsOf(tableView(rows)))));
  }
  return cases;
}
