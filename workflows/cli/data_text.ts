/** What `data` found, for a person. @module */
import { byteText } from "../../data/byte_text.ts";
import { isObject } from "../../data/datasets/cells.ts";
import { shownBytes } from "../../data/preview/shown_bytes.ts";
import type { Survey } from "../../data/preview/survey.ts";
import { ANNOTATED } from "../../data/datasets/conventions.ts";
import { shownMessages, shownPrompt } from "../../data/datasets/messages.ts";
import { narrowTable } from "../terminal/narrow_table.ts";
import { printable, type Screen, shortened, wrapped } from "../terminal/terminal.ts";

const number = (value: number) => value.toLocaleString("en");
const counted = (count: number, thing: string) => `${number(count)} ${thing}${count === 1 ? "" : "s"}`;
/** In percent, rounded so that only nothing reads as 0 and only all as 100. */
function share(part: number, whole: number): string {
  if (part === 0 || part === whole) return part === 0 ? "0 %" : "100 %";
  return `${Math.min(99.9, Math.max(0.1, Math.round(1000 * part / whole) / 10)).toFixed(1)} %`;
}

/** Lines no wider than the terminal, in sections. */
export function surveyLines(file: string, config: string | undefined, found: Survey, screen: Screen): string[] {
  const { columns: width } = screen;
  const title = (text: string) => ["", screen.style(text, "bold")];
  const indented = (lines: readonly string[]) => lines.map((line) => shortened(`  ${line}`, width));
  return [
    ...headLines(file, found, screen),
    ...title("Columns"),
    ...indented(columnLines(found, width - 2)),
    ...lengthLines(found, width - 2).flatMap((line, i) => i === 0 ? title(line) : indented([line])),
    ...imageLines(found, width - 2).flatMap((line, i) => i === 0 ? title(line) : indented([line])),
    ...(found.readable ? [...title("Answers that a verifier reads"), ...indented(readableLines(found, screen))] : []),
    ...title("Rows"),
    ...sampleLines(found, width, screen),
    ...problemLines(found, screen).flatMap((line, i) => i === 0 ? title(line) : indented(wrapped(line, width - 2))),
    ...title("To read it"),
    ...useLines(file, config, found, screen).map((line) => `  ${line}`),
    "",
  ];
}

function headLines(file: string, found: Survey, screen: Screen): string[] {
  const { rows, splits, format, files, bytes: size, use, unclear, labels, duplicates, identicalPairs } = found;
  const parts = Object.entries(splits).filter(([name]) => name !== "all").map(([name, n]) => `${name} ${number(n)}`);
  const facts = [
    ["rows", number(rows) + (parts.length > 0 ? ` (${parts.join(", ")})` : "")],
    ["format", `${format}${files > 1 ? `, ${files} files` : ""}, ${byteText(size)}`],
    ["read as", use ? screen.style(use.convention, "green") : screen.style(unclear ?? "unknown", "yellow")],
    ...(labels ? [["labels", `${number(labels.desirable)} desirable, ${number(labels.undesirable)} not`]] : []),
    ["duplicates", duplicateText(duplicates, screen)],
    ...(identicalPairs
      ? [["identical", screen.style(`${counted(identicalPairs, "pair")} chosen = rejected`, "yellow")]]
      : []),
  ];
  return [
    "",
    screen.style(shortened(printable(file), screen.columns), "bold"),
    ...facts.flatMap(([name, text]) => {
      const [head, ...rest] = wrapped(text!, Math.max(24, screen.columns - 14));
      return [`  ${screen.style(name!.padEnd(12), "dim")}${head}`, ...rest.map((line) => " ".repeat(14) + line)];
    }),
  ];
}

function duplicateText({ prompts, across }: Survey["duplicates"], screen: Screen): string {
  if (prompts + across === 0) return "none";
  const leaked = across > 0
    ? screen.style(`, ${counted(across, "prompt")} in more than one split (leakage)`, "red")
    : "";
  return `${counted(prompts, "repeated prompt")}${leaked}`;
}

function columnLines({ columns, rows }: Survey, width: number): string[] {
  const cells = columns.map(({ name, type, nulls, empty }) => [
    shortened(printable(name), 28),
    shortened(type, 44),
    nulls === 0 ? "–" : `${number(nulls)} (${share(nulls, rows)})`,
    empty === 0 ? "–" : number(empty),
  ]);
  return narrowTable(["column", "type", "null", "empty"], cells, width, ["empty"]);
}

function lengthLines({ lengths, unit, chat_template }: Survey, width: number): string[] {
  const rows = Object.entries(lengths).map((
    [name, { least, median, p95, most }],
  ) => [name, ...[least, median, p95, most].map(number)]);
  if (rows.length === 0) return [];
  const how = chat_template === null
    ? ""
    : chat_template
    ? ", by the chat template"
    : " of the texts alone: there is no chat template";
  return [
    `Lengths in ${unit}${how}`,
    ...narrowTable(["text", "least", "median", "95 %", "most"], rows, width, ["least"]),
  ];
}

