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
  const told = new Set(first?.look == null ? [] : [aboutOf(first)]);
  for (const other of others) {
    const head = `${probabilityText(other.probability)} ${other.cause}: ${withinPath(examined, other.why)}`;
    lines.push(...field(examined.diagnosis.findings.length ? "Or" : "Perhaps", head, out));
    if (other.look === null || saysTheSame(first, other)) continue;
    lines.push(...lookLines(told.has(aboutOf(other)) ? shortened(other) : other, out));
    told.add(aboutOf(other));
  }
  return all ? [...lines, ...weightLines(examined, out)] : lines;
}

/** A look between two causes decides for both: it is said once. */
function saysTheSame(first: Possible | null, other: Possible): boolean {
  if (first?.look == null || other.look === null) return false;
  return aboutOf(first) === aboutOf(other) && first.look.includes(other.cause);
}

/** What is done in a look. */
const aboutOf = ({ look }: Possible) => look?.split(": ")[0] ?? "";

/** A look that stands above already: what it shows here. */
const shortened = (other: Possible): Possible => ({
  ...other,
  look: `the same: ${other.look!.slice(aboutOf(other).length + 2)}`,
  how: [],
});

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
