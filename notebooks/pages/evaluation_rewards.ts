/** What evaluations came to by each reward function: a table under the shares of solved prompts. @module */
import { moments } from "../../data/statistics/mod.ts";
import { shownNumber } from "../../data/shown_number.ts";
import type { Row } from "../charts/chart.ts";
import { breakable, escapeHtml, scrollTable } from "./parts.ts";

/** The rows of one evaluation in one mode, with `reward` and `reward.NAME`. */
export interface RewardedEvaluation {
  /** What the evaluation is called. */
  readonly id: string;
  readonly mode: string;
  readonly rows: readonly Row[];
}

/** What has to be known of a reward, by its name. */
export type RewardNotes = Readonly<Record<string, string>>;

/** Mean rewards, a column for each evaluation and mode, a row for each function before their sum; "" where no function rewarded. */
export function renderEvaluationRewards(evaluations: readonly RewardedEvaluation[], notes: RewardNotes = {}): string {
  const names = [...new Set(evaluations.flatMap(({ rows }) => rows.flatMap((row) => Object.keys(row))))];
  const functions = names.filter((name) => name.startsWith("reward."));
  if (functions.length === 0) return "";
  const columns = [...functions.toSorted(), ...functions.length > 1 ? ["reward"] : []];
  const lines = columns.map((column) => {
    const means = evaluations.map(({ rows }) => meanOf(rows, column));
    const cells = means.map((mean) => `<td class="number">${mean === null ? "–" : shownNumber(mean)}</td>`).join("");
    const name = column === "reward" ? "reward, their weighted sum" : column.slice("reward.".length);
    const note = Object.hasOwn(notes, name) ? `<br><small>${escapeHtml(notes[name]!)}</small>` : "";
    return `<tr><td>${escapeHtml(breakable(name))}${note}</td>${cells}</tr>`;
  });
  const head = ["mean reward", ...evaluations.map(({ id, mode }) => `${mode}, ${id}`)];
  return `<div class="below">${scrollTable(head, lines, "named")}</div>`;
}

/** Of those that were judged; null where none was. */
function meanOf(rows: readonly Row[], column: string): number | null {
  const values = rows.map((row) => row[column]).filter((value) => typeof value === "number" && Number.isFinite(value));
  return values.length === 0 ? null : moments(values as number[]).mean;
}
