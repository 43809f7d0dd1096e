/** Counts which verifiers read the answers of a data set. @module */
import { readBoxes } from "../boxes/read_boxes.ts";
import type { Row } from "../datasets/row_batch.ts";
import { PLAIN_VERIFIERS } from "../tasks/verifiers/mod.ts";
import type { Verifier } from "../tasks/verifiers/verifier.ts";

/** Answers that every verifier is asked about. */
const MOST_ASKED = 20_000;
const VERIFIERS = Object.entries(PLAIN_VERIFIERS) as [string, Verifier][];
const DEFAULTS = new Map(VERIFIERS.map(([, one]) => [one, one.params.parse({})]));

export class ReadableAnswers {
  readonly #by: Record<string, number> = Object.fromEntries(VERIFIERS.map(([name]) => [name, 0]));
  #asked = 0;

  /** Whether the verifier `own` cannot read the answer; false for one that is blank, and beyond the first thousands. */
  add(answer: string, row: Row, own: string | undefined): boolean {
    if (this.#asked === MOST_ASKED) return false;
    this.#asked++;
    const isOfBoxes = isRead(PLAIN_VERIFIERS.boxes, answer, row) && readBoxes(answer).boxes.length > 0;
    let isUnread = false;
    for (const [name, verifier] of VERIFIERS) {
      const reads = isRead(verifier, answer, row);
      if (reads && !(isOfBoxes && verifier.findsOneValue)) this.#by[name]!++;
      if (!reads && name === own && answer.trim() !== "") isUnread = true;
    }
    return isUnread;
  }

  /** Null where nothing was asked. */
  end(): { readonly answers: number; readonly by: Readonly<Record<string, number>> } | null {
    return this.#asked > 0 ? { answers: this.#asked, by: this.#by } : null;
  }
}

function isRead(verifier: Verifier, answer: string, row: Row): boolean {
  return answer !== "" && verifier.problem(answer, DEFAULTS.get(verifier), row) === null;
}
