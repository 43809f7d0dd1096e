/** Tables of a run as the plain rows that the report shows. @module */
import type { ColumnTable } from "arquero";
import { columnArray } from "../../data/tables/mod.ts";
import type { ReportFinding } from "../../notebooks/pages/findings.ts";

type Row = Record<string, unknown>;

/** Rows as objects, the first `limit` of them, without the columns named in `without`. */
export function reportRows(table: ColumnTable, limit = Infinity, without: readonly string[] = []): Row[] {
  const names = table.columnNames().filter((name) => !without.includes(name));
  const columns = names.map((name) => [name, columnArray(table, name)] as const);
  return Array.from(
    { length: Math.min(limit, table.numRows()) },
    (_, i) => Object.fromEntries(columns.map(([name, values]) => [name, values[i] ?? null])),
  );
}

/** Columns that hold a list per completion, which nobody reads. */
const TOKEN_LISTS = [
  "token_ids",
  "completion_mask",
  "old_logprobs",
  "ref_logprobs",
  "sampler_logprobs",
  "log_sum_squares",
  "advantages",
  "values",
  "returns",
];

/** Completions of a few groups, whole groups first: at most `limit` rows without their token lists. */
export function sampleRows(completions: ColumnTable, limit: number): Row[] {
  return reportRows(completions, limit, TOKEN_LISTS);
}

const SAMPLING = ["temperature", "top_k", "top_p", "min_p", "repetition_penalty", "max_new_tokens", "group_size"];

/** Sampling settings in force with where each came from. */
export function samplingRows(settings: ColumnTable): { name: string; value: string; source: string }[] {
  return reportRows(settings).filter((row) => SAMPLING.includes(String(row["name"])))
    .map((row) => ({ name: String(row["name"]), value: String(row["value"]), source: String(row["source"]) }));
}

/** One finding per cause, the first of each. */
export function reportFindings(findings: ColumnTable): ReportFinding[] {
  const byCause = new Map<string, ReportFinding>();
  for (const row of reportRows(findings)) {
    const cause = String(row["cause"]);
    if (byCause.has(cause)) continue;
    byCause.set(cause, {
      cause,
      severity: String(row["severity"]),
      message: String(row["message"]),
      hint: String(row["hint"]),
      codes: Array.from((row["codes"] ?? []) as ArrayLike<string>),
      train_steps: Array.from((row["train_steps"] ?? []) as ArrayLike<number>),
      evidence: parsed(row["evidence"]),
      ruled_out: parsed(row["ruled_out"]) as { cause: string; why: string }[],
    });
  }
  return [...byCause.values()];
}

function parsed(value: unknown): unknown[] {
  const list = typeof value === "string" ? JSON.parse(value) : value;
  return Array.isArray(list) ? list : [];
}
