/** Cause `reward_parser_mismatch`: the answer is right but the parser or the comparison rejects it. @module */
import { defineDiagnosis, type Evidence, type Found } from "./diagnosis.ts";
import { finiteOf, isNumber, mean, show } from "./view/numbers.ts";
import { constantOf, levelOf, rewardFunctions } from "./view/rewards.ts";
import { spreadSummary } from "./view/spread.ts";
import { goldAmongZero } from "./view/gold.ts";
import { quote, texts } from "./view/texts.ts";
import { truncation } from "./view/truncation.ts";

export default defineDiagnosis({
  codes: ["R08", "R00"],
  severity: "error",
  about: "Right answers are rejected: the parser, the pattern or the comparison of the reward does not fit the text.",
  reads: ["reward.<goal>", "reward.<format>", "evaluations", "completions.text", "completions.answer"],
  decision:
    "A goal reward is 0 for completions of which at least 20 % hold the gold answer; or exactly 0 on at least three records while the format reward is at least 0.5; or stuck on one value that is neither floor nor maximum, on two records or on training and evaluation, while other rewards move.",
  hint: "Run the reward on the gold answer itself: it must give the maximum. Then on one printed completion.",
  remedy: [],
  byHand:
    "Fix the parser: test it on the gold answer, with newlines, spaces, boxes and units as the model writes them.",
  lookAlikes: [
    { cause: "all_incorrect_reward_floor", why: "there no completion holds the gold answer" },
    { cause: "constant_reward", why: "there the whole reward ignores the text" },
  ],
  taughtBy: "TRL: accuracy_reward exactly 0.5 on training and evaluation, the fallback of a failing parser",
  check(view): Found | null {
    const functions = rewardFunctions(view);
    const cut = truncation(view);
    const gold = goldAmongZero(view);
    const moved = functions.some((entry) =>
      entry.kind === "goal" && entry.values.some((value) => value > 0.02) && entry.constant === null
    );
    const total = finiteOf(view.column("reward"));
    const totalMoves = functions.length === 0 && total.some((value) => levelOf(view, value) !== "floor");
    if (gold.known >= 4 && gold.share >= 0.2 && gold.scored < 0.05 * gold.known && !moved && !totalMoves) {
      const row = gold.example!;
      const first = view.column("reward").findIndex(isNumber);
      return {
        trainSteps: row.trainStep === null ? [] : [row.trainStep],
        message: `${show(100 * gold.share)} % of ${gold.known} completions with reward 0 hold the right answer`,
        evidence: [
          quote(row, `answer ${row.answer ?? "of the sum"}; reward ${show(row.reward)}`),
          ...(first >= 0 ? [view.evidence("reward", first)] : []),
        ],
        ruledOut: [{ cause: "all_incorrect_reward_floor", why: "the printed answers are right" }],
      };
    }
    return fallback(view) ?? zeroBesideFormat(view, cut?.median ?? 0, gold);
  },
});

type View = Parameters<typeof rewardFunctions>[0];

function fallback(view: View): Found | null {
  const functions = rewardFunctions(view);
  for (const entry of functions) {
    const value = entry.constant;
    if (entry.kind !== "goal" || value === null || !/acc|correct|answer|exact|match|verif|math/i.test(entry.name)) {
      continue;
    }
    if (value <= 0 || value >= 1) continue;
    const held = constantOf(finiteOf(view.evaluation(entry.column)));
    const both = held !== null && Math.abs(held - value) < 1e-6;
    if (entry.values.length < (both ? 1 : 2)) continue;
    const others = functions.some((other) => other !== entry && other.constant === null);
    const first = entry.cells.findIndex((cell) => cell !== null);
    if (!others && !both) continue;
    return {
      trainSteps: view.trainSteps,
      message: `${entry.name} is ${show(value)} to all digits on ${entry.values.length} records${
        both ? " and on evaluation" : ""
      }: the fallback value of a parser that fails`,
      evidence: [view.evidence(entry.column, first)],
      ruledOut: [{ cause: "all_incorrect_reward_floor", why: `${show(value)} is no floor` }],
      confirm: "run the reward function on a gold answer",
    };
  }
  return null;
}

function zeroBesideFormat(view: View, cut: number, gold: ReturnType<typeof goldAmongZero>): Found | null {
  const functions = rewardFunctions(view);
  const goal = functions.find((entry) =>
    entry.kind === "goal" && entry.constant === 0 && !/iou|box|coord/i.test(entry.name)
  );
  const format = functions.find((entry) => entry.kind === "format" && mean(entry.values) >= 0.5);
  if (goal === undefined || format === undefined || goal.values.length < 3 || cut > 0.5) return null;
  if (!view.imported && goal.values.length < 20) return null;
  if (gold.known >= 8 && gold.share < 0.05) return null;
  if (texts(view).noise > 0.18 || spreadSummary(view).share === null && goal.values.length < 5) return null;
  const first = goal.cells.findIndex((cell) => cell !== null);
  const evidence: Evidence[] = [view.evidence(goal.column, first), view.evidence(format.column, first)];
  return {
    trainSteps: view.trainSteps,
    message: `${goal.name} is exactly 0 on ${goal.values.length} records while ${format.name} is ${
      show(mean(format.values))
    }`,
    evidence: [...evidence, ...view.completions.slice(0, 1).map((row) => quote(row))],
    confirm: "print one completion with its gold answer: are they the same?",
  };
}
