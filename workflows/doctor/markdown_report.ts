/** The doctor's report as Markdown, to paste into an issue: private text taken out, completions shortened. @module */
import type { Finding } from "../../steps/diagnoses/diagnosis.ts";
import {
  changeLines,
  decisiveSeries,
  type Examined,
  otherReasons,
  placeOf,
  recordsText,
  SHOWN_FINDINGS,
  stepsText,
  systemText,
  valueText,
  VERDICT_WORDS,
  withinPath,
} from "./examined.ts";
import { redact } from "./redact.ts";
import { sparkline } from "./sparkline.ts";

const LONGEST = 160;
const SHOWN_EVIDENCE = 6; // Rows of evidence of one finding.

/** One run's report as Markdown. */
export function markdownReport(examined: Examined, all: boolean): string {
  const { diagnosis } = examined;
  const file = examined.path.split(/[\\/]/).at(-1)!;
  const lines = [
    `### ${VERDICT_WORDS[diagnosis.verdict]}: ${diagnosis.verdict === "faulty" ? diagnosis.findings[0]?.cause : file}`,
    "",
    `\`${cell(file)}\`${examined.part ? ` (run ${examined.part})` : ""} · ${systemText(examined)} · ${
      recordsText(examined)
    }`,
    "",
    ...otherReasons(examined).map((r) => `- ${cell(r)}`),
    ...diagnosis.missing.map((m) => `- missing: ${cell(m)}`),
  ];
  const shown = all ? diagnosis.findings : diagnosis.findings.slice(0, SHOWN_FINDINGS);
  return [...lines, ...shown.flatMap((finding) => findingLines(examined, finding, all))].join("\n") + "\n";
}

function findingLines(examined: Examined, f: Finding, all: boolean): string[] {
  const steps = stepsText(f.train_steps), series = decisiveSeries(examined, f);
  const about = [f.codes.join(", "), steps && `train step ${steps}`].filter(Boolean).join("; ");
  const lines = ["", `**${f.severity}: \`${f.cause}\`** (${about})`, "", cell(f.message), ""];
  if (series.length) {
    const sparklines = series.map(({ name, values }) => `${name.padEnd(24)} ${sparkline(values, 60)}`);
    lines.push("```", ...sparklines, "```", "");
  }
  if (f.evidence.length) {
    const rows = (all ? f.evidence : f.evidence.slice(0, SHOWN_EVIDENCE)).map((e) =>
      [withinPath(examined, placeOf(e)), e.name, valueText(e.value), e.note ?? ""].map(cell)
    );
    lines.push("| where | what | value | note |", "| --- | --- | --- | --- |");
    lines.push(...rows.map((row) => `| ${row.join(" | ")} |`), "");
  }
  lines.push(`What to do: ${cell(f.hint)}`, ...changeLines(f).map((change) => `- \`${cell(change)}\``));
  return f.ruled_out.length ? [...lines, "", ...f.ruled_out.map((r) => `- not \`${r.cause}\`: ${cell(r.why)}`)] : lines;
}

function cell(text: string): string {
  const safe = redact(text).replaceAll("|", "\\|").replaceAll("\n", " ").replaceAll("`", "'").replaceAll(
    "<!--",
    "&lt;!--",
  );
  return safe.length > LONGEST * 2 ? `${safe.slice(0, LONGEST * 2)}…` : safe;
}
