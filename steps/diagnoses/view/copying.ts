/** How much of what is written is copied from its prompt, over the printed train steps. @module */
import { mean } from "./numbers.ts";
import type { Completion, RunView } from "./run_view.ts";
import { MOST_TEXTS } from "./texts.ts";

/** Characters that stand in both texts and are no accident; a text of twice as many has a share of them. */
const PIECE = 16;
const LONGEST = 4096; // Characters of a text that are looked at.
/** Printed train steps of which a third is a beginning and a third an end. */
export const PRINTED_STEPS = 6;

/** Share of a text's pieces that stand in its prompt; null where either is too short for one. */
export function copiedShare(prompt: string, text: string): number | null {
  const [asked, said] = [plain(prompt), plain(text)];
  if (asked.length < 2 * PIECE || said.length < 2 * PIECE) return null;
  const known = new Set(piecesOf(asked)), pieces = piecesOf(said);
  return pieces.filter((piece) => known.has(piece)).length / pieces.length;
}

const plain = (text: string) => text.slice(0, LONGEST).toLowerCase().replace(/\s+/g, " ").trim();

function piecesOf(text: string): string[] {
  return Array.from({ length: text.length - PIECE + 1 }, (_, at) => text.slice(at, at + PIECE));
}

/** The first and the last third of what is measured of single completions, by printed train steps. */
interface Thirds {
  /** A value per train step. */
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** First train step of the last third. */
  readonly since: number;
}

/** Null where completions of fewer than six train steps have a value. */
export function thirdsOf(rows: readonly Completion[], measure: (row: Completion) => number | null): Thirds | null {
  if (new Set(rows.map(({ trainStep }) => trainStep)).size < PRINTED_STEPS) return null;
  const byStep = new Map<number, number[]>();
  for (const row of spread(rows)) {
    const value = row.trainStep === null ? null : measure(row);
    if (value !== null) byStep.set(row.trainStep!, [...byStep.get(row.trainStep!) ?? [], value]);
  }
  const steps = [...byStep.keys()].sort((a, b) => a - b), third = Math.floor(steps.length / 3);
  if (steps.length < PRINTED_STEPS) return null;
  const levels = steps.map((step) => mean(byStep.get(step)!));
  return { first: levels.slice(0, third), last: levels.slice(-third), since: steps.at(-third)! };
}

/** Of very many completions some of every part of the run: texts cost more than numbers. */
function spread(rows: readonly Completion[]): readonly Completion[] {
  const every = Math.ceil(rows.length / MOST_TEXTS);
  return every <= 1 ? rows : rows.filter((_, i) => i % every === 0);
}

/** The copied share of the beginning and of the end of a run. */
export function copying(view: RunView): Thirds | null {
  return view.memo(
    "copying",
    () => thirdsOf(view.completions, ({ prompt, text }) => prompt === null ? null : copiedShare(prompt, text)),
  );
}
