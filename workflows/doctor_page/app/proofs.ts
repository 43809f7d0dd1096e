/** Which lines of which file prove something, and by what words. @module */
import type { DoctorPageRun } from "../../../notebooks/pages/doctor.ts";
import type { Evidence } from "../../../steps/diagnoses/view/evidence.ts";

/** Words by line by file, of all findings of a run. */
export function proofsOf({ findings }: Pick<DoctorPageRun, "findings">): Map<string, Map<number, string[]>> {
  const files = new Map<string, Map<number, string[]>>();
  for (const { source, line, name } of findings.flatMap(({ evidence }) => (evidence ?? []) as readonly Evidence[])) {
    if (source === null || line === null) continue;
    const lines = files.get(source) ?? new Map<number, string[]>();
    files.set(source, lines.set(line, [...lines.get(line) ?? [], name]));
  }
  return files;
}
