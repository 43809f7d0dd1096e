/** The view of an imported run. @module */
import type { ImportedRun } from "../../../data/adapters/intake/imported_run.ts";
import { RunView } from "./run_view.ts";

/** Builds the view of what the adapters read. The run's algorithm falls back to what its columns say. */
export function importView(run: ImportedRun): RunView {
  const { metrics, evaluations } = run;
  return new RunView({
    system: run.system.name,
    algorithm: run.algorithm.name,
    imported: run.system.name !== "nonzero",
    trainSteps: metrics.train_step,
    stepsPrinted: metrics.step_printed,
    columns: metrics.columns,
    decimals: metrics.decimals,
    evaluations: { trainSteps: evaluations.train_step, columns: evaluations.columns },
    rewardStdScope: run.reward_std_scope.scope,
    settings: run.settings.map((entry) => ({
      option: entry.option,
      name: entry.name,
      value: entry.value,
      writtenType: entry.written_type,
      system: entry.system,
      source: entry.source,
      line: entry.line,
    })),
    messages: run.messages.map((entry) => ({
      kind: entry.kind,
      text: entry.text,
      value: entry.value,
      trainStep: entry.train_step,
      count: entry.count,
      source: entry.source,
      line: entry.line,
    })),
    completions: run.completions.map((entry) => ({
      trainStep: entry.train_step,
      promptId: entry.prompt_id,
      prompt: entry.prompt,
      text: entry.text,
      cut: entry.cut,
      answer: entry.answer,
      truncated: entry.truncated,
      tokens: entry.completion_tokens,
      reward: entry.reward,
      rewards: Object.fromEntries(entry.rewards),
      advantage: entry.advantage,
      source: entry.source,
      line: entry.line,
    })),
    place: (column, record) => ({
      source: run.sources[metrics.source[record] ?? 0]?.path ?? null,
      line: metrics.line[record] ?? null,
      printed: metrics.printed.get(column)?.[0],
    }),
  });
}
