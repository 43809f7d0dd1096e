/** Which lines of which file prove something, and by what words. @module */
import type { DoctorPageRun } from "../../../notebooks/pages/doctor.ts";
import type { Evidence } from "../../../steps/diagnoses/view/evidence.ts";

/** Words by line by file, of all findings of a run and of what its reasons speak of. */
export function proofsOf(
  { findings, pointed = [] }: Pick<DoctorPageRun, "findings" | "pointed">,
): Map<string, Map<number, string[]>> {
  const files = new Map<string, Map<number, string[]>>();
  const rows = [...findings.flatMap(({ evidence }) => evidence ?? []), ...pointed] as readonly Evidence[];
  for (const { source, line, name } of rows) {
    if (source === null || line === null) continue;
    const lines = files.get(source) ?? new Map<number, string[]>();
    files.set(source, lines.set(line, [...lines.get(line) ?? [], name]));
  }
  return files;
}

/** Lines of one record stand this near. */
const NEAR = 60;

/** Proofs of a window of lines: a record that stands in several lines proves by those that have its words. */
export function proofsWithin(
  proofs: ReadonlyMap<number, readonly string[]>,
  from: number,
  texts: readonly string[],
): Map<number, readonly string[]> {
  const within = new Map<number, readonly string[]>();
  const add = (line: number, words: readonly string[]) => within.set(line, [...within.get(line) ?? [], ...words]);
  for (const [line, words] of proofs) {
    const at = line - from;
    if (at < 0 || at >= texts.length) continue;
    add(line, []);
    for (const word of words) {
      const near = texts.slice(at, at + NEAR).findIndex((text) => text.includes(word));
      add(near < 0 ? line : line + near, [word]);
    }
  }
  return within;
}
