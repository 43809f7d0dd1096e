/** Cause `reward_hacking`: the policy raises the reward by a shortcut while the goal falls. @module */
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { MORE_KL } from "./remedies/often.ts";
import { collapses, rewardHolds } from "./view/collapse.ts";
import { type Cells, change, finiteOf, mean, show } from "./view/numbers.ts";
import { flatness, rewardFunctions } from "./view/rewards.ts";
import { firstAndLast, quote } from "./view/texts.ts";
import type { RunView } from "./view/run_view.ts";

/** Ten records make a trend; below that only an end state does. */
const RECORDS = 10;
/** Where a reward between 0 and 1 pays for nearly every completion. */
const HIGH = 0.8;

interface Trend {
  readonly name: string;
  readonly column: string;
  readonly from: number;
  readonly to: number;
  readonly by: number;
  readonly sigma: number;
  readonly top: number;
}

function trend(name: string, column: string, values: readonly number[]): Trend {
  const { from, to, by, error } = change(values);
  return { name, column, from, to, by, sigma: by / Math.max(error, 1e-9), top: Math.max(...values) };
}

export default defineDiagnosis({
  codes: ["H01", "R06"],
  severity: "error",
  about: "The policy raises the reward by a shortcut: a proxy goes up while the true goal falls or stays at its floor.",
  reads: ["reward.<name>", "accuracy", "evaluations.accuracy", "completion_length", "completions.text"],
  decision:
    "Over at least ten records a proxy term (format, length, style, or the total reward) rises by 3 standard errors while the goal (accuracy, or its held-out value) falls by 3, or ends at its floor after having been above; repeated text in more than half of the completions at a rising reward counts as well. In a run of ours the goal is what the task's verifier accepts; there any number of records is enough where the accuracy or the held-out score fell beyond chance (reward_collapse) and the reward did not; a reward that rises to 0.8 while nothing is accepted is a warning. With fewer records the verdict is open.",
  hint: "Stop at the best held-out score; make the proxy weigh less or verify what it stands for.",
  remedy: MORE_KL,
  byHand: "Fix the verifier: the shortcut shows in the completions.",
  lookAlikes: {
    all_correct_saturated: "there no other score falls",
    overfitting: "there the proxy does not rise on new prompts",
    length_collapse: "there no proxy rises",
  },
  taughtBy: "TRL: evidence_reward 0.8 to 3.0 while accuracy_reward fell to 0",
  check(view): Found | CannotTell | null {
    const functions = rewardFunctions(view).filter((entry) => entry.values.length >= 2);
    const reward = view.finite("reward");
    const goals = functions.filter((entry) => entry.kind === "goal").map((entry) =>
      trend(entry.name, entry.column, entry.values)
    );
    const proxies = functions.filter((entry) => entry.kind !== "goal").map((entry) =>
      trend(entry.name, entry.column, entry.values)
    );
    const accuracy = view.finite("accuracy");
    if (!view.imported && accuracy.length >= 2) {
      // What the task's verifier says is the goal; a reward is one of ours only by its name.
      proxies.push(...goals.splice(0).filter((goal) => !sameValues(view.column(goal.column), view.column("accuracy"))));
    }
    if (goals.length === 0 && accuracy.length >= 2) goals.push(trend("accuracy", "accuracy", accuracy));
    if (goals.length > 1) {
      const named = goals.filter((goal) => /acc|correct|exact|answer|solve|iou/i.test(goal.name));
      if (named.length > 0 && named.length < goals.length) {
        proxies.push(...goals.filter((goal) => !named.includes(goal)));
        goals.splice(0, goals.length, ...named);
      }
    }
    const records = Math.max(0, ...functions.map((entry) => entry.values.length), reward.length);
    if (reward.length >= 2) proxies.push(trend("reward", "reward", reward));
    const held = finiteOf(view.evaluation("accuracy")).length > 1
      ? finiteOf(view.evaluation("accuracy"))
      : goals.length > 0
      ? finiteOf(view.evaluation(goals[0]!.column))
      : [];
    if (held.length >= 3) goals.push(trend("held-out score", goals[0]?.column ?? "accuracy", held));
    const falling = goals.find((goal) =>
      goal.sigma < -3 && goal.by < -0.02 || (goal.to <= 0.02 && goal.from >= 0.05 && goal.sigma < -2)
    );
    const rising = proxies.filter((proxy) => proxy.sigma > 3 && proxy.by > 0.02).sort((a, b) => b.sigma - a.sigma)[0];
    if (records >= RECORDS && falling !== undefined && rising !== undefined && falling.name !== rising.name) {
      const last = view.records - 1;
      return {
        trainSteps: view.trainSteps.slice(-5),
        message: `${rising.name} rose from ${show(rising.from)} to ${show(rising.to)} while ${falling.name} went from ${
          show(falling.from)
        } to ${show(falling.to)}`,
        evidence: [
          view.evidence(rising.column, 0),
          view.evidence(rising.column, lastKnown(view.column(rising.column), last)),
          view.evidence(falling.column, lastKnown(view.column(falling.column), last)),
          ...view.completions.slice(-1).map((row) => quote(row, "a late completion")),
        ],
        ruledOut: { all_correct_saturated: `${falling.name} falls` },
      };
    }
    const all = trend("reward", "reward", reward.length > 0 ? reward : [0]);
    const facts = firstAndLast(view);
    const gained = all.sigma > 3 && all.by > 0.2 * Math.max(0.5, Math.abs(all.to));
    if (
      reward.length >= RECORDS && goals.length === 0 && gained && facts.last.looping > 0.5 && facts.first.looping < 0.3
    ) {
      return {
        trainSteps: view.trainSteps.slice(-5),
        message: `The reward rose to ${show(all.to)} while ${
          show(100 * facts.last.looping)
        } % of the completions repeat themselves`,
        evidence: [view.evidence("reward", view.records - 1), ...view.completions.slice(-1).map((row) => quote(row))],
      };
    }
    return endState(view) ?? atTheCostOf(view) ?? paidForNothing(view) ?? open(records, goals, proxies);
  },
});

