/** What a run's evaluations came to, for one row of a table: how it began and how it ended. @module */
import { EVALUATION_MODES } from "../../data/run_folder.ts";

/** Correct shares of one evaluation by mode; null where a mode was not measured. */
export type Evaluations = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** One measured share of solved prompts. */
interface Score {
  readonly id: string;
  readonly mode: string;
  readonly value: number;
}

/**
 * The evaluations `before` and `after`; where a workflow calls them otherwise, the last one ends the run and, of several,
 * the first begins it. Both in one mode if there is one that both have, sampled first. Null where nothing was measured.
 */
export function endScores(evaluations: Evaluations): { readonly before: Score | null; readonly after: Score | null } {
  const ids = Object.keys(evaluations);
  const after = "after" in evaluations ? "after" : ids.findLast((id) => id !== "before");
  const before = "before" in evaluations ? "before" : ids.find((id) => id !== after);
  const score = (id: string | undefined, modes: readonly string[]): Score | null => {
    const outputs = id === undefined ? {} : evaluations[id]!;
    const mode = modes.find((mode) => typeof outputs[mode] === "number");
    return id === undefined || mode === undefined ? null : { id, mode, value: outputs[mode] as number };
  };
  const both = EVALUATION_MODES.filter((mode) => score(before, [mode]) !== null && score(after, [mode]) !== null);
  const modes = both.length ? both : EVALUATION_MODES;
  return { before: score(before, modes), after: score(after, modes) };
}

/** "75.0 %", with the mode where it is not sampling and the evaluation where it is not the column's own. */
export function scoreText(score: Score | null, column: "before" | "after"): string {
  if (score === null) return "–";
  const more = [...(score.mode === "sampled" ? [] : [score.mode]), ...(score.id === column ? [] : [score.id])];
  return [`${(100 * score.value).toFixed(1)} %`, ...more].join(" ");
}