function imageLines({ images }: Survey, width: number): string[] {
  if (images === null) return [];
  const { columns, rows, unreadable } = images, where = columns.length > 0 ? ` of ${columns.join(" and ")}` : "";
  const bad = unreadable > 0 ? [`${counted(unreadable, "row")} whose images cannot be read`] : [];
  const sides = (["width", "height"] as const).map((side) => {
    const { least, median, p95, most } = images[side];
    return [side, ...[least, median, p95, most].map(number)];
  });
  return [
    `Images${where} in pixels: ${number(images.images)} in ${counted(rows, "row")}`,
    ...bad,
    ...narrowTable(["side", "least", "median", "95 %", "most"], sides, width, ["least"]),
  ];
}

const BAR = 24; // Cells of a bar.

function readableLines({ readable, use }: Survey, screen: Screen): string[] {
  const { answers, by } = readable!, chosen = (use?.options as { verifier?: string } | undefined)?.verifier;
  const lines = Object.entries(by).filter(([, n]) => n > 0).sort(([a, x], [b, y]) =>
    // Of those that read as many, the one that is taken, and last the one that reads everything.
    y - x || Number(b === chosen) - Number(a === chosen) || Number(a === "exact") - Number(b === "exact")
  ).map(([name, n]) => {
    const filled = Math.round(BAR * n / answers), bar = "█".repeat(filled) + "·".repeat(BAR - filled);
    const text = `${name.padEnd(16)}${bar} ${share(n, answers).padStart(7)}  ${number(n)}`;
    return name === chosen ? screen.style(text, "green") : text;
  });
  return [...lines, screen.style(`of ${counted(answers, "answer")}; exact compares letter by letter`, "dim")];
}

function sampleLines({ samples }: Survey, width: number, screen: Screen): string[] {
  return samples.flatMap((row, i) => [
    ...(i > 0 ? [""] : []),
    ...Object.entries(row).slice(0, 8).map(([name, value]) => {
      const shown = typeof value === "string" ? shownPrompt(value) : shownMessages(value) ?? shownCell(value);
      const head = `  ${shortened(printable(name), 18).padEnd(20)}`;
      return screen.style(head, "dim") + shortened(printable(shown ?? "null"), Math.max(20, width - 22));
    }),
  ]);
}

/** As JSON; an image as what it is, and as datasets keeps it with its path. */
function shownCell(value: unknown): string | undefined {
  const file = shownBytes("", isObject(value) ? value["bytes"] : value);
  const isFile = typeof file === "string" && typeof value !== "string" && !Array.isArray(value);
  if (!isFile || (isObject(value) && !(value["bytes"] instanceof Uint8Array))) return JSON.stringify(value, shownBytes);
  return isObject(value) && typeof value["path"] === "string" ? `${file}, ${value["path"]}` : file;
}

function problemLines({ problems }: Survey, screen: Screen): string[] {
  if (problems.count === 0) return [];
  const more = problems.count - problems.first.length;
  return [
    screen.style(counted(problems.count, "problem"), "yellow"),
    ...problems.first.map(printable),
    ...(more > 0 ? [`and ${number(more)} more`] : []),
  ];
}

/** The step as it stands in a workflow, its options written out, so that nothing hangs on how it was recognised. */
function useLines(file: string, config: string | undefined, { use, step, columns }: Survey, screen: Screen): string[] {
  if (use === null) {
    if (columns.length === 0) return ["nothing: it has no rows"];
    const names = columns.map(({ name }) => name).slice(0, 4).join(", ");
    return [
      `- uses: ${step}`,
      `  with: { file: ${quoted(file)}, prompt_column: …, answer_column: … }`,
      screen.style(`of its columns ${names}${columns.length > 4 ? ", …" : ""}`, "dim"),
    ];
  }
  if (use.convention === ANNOTATED) {
    return [
      `- uses: ${step}`,
      `  with: { file: ${quoted(file)}, detection: { negatives: 1 } }`,
      ...wrapped("its images lie beside it, or in image_folder; detection says what is asked", screen.columns - 4)
        .map((line) => screen.style(`# ${line}`, "dim")),
    ];
  }
  const { verifier, verifier_options, columns: kept, ...named } = use.options as Readonly<Record<string, unknown>>;
  const options = {
    file,
    ...(config === undefined ? {} : { config }),
    ...named,
    columns: kept,
    verifier,
    verifier_options,
  };
  return [
    `- uses: ${step}`,
    "  with:",
    ...Object.entries(options).filter(([, value]) => value !== undefined)
      .map(([name, value]) => `    ${name}: ${typeof value === "string" ? quoted(value) : JSON.stringify(value)}`),
    ...use.named.flatMap(({ option, column }) =>
      wrapped(`without ${option} nothing reads column ${printable(column)}`, screen.columns - 4)
        .map((line) => screen.style(`# ${line}`, "dim"))
    ),
  ];
}

/** As YAML reads it back. */
const quoted = (text: string) => /^[A-Za-z0-9_./-]+$/.test(text) ? text : JSON.stringify(text);
