/** Cause `invalid_reward_values`: rewards are NaN, infinite, None or of absurd scale. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { CLIPPED_REWARDS } from "./remedies/often.ts";
import { isNonFinite, isNumber, median, show, written } from "./view/numbers.ts";
import { groupsOf } from "./view/spread.ts";
import { message, messageCount, messageEvidence } from "./view/messages.ts";
import { firstNonFinite } from "./view/non_finite.ts";
import { quote } from "./view/texts.ts";
import { type Completion, type RunView, stepOf } from "./view/run_view.ts";
import { isPreference } from "./view/groups.ts";

const READ = 512; // Completions of ours whose rewards are compared.
const WARNINGS = 3; // Warnings of the trainer that are more than one bad batch.
/** Rewards are of the order of 1: a thousand is absurd where the gradient is too, 1e5 alone. */
const ABSURD = 1e3, HUGE = 1e5;
const SAMPLES = 8; // Samples beside which one is an outlier.
const USUAL = 1; // The least that their median counts as: tiny rewards have no outlier.

export default defineDiagnosis({
  codes: ["R01", "R07"],
  wastes: "flat",
  about: "Some rewards are NaN, None, infinite or absurdly large; averages hide it and advantages carry it on.",
  reads: ["reward", "reward.<name>", "completions.<reward>", "completions.advantage", "grad_norm"],
  decision:
    written`A NaN or an infinity in a reward column before any loss is non-finite; or one sample whose reward is NaN or infinite; or one that a function leaves null or NaN and which still gets an advantage while it scores others of the group (an abstention covers the whole group; in our runs a function's null is one too); or every reward None; or a median |reward| above ${ABSURD} with a median gradient norm above ${ABSURD}, or one of at least ${HUGE} alone; or among at least ${SAMPLES} samples one |reward| of at least ${ABSURD} times their median, which counts as ${USUAL} where it is less. A reward or score that a log prints in percent first and as shares later, or the other way round, is read as shares throughout: a note.`,
  hint: "Find the sample and the function, return a number always, and drop samples that cannot be scored.",
  ours:
    "Return a finite number, or null for a completion that cannot be judged; on_error: drop of score_rewards leaves out what a file of yours fails on.",
  lookAlikes: {
    non_finite_weights: "there loss and grad_norm are NaN too",
    all_completions_masked: "there the rewards are finite",
  },
  taughtBy: "TRL: a judge's NaN for one sample in eight, hidden by the averages",
  check(view): Found | null {
    return inColumns(view) ?? inSamples(view) ?? allNone(view) ?? absurd(view) ?? outlier(view) ??
      scaleChange(view);
  },
});

function inColumns(view: RunView): Found | null {
  const first = firstNonFinite(view);
  for (const [name, cells] of view.columns) {
    if (
      name !== "reward" && name !== "reward_max" && name !== "reward_min" &&
      !(name.startsWith("reward.") && view.has("reward"))
    ) continue;
    const at = cells.findIndex(isNonFinite);
    if (at < 0 || (first !== null && first.record < at)) continue;
    const kto = isPreference(view);
    if (kto) continue;
    return {
      trainSteps: [view.trainSteps[at]!],
      message: `${name} is ${show(cells[at])} at train step ${view.trainSteps[at]}`,
      evidence: [view.evidence(name, at), ...(view.has("grad_norm") ? [view.evidence("grad_norm", at)] : [])],
      ruledOut: { non_finite_weights: "the reward is not finite before any weight is" },
    };
  }
  return null;
}

/** A reward that is not finite, or is missing where the rest of the group has one and the completion is learned from. */
function inSamples(view: RunView): Found | null {
  const rows = view.imported ? view.completions : view.completions.slice(0, READ);
  const broken = rows.flatMap((row) => isNonFinite(row.reward) ? [{ row, name: "reward", value: row.reward }] : []);
  const bad = broken.length > 0 ? broken : view.imported ? missing(rows) : rows.flatMap((row) =>
    // In our runs null is a word of the function's: the sum is that of the others, the advantage without any is 0.
    row.reward === null && isLearned(row) ? [{ row, name: "reward", value: null }] : []
  );
  const first = bad[0];
  if (first === undefined) return null;
  const alike = bad.filter(({ name, value }) => name === first.name && (value === null) === (first.value === null));
  const value = first.value === null ? "null" : show(first.value);
  return {
    trainSteps: stepOf(first.row),
    message: `${first.name} is ${value} for ${alike.length} of ${rows.length} ${
      view.imported ? "printed samples" : "completions of the last train step"
    }${alike.every(({ row }) => isLearned(row)) ? ", which still get an advantage" : ""}`,
    evidence: [quote(first.row, `${first.name} ${value}; advantage ${show(first.row.advantage)}`)],
    ruledOut: { non_finite_weights: "loss and gradient are finite" },
  };
}

const isLearned = ({ advantage }: Completion) => advantage !== null && advantage !== 0;

