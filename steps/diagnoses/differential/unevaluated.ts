/** A long run that is paid more and more and never asked for anything else: what its reward is worth cannot be told. @module */
import { trainsSteps } from "../view/learning_rate.ts";
import { finiteOf, show } from "../view/numbers.ts";
import { paid, since, truths } from "../view/progress.ts";
import type { RunView } from "../view/run_view.ts";
import type { ScoreSeries } from "../view/score_series.ts";
import { taskScores } from "../view/scores.ts";
import { done } from "./decide_between.ts";

const LONG = 200; // Train steps that are worth an evaluation.

/** One line for a run that no rule finds fault with; none where a truth is printed or the reward does not rise. */
export function unevaluated(view: RunView): string[] {
  if (!view.isWhole || trainsSteps(view) < LONG || truths(view).length > 0) return [];
  const reward = paid(view), what = reward && since(reward, view.trainSteps[0]!);
  if (what === null || what.direction !== "rises") return [];
  const went = `the reward went from ${show(what.from)} to ${show(what.to)}`,
    few = taskScores(view).find(({ values }) => finiteOf(values).length > 0);
  if (few !== undefined) return [`${went}, and only ${fewText(few)}`];
  const { options } = done("evaluate_held_out", view);
  return [
    `${went}, and no held-out score says whether the task is learned${
      options.length === 0 ? "" : `: evaluate during the run (${options.join(", ")})`
    }`,
  ];
}

/** Evaluations that are too few for a course: how many there are, and how they go. */
function fewText({ name, values }: ScoreSeries): string {
  const known = finiteOf(values), count = known.length;
  const course = count === 1 ? `is ${show(known[0])}` : `went from ${show(known[0])} to ${show(known.at(-1))}`;
  return `${count} evaluation${count === 1 ? " says" : "s say"} whether the task is learned: ${name} ${course}`;
}