function sameValues(a: Cells, b: Cells): boolean {
  return a.every((value, record) => value === b[record]);
}

/** Runs of ours: what should not fall has fallen beyond chance, in any number of steps, and the reward has not. */
function atTheCostOf(view: RunView): Found | null {
  const held = rewardHolds(view);
  const fall = collapses(view).find(({ what }) => what !== "the reward");
  if (held === null || fall === undefined) return null;
  return {
    trainSteps: [fall.from, fall.to],
    message: `The reward went from ${show(held.from)} to ${show(held.to)} while ${fall.what} fell from ${
      show(fall.best)
    } to ${show(fall.end)}`,
    evidence: [view.evidence("reward", lastKnown(view.column("reward"), view.records - 1)), ...fall.evidence],
    ruledOut: { reward_collapse: "the reward does not fall: the policy learns what is paid" },
  };
}

/** Runs of ours: a reward rises to its top while the task's verifier has never accepted more than 1 % of a batch. */
function paidForNothing(view: RunView): Found | null {
  const accuracy = view.finite("accuracy");
  const reward = view.finite("reward");
  if (view.imported || reward.length < RECORDS || accuracy.length < RECORDS) return null;
  const { from, to, sigma } = trend("reward", "reward", reward);
  if (Math.max(...accuracy) > 0.01 || sigma <= 3 || to < HIGH || to - from < 0.2) return null;
  return {
    severity: "warning",
    trainSteps: view.trainSteps.slice(-5),
    message: `The reward rose from ${show(from)} to ${show(to)} and no completion is right`,
    evidence: [
      view.evidence("reward", 0),
      view.evidence("reward", lastKnown(view.column("reward"), view.records - 1)),
      view.evidence("accuracy", lastKnown(view.column("accuracy"), view.records - 1)),
      ...view.completions.slice(-1).map((row) => quote(row, "a late completion")),
    ],
    hint: "If the verifier does not say what you want, set verifier: none in load_prompts; else mend the reward.",
  };
}

const lateHalf = (values: readonly number[]) => values.slice(Math.floor(values.length / 2));

/** A proxy at its maximum on every sample while the goal is 0 on every sample. */
function endState(view: RunView): Found | null {
  const functions = rewardFunctions(view);
  const goals = functions.filter((entry) => entry.kind === "goal");
  const proxy = functions.find((entry) =>
    entry.kind === "shape" && Math.max(...entry.values) > 0 &&
    mean(lateHalf(entry.values)) >= 0.95 * Math.max(...entry.values)
  );
  if (proxy === undefined || goals.length === 0) return null;
  if (!goals.every((entry) => Math.abs(mean(lateHalf(entry.values))) <= 0.01)) return null;
  const flat = flatness(view);
  const still = flat !== null && flat.share >= 0.5 && flat.records.length >= 5;
  // A goal that was reached before the proxy took over is lost, whether the groups still differ or not.
  const lost = proxy.values.length >= RECORDS && proxy.values[0]! < 0.8 * Math.max(...proxy.values) &&
    goals.some((entry) => mean(entry.values.slice(0, 3)) >= 0.05);
  if (!still && !lost) return null;
  const at = still ? flat.records.at(-1)! : lastKnown(proxy.cells, view.records - 1);
  return {
    trainSteps: still ? view.stepsAt(flat.records) : view.trainSteps.slice(-5),
    message: `${proxy.name} is at its maximum (${show(Math.max(...proxy.values))}) while ${
      goals[0]!.name
    } is at its floor`,
    evidence: [view.evidence(proxy.column, at), view.evidence(goals[0]!.column, at)],
    ruledOut: { all_correct_saturated: `${goals[0]!.name} is at its floor` },
  };
}

function lastKnown(cells: readonly (number | null)[], from: number): number {
  for (let record = from; record >= 0; record--) {
    if (cells[record] !== null && cells[record] !== undefined) return record;
  }
  return Math.max(0, from);
}

/** Too few records for a trend that looks like it. */
function open(records: number, goals: readonly Trend[], proxies: readonly Trend[]): CannotTell | null {
  if (records < 2 || records >= RECORDS) return null;
  const goal = goals.find((entry) => entry.by <= -0.02 && entry.to < 0.85 * entry.from);
  const proxy = proxies.find((entry) => entry.name !== "reward" && entry.by >= 0.03 && entry.to > 1.08 * entry.from);
  if (goal === undefined || proxy === undefined) return null;
  return {
    missing: ["later records"],
    because:
      `${proxy.name} rises and ${goal.name} falls, but ${records} records are no trend (reward_hacking wants ten)`,
  };
}
