/** The differential on a terminal: each cause with a bar of its probability, and the look that decides. @module */
import type { Likely } from "../../steps/diagnoses/differential/differential.ts";
import type { Screen } from "../terminal/terminal.ts";
import { type Examined, withinPath } from "./examined.ts";
import { field, wrappedFigures } from "./field.ts";
import { firstCause, type Possible, possibleCauses, probabilityText } from "./possible.ts";

/** Characters of a bar, of a whole. */
const BAR = 10;
const PERCENT = 5; // Characters of the longest probability.
const NARROWEST = 30; // Columns of text, however narrow the terminal says it is.

/** Every cause that is possible with a bar for its probability, the first finding first; none where it stands alone. */
export function likelyLines(examined: Examined, out: Screen, all: boolean): string[] {
  const first = firstCause(examined, all), others = possibleCauses(examined, all);
  if (others.length === 0) return [];
  const name = examined.diagnosis.findings.length ? "Likely" : "Perhaps", indent = 2 + 10 + BAR + 1 + PERCENT + 2;
  return [...first === null ? [] : [first], ...others].flatMap((entry, i) => {
    const { cause, probability } = entry, isFirst = entry === first;
    const why = isFirst || entry.why === "" ? "" : `: ${withinPath(examined, entry.why)}`;
    const [head = "", ...rest] = wrappedFigures(cause + why, Math.max(NARROWEST, out.columns - indent - 1));
    const bar = "█".repeat(Math.max(1, Math.round(BAR * probability)));
    const percent = probabilityText(probability).padStart(PERCENT);
    return [
      `  ${out.style((i ? "" : name).padEnd(10), "dim")}${bar.padEnd(BAR)} ${percent}  ${
        isFirst ? out.style(head, "bold") : head
      }`,
      ...rest.map((line) => " ".repeat(indent) + line),
    ];
  });
}

/** The look that decides; with `all` that for each cause, and what speaks for and against each. */
export function differentialLines(examined: Examined, out: Screen, all: boolean): string[] {
  const first = firstCause(examined, all), others = possibleCauses(examined, all);
  const causes = [...first === null ? [] : [first], ...others].filter(({ look }) => look !== null);
  const [decisive, ...more] = causes;
  if (decisive === undefined) return all ? weightLines(examined, out) : [];
  const lines = lookLines(decisive, out), told = new Set([aboutOf(decisive)]);
  if (!all) return lines;
  for (const other of more) {
    if (saysTheSame(decisive, other)) continue;
    lines.push(...lookLines(told.has(aboutOf(other)) ? shortened(other) : other, out));
    told.add(aboutOf(other));
  }
  return [...lines, ...weightLines(examined, out)];
}

/** A look between two causes decides for both: it is said once. */
function saysTheSame(first: Possible, other: Possible): boolean {
  return aboutOf(first) === aboutOf(other) && first.look!.includes(other.cause);
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
