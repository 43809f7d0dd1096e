/** Findings as HTML, for the report of a run and for the page of a diagnosis. @module */
import { shownNumber } from "../../data/shown_number.ts";
import { shownTime } from "../../data/shown_time.ts";
import { percentText } from "./possible.ts";
import { escapeHtml } from "./parts.ts";
import { placeOf, stepWord, whenText } from "./where.ts";

/** What the doctor found, as the findings table holds it. */
export interface ReportFinding {
  readonly cause: string;
  readonly severity: string;
  readonly message: string;
  readonly hint: string;
  readonly codes?: readonly string[];
  readonly train_steps?: readonly number[];
  /** That it is what is wrong, from 0 to 1; null of a note. */
  readonly probability?: number | null;
  /** Train step in which a trend began. */
  readonly began?: number;
  /** Its train steps are numbers of records, of a log that tells no others. */
  readonly counts?: "records";
  /** False where the verdict on the whole run no longer names it. */
  readonly at_end?: boolean;
  readonly evidence?: readonly unknown[];
  readonly ruled_out?: readonly { readonly cause: string; readonly why: string }[];
}

/** What a run without a finding is called: healthy, too little to judge, not over, or nothing. */
type Calm = "healthy" | "cannot tell" | "running" | null;

const CALM = {
  healthy: `<p class="healthy"><b>Healthy.</b> No diagnosis fired on this run.</p>`,
  "cannot tell": `<p><b>Cannot tell.</b> No diagnosis fired, and there was too little to judge this run by.</p>`,
  running: `<p>No diagnosis has fired so far.</p>`,
} as const;

/** Severities of which nothing is wrong: a note to what is seen. */
const isNote = ({ severity }: ReportFinding) => severity === "info";

/**
 * The findings, each with its evidence and what was ruled out folded in, that of the first open unless it is a note; `calm`
 * is said when there are none. `healthy` is said above notes too, which take nothing from it.
 */
export function renderFindings(findings: readonly ReportFinding[], calm: Calm = "healthy"): string {
  if (!findings.length) return calm === null ? `<p>No diagnosis fired on this run.</p>` : CALM[calm];
  const notes = findings.length === 1 ? "What is noted below is" : "What is noted below are";
  const above = calm === "healthy" && findings.every(isNote)
    ? `<p class="healthy"><b>Healthy.</b> ${notes} no fault${findings.length === 1 ? "" : "s"}.</p>`
    : "";
  return above + findings.map((f, index) => {
    const word = stepWord(f);
    const steps = whenText({ ...f, train_steps: f.train_steps ?? [] }, f);
    const out = f.ruled_out ?? [];
    return `<article class="finding ${escapeHtml(f.severity)}">
<h3><span class="severity">${escapeHtml(f.severity)}</span> ${escapeHtml(f.cause)} <small>${
      escapeHtml(
        [
          f.probability == null ? "" : `probability ${percentText(f.probability)}`,
          steps,
          f.at_end === false ? "not at the end" : "",
          ...(f.codes ?? []),
        ].filter(Boolean).join(" · "),
      )
    }</small></h3>
<p>${escapeHtml(f.message)}</p>
<p class="hint">${escapeHtml(f.hint)}</p>
${
      f.evidence?.length
        ? `<details${index || isNote(f) ? "" : " open"}><summary>Evidence (${f.evidence.length})</summary>${
          renderEvidence(f.evidence, word)
        }</details>`
        : ""
    }
${
      out.length
        ? `<details><summary>Ruled out (${out.length})</summary><ul>${
          out.map((r) => `<li><b>${escapeHtml(r.cause)}</b>: ${escapeHtml(r.why)}</li>`).join("")
        }</ul></details>`
        : ""
    }
</article>`;
  }).join("");
}

const SHOWN_EVIDENCE = 20; // Rows of evidence kept on the page.

/** What a row of evidence may hold. */
interface Row {
  readonly table?: string;
  readonly source?: string | null;
  readonly line?: number | null;
  readonly train_step?: number | null;
  readonly name?: unknown;
  readonly value?: unknown;
  readonly note?: unknown;
}

/** Evidence as a table; a row that has no name is shown as it is. */
function renderEvidence(evidence: readonly unknown[], word: string): string {
  const known = evidence.map((item) => typeof item === "object" && item !== null ? item as Row : {});
  const rows = evidence.slice(0, SHOWN_EVIDENCE).map((item, i) => {
    const row = known[i]!, { name, value, note } = row;
    const cells = name === undefined
      ? [JSON.stringify(item), "", "", ""]
      : [placeOf(row, known, word), name, shownTime(String(name), value) ?? evidenceValue(value), note ?? ""];
    return `<tr>${cells.map((cell) => `<td>${escapeHtml(String(cell))}</td>`).join("")}</tr>`;
  });
  const rest = evidence.length - SHOWN_EVIDENCE;
  return `<div class="scroll"><table><tr><th>where</th><th>what</th><th>value</th><th></th></tr>${
    rows.join("")
  }</table></div>${rest > 0 ? `<p>and ${rest} more rows</p>` : ""}`;
}

/** NaN stays NaN: JSON would make it null, and null means absent. */
function evidenceValue(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value !== "number") return typeof value === "string" ? value : JSON.stringify(value);
  return shownNumber(value, 4);
}
