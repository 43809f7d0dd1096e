/** Runs of ours that can only learn by heart: prompts that are copies, a warm start that knows its rows and nothing else. @module */
import { isNumber, percent, show } from "./numbers.ts";
import type { RunView } from "./run_view.ts";
import { quote } from "./texts.ts";

/** Prompts of a train step that can be copies; a loss known by heart, and an accuracy that nothing else is known at. */
const PROMPTS = 4;
export const BY_HEART = 0.1, WRONG = 0.3;

/** Prompts with different numbers and one text: the data holds copies. */
export function copies(view: RunView) {
  if (view.imported) return null;
  const texts = new Map<number, string>();
  for (const { promptId, prompt } of view.completions) if (prompt !== null) texts.set(promptId, prompt);
  const distinct = new Set(texts.values()).size;
  if (texts.size < PROMPTS || distinct > 0.5 * texts.size) return null;
  return {
    trainSteps: view.trainSteps.slice(-1),
    message: `${texts.size} prompts of the train step have ${distinct} different text${distinct === 1 ? "" : "s"}`,
    evidence: [quote(view.completions[0]!, `prompt ${JSON.stringify(view.completions[0]!.prompt)}`)],
    hint: "Remove duplicates from the data.",
    remedy: [],
  };
}

/** A warm start that knows its rows by heart and nothing else. */
export function byHeart(view: RunView) {
  if (view.imported || view.algorithm !== "sft") return null;
  const accuracy = view.column("accuracy");
  const at = accuracy.findLastIndex(isNumber);
  const loss = view.column("loss")[at];
  if (at < 0 || !isNumber(loss) || loss > BY_HEART || accuracy[at]! >= WRONG) return null;
  return {
    trainSteps: [view.trainSteps[at]!],
    message: `The loss is ${show(loss)} and ${percent(accuracy[at]!)} of the validation prompts are right`,
    evidence: [view.evidence("loss", at), view.evidence("accuracy", at)],
  };
}
