/** Which built-in verifier reads completions that the verifier in force rejects. @module */
import { PLAIN_VERIFIERS, type VerifierName } from "../../../data/tasks/verifiers/mod.ts";
import type { Verifier } from "../../../data/tasks/verifiers/verifier.ts";
import { holdsGold } from "./gold.ts";
import { MOST_TEXTS } from "./texts.ts";
import type { Completion, RunView } from "./run_view.ts";

/** Rejected completions with an answer; the share of them, and of those that end in it, that another verifier accepts. */
const KNOWN = 4, LARGE = 0.2, HELD = 0.5;
const REWARD = "verifier"; // The reward that asks the verifier: one of a person's own would not change with it.

interface Reader {
  readonly name: VerifierName;
  /** Share of the rejected completions that it accepts, and how many these are. */
  readonly share: number;
  readonly known: number;
  /** One that it accepts. */
  readonly example: Completion;
}

/** The verifier that accepts most of what the one in force rejects; null where none accepts a large share. */
export function readerOf(view: RunView): Reader | null {
  if (view.imported || view.verifier === null || !Object.hasOwn(PLAIN_VERIFIERS, view.verifier)) return null;
  const rejected = view.completions.slice(0, MOST_TEXTS).filter((row) =>
    row.answer !== null && row.answer.trim() !== "" && row.rewards[REWARD] === 0 && row.correct === false
  );
  if (rejected.length < KNOWN) return null;
  const held = rejected.filter((row) => holdsGold(row) === true).length;
  const found = Object.entries(PLAIN_VERIFIERS as Readonly<Record<string, Verifier>>)
    .filter(([name]) => name !== view.verifier)
    .map(([name, verifier]) => ({ name: name as VerifierName, read: accepted(verifier, rejected) }))
    .toSorted((a, b) => b.read.length - a.read.length)[0]!;
  const { name, read } = found, share = read.length / rejected.length;
  if (share < LARGE || read.length < HELD * held) return null;
  return { name, share, known: rejected.length, example: read[0]! };
}

/** The completions that a verifier accepts by its own defaults; none where it cannot read every answer, or runs code. */
function accepted(verifier: Verifier, rows: readonly Completion[]): Completion[] {
  const options = verifier.params.safeParse({}), { verify } = verifier;
  if (verify === undefined || !options.success) return [];
  const asked = ({ promptId, prompt, answer }: Completion) => ({ prompt_id: promptId, prompt, answer: answer! });
  if (rows.some((row) => verifier.problem(row.answer!, options.data, asked(row)) !== null)) return [];
  return rows.filter((row) => verify(row.text, asked(row), options.data));
}
