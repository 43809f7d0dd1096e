/** The doctor's report as Markdown, to paste into an issue: private text taken out, completions shortened. @module */
import {
  changeLines,
  decisiveSeries,
  type Examined,
  otherReasons,
  placeOf,
  recordsText,
  SHOWN_FINDINGS,
  stepsText,
  valueText,
  VERDICT_WORDS,
  withinPath,
} from "./examined.ts";
import { privateText } from "./private_text.ts";
import { sparkline } from "./sparkline.ts";

const LONGEST = 160;

/** One run's report as Markdown. */
export function markdownReport(examined: Examined, all: boolean): string {
  const { diagnosis } = examined;
  const file = examined.path.split(/[\\/]/).at(-1)!;
  const lines = [
    `### ${VERDICT_WORDS[diagnosis.verdict]}: ${diagnosis.verdict === "faulty" ? diagnosis.findings[0]?.cause : file}`,
    "",
    `\`${cell(file)}\`${examined.part ? ` (run ${examined.part})` : ""} · ${
      [examined.system, examined.algorithm].filter(Boolean).join(" ") || "unknown system"
    } · ${recordsText(examined)}`,
    "",
    ...otherReasons(examined).map((r) => `- ${cell(r)}`),
    ...diagnosis.missing.map((m) => `- missing: ${cell(m)}`),
  ];
  for (const f of all ? diagnosis.findings : diagnosis.findings.slice(0, SHOWN_FINDINGS)) {
    const steps = stepsText(f.train_steps);
    lines.push(
      "",
      `**${f.severity}: \`${f.cause}\`** (${
        [f.codes.join(", "), steps && `train step ${steps}`].filter(Boolean).join("; ")
      })`,
      "",
    );
    lines.push(cell(f.message), "");
    const series = decisiveSeries(examined, f);
    if (series.length) {
      lines.push(
        "```",
        ...series.map((s) => `${s.name.padEnd(24)} ${sparkline(s.values, 60)}`),
        "```",
        "",
      );
    }
    if (f.evidence.length) {
      lines.push("| where | what | value | note |", "| --- | --- | --- | --- |");
      for (const e of all ? f.evidence : f.evidence.slice(0, 6)) {
        lines.push(
          `| ${cell(withinPath(examined, placeOf(e)))} | ${cell(e.name)} | ${cell(valueText(e.value))} | ${
            cell(e.note ?? "")
          } |`,
        );
      }
      lines.push("");
    }
    lines.push(`What to do: ${cell(f.hint)}`);
    for (const change of changeLines(f)) lines.push(`- \`${cell(change)}\``);
    if (f.ruled_out.length) lines.push("", ...f.ruled_out.map((r) => `- not \`${r.cause}\`: ${cell(r.why)}`));
  }
  return lines.join("\n") + "\n";
}

function cell(text: string): string {
  const safe = privateText(text).replaceAll("|", "\\|").replaceAll("\n", " ").replaceAll("`", "'").replaceAll(
    "<!--",
    "&lt;!--",
  );
  return safe.length > LONGEST * 2 ? `${safe.slice(0, LONGEST * 2)}…` : safe;
}
