/** The statements that the reasons of a verdict speak of, where they stand: what a person looks up where nothing was found. @module */
import { claimEvidence } from "../../steps/diagnoses/told/claimed.ts";
import type { Evidence } from "../../steps/diagnoses/view/evidence.ts";
import type { RunView } from "../../steps/diagnoses/view/run_view.ts";

/** Letters of a statement that a reason quotes at least. */
const QUOTED = 20;

/** Each statement of the author that a reason names by its line, quoted where several stand there. */
export function pointedAt({ claims }: Pick<RunView, "claims">, reasons: readonly string[]): Evidence[] {
  return reasons.flatMap((reason) => {
    const there = claims.filter(({ counts, line }) => counts && line !== null && reason.startsWith(`line ${line} `));
    const said = there.find(({ text }) => reason.includes(text.trim().slice(0, QUOTED))) ??
      there.find(({ subject, predicate }) => reason.includes(`${subject.replaceAll("_", " ")} ${predicate}`)) ??
      there[0];
    return said === undefined ? [] : [claimEvidence(said)];
  });
}
