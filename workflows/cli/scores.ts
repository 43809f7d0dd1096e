/** What a run's evaluations came to, for one row of a table: how it began and how it ended. @module */
import { shownNumber } from "../../data/shown_number.ts";
import { EVALUATION_MODES, EVALUATION_REWARDS } from "../../data/run_folder.ts";

/** Correct shares and mean rewards of one evaluation by mode; null where a mode was not measured. */
export type Evaluations = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** What an evaluation can be told by in one number, what is told first in front: a reward stands in where nobody judges. */
const TOLD = [...EVALUATION_MODES, ...Object.values(EVALUATION_REWARDS)] as const;

/** One measured share of solved prompts, or a mean reward. */
interface Score {
  readonly id: string;
  /** sampled, greedy; of a reward sampled_reward, greedy_reward. */
  readonly mode: (typeof TOLD)[number];
  readonly value: number;
}

/**
 * The evaluations `before` and `after`; where a workflow calls them otherwise, the last one ends the run and, of several,
 * the first begins it. Both in one mode if there is one that both have, sampled first, rewards last. Null where nothing was
 * measured.
 */
export function endScores(evaluations: Evaluations): { readonly before: Score | null; readonly after: Score | null } {
  const ids = Object.keys(evaluations);
  const after = "after" in evaluations ? "after" : ids.findLast((id) => id !== "before");
  const before = "before" in evaluations ? "before" : ids.find((id) => id !== after);
  const score = (id: string | undefined, modes: readonly Score["mode"][]): Score | null => {
    const outputs = id === undefined ? {} : evaluations[id]!;
    const mode = modes.find((mode) => typeof outputs[mode] === "number");
    return id === undefined || mode === undefined ? null : { id, mode, value: outputs[mode] as number };
  };
  const both = TOLD.filter((mode) => score(before, [mode]) !== null && score(after, [mode]) !== null);
  const modes = both.length ? both : TOLD;
  return { before: score(before, modes), after: score(after, modes) };
}

/** "75.0 %" or "reward 0.31", with the mode where it is not sampling and the evaluation where it is not the column's own. */
export function scoreText(score: Score | null, column: "before" | "after"): string {
  if (score === null) return "–";
  const mode = EVALUATION_MODES.find((mode) => score.mode === mode || score.mode === EVALUATION_REWARDS[mode])!;
  const more = [...(mode === "sampled" ? [] : [mode]), ...(score.id === column ? [] : [score.id])];
  const shown = score.mode === mode ? `${(100 * score.value).toFixed(1)} %` : `reward ${shownNumber(score.value, 3)}`;
  return [shown, ...more].join(" ");
}
