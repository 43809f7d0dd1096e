/** Records of a post that are printed, by the file that prints them: what people tell beside them is no record. @module */
import { printedOnes } from "../../steps/diagnoses/view/on_records.ts";
import type { RunView } from "../../steps/diagnoses/view/run_view.ts";

/** How many records each file prints. */
export function printedBySource(view: RunView): Map<string, number> {
  const columns = [...view.columns], counts = new Map<string, number>();
  for (const record of printedOnes(view)) {
    const [name] = columns.find(([name, cells]) => (cells[record] ?? null) !== null && !view.isTold(name, record))!;
    const { source } = view.evidence(name, record);
    if (source !== null) counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  return counts;
}

/** Which values of a column are told and not printed; nothing where none is. */
export function toldOf(view: RunView, name: string): { readonly told?: readonly boolean[] } {
  const told = view.isPost ? view.trainSteps.map((_, record) => view.isTold(name, record)) : [];
  return told.includes(true) ? { told } : {};
}
