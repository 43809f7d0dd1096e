/** Which lines of which file prove something, and by what words. @module */
import type { DoctorPageRun } from "../../../notebooks/pages/doctor.ts";
import type { Proof } from "./marked_parts.ts";
import type { Evidence } from "../../../steps/diagnoses/view/evidence.ts";

/** What proves something by line by file, of all findings of a run and of what its reasons speak of. */
export function proofsOf(
  { findings, pointed = [] }: Pick<DoctorPageRun, "findings" | "pointed">,
): Map<string, Map<number, Proof[]>> {
  const files = new Map<string, Map<number, Proof[]>>();
  const rows = [...findings.flatMap(({ evidence }) => evidence ?? []), ...pointed] as readonly Evidence[];
  for (const { source, line, name, value } of rows) {
    if (source === null || line === null) continue;
    const lines = files.get(source) ?? new Map<number, Proof[]>();
    files.set(source, lines.set(line, [...lines.get(line) ?? [], { name, value }]));
  }
  return files;
}

/** Lines of one record stand this near. */
const NEAR = 60;

/** Proofs of a window of lines: a record that stands in several lines proves by those that have its words. */
export function proofsWithin(
  proofs: ReadonlyMap<number, readonly Proof[]>,
  from: number,
  texts: readonly string[],
): Map<number, readonly Proof[]> {
  const within = new Map<number, readonly Proof[]>();
  const add = (line: number, more: readonly Proof[]) => within.set(line, [...within.get(line) ?? [], ...more]);
  for (const [line, some] of proofs) {
    const at = line - from;
    if (at < 0 || at >= texts.length) continue;
    add(line, []);
    for (const proof of some) {
      const near = texts.slice(at, at + NEAR).findIndex((text) => text.includes(proof.name));
      add(near < 0 ? line : line + near, [proof]);
    }
  }
  return within;
}
