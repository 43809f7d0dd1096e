/**
 * An imported run as Arquero tables with the types of data/columns.ts: what steps and charts exchange.
 * @module
 */
import type { ColumnTable } from "arquero";
import { type TableName, TABLES } from "../columns.ts";
import { tableOf, tableOfRows } from "../tables/mod.ts";
import type { ImportedRun } from "./intake/imported_run.ts";

export type ImportedTables = Record<"metrics" | "observations" | "settings" | "messages" | "completions", ColumnTable>;

/** Which phase the records of an algorithm are, in the words of `metrics`. */
const PHASES: Record<string, string> = { sft: "sft", kto: "preference", dpo: "preference" };

/** Makes the tables. Per-function rewards and unmapped names are no columns of `metrics`: they stay in `observations`. */
export function toTables(run: ImportedRun): ImportedTables {
  const { metrics } = run;
  const known = new Set<string>(Object.keys(TABLES.metrics));
  const phase = run.algorithm.name === null ? null : PHASES[run.algorithm.name] ?? "rollout";
  const columns: Record<string, ArrayLike<unknown>> = {
    train_step: metrics.train_step,
    phase: new Array(metrics.rows).fill(phase),
    step_id: new Array(metrics.rows).fill("import_log"),
  };
  for (const [name, values] of metrics.columns) {
    if (!known.has(name)) continue;
    columns[name] = (TABLES.metrics as Record<string, { type: string }>)[name]!.type === "int32"
      ? values.map((value) => value === null || !Number.isSafeInteger(value) ? null : value)
      : values;
  }
  const rows = <T extends object>(table: TableName, list: readonly T[]) =>
    tableOfRows(table, list as unknown as readonly Record<string, unknown>[]);
  return {
    metrics: tableOf("metrics", columns),
    observations: rows("observations", [...run.observations()]),
    settings: rows("settings", run.settings.map((setting) => ({ ...setting, value: JSON.stringify(setting.value) }))),
    messages: rows("messages", run.messages.map(({ count: _, ...message }) => message)),
    completions: rows(
      "completions",
      run.completions.map((one) => ({
        train_step: one.train_step,
        prompt_id: one.prompt_id,
        sample: one.sample,
        prompt: one.prompt,
        answer: one.answer,
        text: one.text,
        truncated: one.truncated,
        completion_tokens: one.completion_tokens,
        reward: one.reward,
        advantage: one.advantage,
        ...Object.fromEntries([...one.rewards].map(([name, value]) => [`reward.${name}`, value])),
      })),
    ),
  };
}
