/** The differential on a terminal: a line for each runner-up, with the look that decides. @module */
import type { Likely } from "../../steps/diagnoses/differential/differential.ts";
import type { Screen } from "../terminal/terminal.ts";
import { type Examined, withinPath } from "./examined.ts";
import { field } from "./field.ts";
import { confirmation, type Possible, possibleCauses, probabilityText } from "./possible.ts";

/** How to confirm the first finding, and what it may be in its place; with `all` what speaks for and against each. */
export function differentialLines(examined: Examined, out: Screen, all: boolean): string[] {
  const first = confirmation(examined), others = possibleCauses(examined, all);
  const lines = first === null || first.look === null ? [] : lookLines(first, out);
  for (const other of others) {
    const head = `${probabilityText(other.probability)} ${other.cause}: ${withinPath(examined, other.why)}`;
    lines.push(...field(examined.diagnosis.findings.length ? "Or" : "Perhaps", head, out));
    if (other.look !== null && !saysTheSame(first, other)) lines.push(...lookLines(other, out));
  }
  return all ? [...lines, ...weightLines(examined, out)] : lines;
}

/** A look between two causes decides for both: it is said once. */
function saysTheSame(first: Possible | null, other: Possible): boolean {
  if (first?.look == null || other.look === null) return false;
  return first.look.split(": ")[0] === other.look.split(": ")[0] && first.look.includes(other.cause);
}

function lookLines({ look, how }: Possible, out: Screen): string[] {
  return [...field("Look", look!, out), ...how.flatMap((line) => field("", line, out))];
}

/** Every cause with its evidence and what it weighs, in nats. */
function weightLines({ diagnosis }: Examined, out: Screen): string[] {
  return diagnosis.differential.flatMap((entry: Likely) => [
    ...field("Weighed", `${probabilityText(entry.probability)} ${entry.cause}`, out),
    ...[...entry.for, ...entry.against].flatMap(({ says, weight }) =>
      field("", `${weight < 0 ? "" : "+"}${weight} ${says}`, out)
    ),
  ]);
}
