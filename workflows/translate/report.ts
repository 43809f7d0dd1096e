/** The list of what became of every option, for a terminal and for the head of the file. @module */
import { padded, shortened, textWidth, wrapped } from "../terminal/text_width.ts";
import { printable } from "../terminal/terminal.ts";
import type { Class, Outcome, Settings } from "./table.ts";
import { WITH } from "./workflow_file.ts";
import { shownValue } from "./written.ts";

/** Sections in the order in which they are printed. */
const SECTIONS: readonly { readonly title: string; readonly class: Class; readonly written: boolean }[] = [
  { title: "Translated", class: "translated", written: true },
  { title: "Set because SYSTEM does so where nothing is said", class: "translated", written: false },
  { title: "Equal by default: nothing to set", class: "equal", written: true },
  { title: "Not supported", class: "not_supported", written: true },
  { title: "Not supported, by SYSTEM's default", class: "not_supported", written: false },
  { title: "Unknown to the translation", class: "unknown", written: true },
];

/** Columns of `option = value`, and the least that what follows gets. */
const OPTION_COLUMNS = 44;
const LEAST = 24;

/** Entries of a section that are listed: all of any real file. */
const MOST = 1000;
const MOST_UNKNOWN = 100;

/** How many options have each class, of those that the file holds. */
export function classCounts(outcomes: readonly Outcome[]): Readonly<Record<Class, number>> {
  const counts: Record<Class, number> = { translated: 0, equal: 0, not_supported: 0, unknown: 0 };
  for (const { class: kind, line, option } of outcomes) if (line > 0 || !isDefault({ line, option })) counts[kind]++;
  return counts;
}

const isDefault = ({ line }: Pick<Outcome, "line" | "option">) => line === 0;

/** The list in `width` columns; `title` styles the head of a section. */
export function reportLines(
  outcomes: readonly Outcome[],
  system: string,
  width: number,
  title: (text: string) => string = (text) => text,
): string[] {
  const lines: string[] = [];
  for (const section of SECTIONS) {
    const own = outcomes.filter((outcome) => outcome.class === section.class && isDefault(outcome) !== section.written);
    if (own.length === 0) continue;
    if (lines.length > 0) lines.push("");
    lines.push(title(`${section.title.replace("SYSTEM", system)} (${own.length})`));
    const left = Math.min(
      OPTION_COLUMNS,
      Math.floor(width * 0.45),
      Math.max(...own.slice(0, MOST).map((outcome) => textWidth(head(outcome)))),
    );
    const shown = own.slice(0, section.class === "unknown" ? MOST_UNKNOWN : MOST);
    for (const outcome of shown) lines.push(...entryLines(outcome, left, width));
    if (own.length > shown.length) lines.push(`  … and ${own.length - shown.length} more`);
  }
  return lines;
}

const head = ({ option, value }: Outcome) => `${printable(option)} = ${printable(shownValue(value))}`;

/** `option = value` on the left, what became of it on the right, both broken where they are too long. */
function entryLines(outcome: Outcome, left: number, width: number): string[] {
  const room = Math.max(LEAST, width - left - 4);
  const result = [setText(outcome.set), printable(outcome.text)].filter((text) => text !== "").join(" – ");
  const right = wrapped(result, room), label = head(outcome);
  if (textWidth(label) > left) {
    return [`  ${shortened(label, width - 2)}`, ...right.map((line) => `  ${" ".repeat(left)}  ${line}`)].filter((
      line,
    ) => line.trim() !== "");
  }
  return right.map((line, i) => `  ${padded(i === 0 ? label : "", left)}  ${line}`.trimEnd());
}

function setText(set: Settings): string {
  return Object.entries(set).map(([target, value]) =>
    target.startsWith(WITH)
      ? `step ${target.slice(WITH.length)}`
      : `${target.replace(/^workflow\./, "")}: ${settingText(value)}`
  ).join(", ");
}

function settingText(value: unknown): string {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "object" && item !== null)
    ? value.map((item) => {
      const { uses, weight } = item as { uses?: unknown; weight?: unknown };
      return `${uses}${weight === undefined ? "" : ` × ${weight}`}`;
    }).join(" + ")
    : shownValue(value);
}