/** Null, or the NaN that a trainer makes of None, beside numbers of the same function in the group. */
function missing(rows: readonly Completion[]) {
  return groupsOf(rows).flatMap((group) =>
    [...new Set(group.flatMap((row) => Object.keys(row.rewards)))].flatMap((name) => {
      // A name that a row lacks altogether is another table's, not a value that is missing.
      const scored = group.filter((row) => Object.hasOwn(row.rewards, name));
      const without = scored.filter((row) => !isNumber(row.rewards[name]));
      if (without.length === scored.length) return [];
      return without.filter(isLearned).map((row) => ({ row, name, value: row.rewards[name]! }));
    })
  );
}

function allNone(view: RunView): Found | null {
  const unscored = view.completions.length > 0 &&
    view.completions.every((row) => row.reward === null && row.advantage !== null);
  if (!view.imported && unscored) {
    return {
      trainSteps: view.trainSteps.slice(-1),
      message: `No reward for any of ${view.completions.length} completions`,
      evidence: [quote(view.completions[0]!, "reward null")],
    };
  }
  const warned = message(view, /All reward functions returned None|returned None for (?:all|the following)/i);
  const zero = view.column("zero_spread_fraction");
  const gradient = view.column("grad_norm");
  const at = view.trainSteps.findIndex((_, record) =>
    zero[record] === 0 && gradient[record] === 0 && !isNumber(view.column("reward")[record]) &&
    view.column("reward").length > 0
  );
  const many = warned !== null && (messageCount(view, /returned None/) >= WARNINGS || at >= 0);
  const empty = at >= 0 && view.column("reward").every((value) => !isNumber(value));
  if (!many && !empty) return null;
  return {
    trainSteps: at >= 0 ? [view.trainSteps[at]!] : [],
    message: "The reward functions return no value at all",
    evidence: [
      ...(warned === null ? [] : [messageEvidence(warned)]),
      ...(at >= 0 ? [view.evidence("reward", at), view.evidence("grad_norm", at)] : []),
    ],
  };
}

function absurd(view: RunView): Found | null {
  const rewards = view.finite("reward").map(Math.abs);
  const gradient = view.finite("grad_norm");
  if (rewards.length === 0 || median(rewards) <= ABSURD) return null;
  const huge = median(rewards) >= HUGE;
  if (!(gradient.length > 0 && median(gradient) > ABSURD) && !huge) return null;
  return {
    trainSteps: view.trainSteps.slice(0, 1),
    message: `Rewards are of the order of ${show(median(rewards))}${
      gradient.length > 0 ? `, the gradient norm ${show(median(gradient))}` : ""
    }`,
    evidence: [view.evidence("reward", 0), ...(gradient.length > 0 ? [view.evidence("grad_norm", 0)] : [])],
    hint: "Scale or clip the rewards to about 1.",
    remedy: [CLIPPED_REWARDS],
  };
}

/** A sample whose reward is a thousand times that of the others: it alone decides the advantages of its group. */
function outlier(view: RunView): Found | null {
  const scored = view.completions.flatMap((row) =>
    Object.entries({ reward: row.reward, ...row.rewards }).flatMap(([name, value]) =>
      isNumber(value) ? [{ row, name, value, size: Math.abs(value) }] : []
    )
  );
  const names = [...new Set(scored.map(({ name }) => name))];
  for (const name of names) {
    const own = scored.filter((entry) => entry.name === name);
    const usual = Math.max(USUAL, median(own.map(({ size }) => size)));
    const far = own.filter(({ size }) => size >= ABSURD * usual);
    if (own.length < SAMPLES || far.length === 0) continue;
    return {
      trainSteps: stepOf(far[0]!.row),
      message: `${name} is ${show(far[0]!.value)} for ${far.length} of ${own.length} printed samples, between ${
        show(-usual)
      } and ${show(usual)} for most`,
      evidence: [quote(far[0]!.row, `${name} ${show(far[0]!.value)}`)],
      hint: "Scale or clip the rewards to about 1.",
      remedy: [CLIPPED_REWARDS],
    };
  }
  return null;
}

/** A log that goes from percent to shares: no value is wrong, and no level has changed. */
function scaleChange(view: RunView): Found | null {
  const { trained, tested } = view.scaleChanges;
  const told = [...trained].map(([name, change]) => ({ name, ...change, isTest: false }));
  const all = [...told, ...[...tested].map(([name, change]) => ({ name, ...change, isTest: true }))];
  const first = all[0];
  if (first === undefined) return null;
  const step = (first.isTest ? view.evaluationSteps : view.trainSteps)[first.record]!;
  const rows = first.record === 0 ? [0] : [first.record - 1, first.record];
  return {
    severity: "info",
    trainSteps: [step],
    message: `${all.map(({ name, isTest }) => isTest ? `eval_${name}` : name).join(", ")} change${
      all.length === 1 ? "s" : ""
    } from ${first.percentBefore ? "percent to shares" : "shares to percent"} at train step ${step}: read as shares`,
    evidence: rows.map((record) =>
      first.isTest ? view.evaluationEvidence(first.name, record) : view.evidence(first.name, record)
    ),
    hint: "Print one scale throughout.",
  };
}
