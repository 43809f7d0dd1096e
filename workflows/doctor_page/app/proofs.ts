/** Which lines of which file prove something, and by what words. @module */
import type { DoctorPageRun } from "../../../notebooks/pages/doctor.ts";
import { heldBy, type Proof } from "./marked_parts.ts";
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
    const record = recordAt(texts, at);
    for (const proof of some) add(line + lineOf(record, proof), [proof]);
  }
  return within;
}

/** Which line of a record proves: the one that has name and value, else its first with the value, else one that has either. */
function lineOf(record: readonly string[], proof: Proof): number {
  const held = record.map((text) => heldBy(text, proof)), [own] = held;
  const both = held.findIndex(({ name, value }) => name && value);
  if (both >= 0 || own?.value) return Math.max(0, both);
  const named = held.findIndex(({ name }) => name);
  return Math.max(0, named >= 0 ? named : held.findIndex(({ value }) => value));
}

const RULE = /^\s*(?:`{3,}|~{3,})/, ROW = /[|│┃]|^\s*[+┌├└╭╰┏┡┗╔╠╚]/;
/** A row of a table that has no lines between its columns: numbers alone. */
const NUMBERS = /^(?:\s*[-+]?(?:\d[\d.,e+%-]*|nan|inf)(?:\s|[,;]|$))+$/i;

/** The lines of the record that begins in one: of an object or a table to its end, else up to an empty line. */
function recordAt(texts: readonly string[], at: number): readonly string[] {
  const first = texts[at]!, isRow = ROW.test(first);
  let depth = depthOf(first);
  const isOpen = depth > 0;
  if (NUMBERS.test(first) || !isOpen && /^\s*\{/.test(first)) return [first];
  let to = at + 1;
  for (const last = Math.min(texts.length, at + NEAR); to < last; to++) {
    const text = texts[to]!;
    depth += depthOf(text);
    if (isOpen && depth <= 0) return texts.slice(at, to + 1);
    if (!isOpen && (depth < 0 || text.trim() === "" || RULE.test(text) || isRow !== ROW.test(text))) break;
  }
  return texts.slice(at, to);
}

/** Brackets of objects and lists that a line opens, less those that it closes. */
const depthOf = (text: string) => (text.match(/[{[]/g) ?? []).length - (text.match(/[}\]]/g) ?? []).length;
