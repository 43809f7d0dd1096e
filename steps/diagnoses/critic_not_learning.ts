/** Cause `critic_not_learning`: the critic of PPO stays where it began, so that advantages are returns with an offset. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { courseOf, wayFrom } from "./view/course.ts";
import { latest, levelNear } from "./view/pairs.ts";
import { AGREEING_RECORDS, isNumber, median, recordsOf, ROUNDING, show, written } from "./view/numbers.ts";
import { isReinforcement } from "./view/groups.ts";
import { firstNonFinite, isCriticAlone, locatedNonFinite, nonFiniteEvidence } from "./view/non_finite.ts";
import { asNumber, setting, settingEvidence } from "./view/settings.ts";
import { usualCriticRate } from "./view/learning_rate.ts";
import { criticRateTimes, HIGH_CRITIC_RATE } from "./remedies/critic_rate.ts";
import type { RunView } from "./view/run_view.ts";

/** Records after which a critic has moved; of a foreign log, whose critic may warm up, more. */
const RECORDS = 20, IMPORTED_RECORDS = 60;
/** Times its start, and the variance of the returns, that a value loss is where an update has wrecked the critic. */
const WRECKED = 100;
/** Times the usual rate, and times the variance of the returns, that a value loss is a warning though the critic came back. */
const FAR = 100, THROWN = 10;
/** The same: times the usual rate, and an explained variance so far below 0 on so many records. */
const HIGH = 10, MISLED = -1, WILD_RECORDS = 3;
const RISEN = 10; // Times its first value that a loss is where a rate that is far out makes it larger.
/** Explained variance of a critic that has learned, the standard errors of its fall, and the share by which it has left its best. */
const FORETOLD = 0.2, LOST = 2 / 3, SURE_LOST = 5;
const DIP = 3; // Levels at the end that are more than a dip.
const SIDE = 5; // Records at the beginning and at the end that are compared.
/** Standard deviations of the returns that values are off at the start, and the shares of that and of the loss that stay. */
const OFF = 0.5, STAYS = 0.8;

export default defineDiagnosis({
  codes: ["N04", "G04"],
  wastes: "none",
  severity: "error",
  applies: (view) => isReinforcement(view) && (view.has("value_loss") || view.has("critic_grad_norm")),
  about:
    "The critic does not learn: its values stay where they began, run away or are NaN; advantages are returns with its error in them.",
  reads: [
    "value_loss",
    "value_mean",
    "value_explained_variance",
    "return_mean",
    "return_std",
    "critic_grad_norm",
    "critic_learning_rate",
    "settings.critic_learning_rate",
  ],
  decision: [
    "NaN: the value loss or the critic's gradient is not finite while those of the policy are.",
    "No rate: the critic's configured learning rate is 0, and none above 0 was printed.",
    "No gradient: its norm is exactly 0 with a value loss above 0 while returns differ, on the last record of a run of ours and on all of at least three of a log.",
    written`Wrecked: the value loss is ${WRECKED} times its first one and the variance of the returns; in a run of ours at ${FAR} times the usual learning rate ${THROWN} times that variance on any record, or at ${HIGH} times an explained variance below ${MISLED} on ${WILD_RECORDS} records.`,
    written`Of a log: a configured rate of ${HIGH_CRITIC_RATE} times the usual one of a critic, and a value loss that ends at ${RISEN} times its first value.`,
    written`A warning: after ${RECORDS} records (${IMPORTED_RECORDS} of a log) the mean value is still ${STAYS} times as far from the mean return as at the start, ${OFF} of the returns' deviation and more, with a value loss that has not fallen below ${STAYS} of its start.`,
    written`A warning over a long run: the explained variance, once ${FORETOLD}, ends below two thirds of its best by ${SURE_LOST} standard errors, on the last ${DIP} of the levels of the run, with a value loss that has risen.`,
    "An explained variance of 0 alone is no sign: rewards of chance cannot be foretold.",
  ],
  hint: "Give the critic a learning rate, and look whether its head trains and its loss reaches it.",
  remedy: [{ step: "update_critic", key: "learning_rate", usual: true }],
  byHand: "Check that the optimizer of the critic owns its parameters and that no warm-up keeps its rate at 0.",
  ours: "Check trainable of load_critic and learning_rate and max_grad_norm of update_critic.",
  lookAlikes: {
    constant_reward: "there returns do not differ: nothing is left to foretell",
    healthy: "a critic at the start of training is as far off as this one, and moves",
  },
  taughtBy:
    "runs of ours with an injected critic: learning rate 0, a detached loss, an optimizer over a copy, a rate of 10",
  check(view): Found | null {
    return notFinite(view) ?? zeroRate(view) ?? noGradient(view) ?? wrecked(view) ?? thrown(view) ??
      overshoots(view) ?? loses(view) ?? stays(view);
  },
});

/** The critic alone is not finite: its updates are lost, and soon its values. */
function notFinite(view: RunView): Found | null {
  const first = firstNonFinite(view), located = locatedNonFinite(view);
  if (first === null || !isCriticAlone(view, first)) return null;
  return {
    severity: "fatal",
    trainSteps: view.stepsFrom(first.record),
    message: `${first.columns.join(", ")} turn NaN at train step ${view.trainSteps[first.record]}${
      located === null ? "" : `; first: ${located.tensor}`
    }; what the policy computes is finite`,
    evidence: [...(located === null ? [] : [located.evidence]), ...nonFiniteEvidence(view, first)],
    hint: "Load the critic anew, from a checkpoint before, and train it at a lower learning rate.",
    ruledOut: { old_logprob_nan: "the policy's loss and gradient are finite" },
  };
}

function zeroRate(view: RunView): Found | null {
  const entry = setting(view, "critic_learning_rate"), printed = view.column("critic_learning_rate");
  const known = recordsOf(printed);
  if (entry === null || asNumber(entry.value) !== 0 || known.some((record) => printed[record]! > 0)) return null;
  return {
    trainSteps: view.stepsAt(known),
    message: "The configured learning rate of the critic is 0",
    evidence: [settingEvidence(entry), ...lossAt(view, view.records - 1)],
    hint: "Give the critic a learning rate of its own.",
    ruledOut: { learning_rate_zero: "the policy has a rate of its own" },
  };
}

/** A loss that is there, and no gradient of it. */
function noGradient(view: RunView): Found | null {
  const gradient = view.column("critic_grad_norm"), loss = view.column("value_loss");
  const spread = view.column("return_std");
  const told = recordsOf(gradient).filter((record) =>
    isNumber(loss[record]) && loss[record]! > ROUNDING && (spread[record] ?? 1) > ROUNDING
  );
  const dead = told.filter((record) => gradient[record] === 0), at = dead.at(-1);
  if (at === undefined || (view.decimals("critic_grad_norm") ?? Infinity) <= 2) return null;
  if (view.imported ? dead.length < AGREEING_RECORDS || dead.length < told.length : at !== view.records - 1) {
    return null;
  }
  return {
    trainSteps: view.stepsAt(dead),
    message: `The critic's gradient norm is exactly 0 with a value loss of ${
      show(loss[at])
    }: the loss does not reach it`,
    evidence: [view.evidence("critic_grad_norm", at), ...lossAt(view, at)],
    ruledOut: { constant_reward: "returns differ" },
    remedy: [],
  };
}

/** Values that an update has thrown far beyond what returns can be. */
function wrecked(view: RunView): Found | null {
  const loss = view.column("value_loss"), spread = view.column("return_std");
  const known = recordsOf(loss), first = known[0], at = known.at(-1);
  if (first === undefined || at === undefined || at === first || !isNumber(spread[at])) return null;
  const level = Math.max(loss[first]!, spread[at]! ** 2);
  if (spread[at]! <= ROUNDING || loss[at]! < WRECKED * level) return null;
  return {
    trainSteps: [view.trainSteps[at]!],
    message: `The value loss is ${show(loss[at])}, at first ${show(loss[first])}, and returns deviate by ${
      show(spread[at])
    }: updates have wrecked the critic`,
    evidence: [view.evidence("value_loss", first), view.evidence("value_loss", at), view.evidence("return_std", at)],
    hint: "Load the critic anew and train it at a lower learning rate.",
  };
}

const USUAL_RATE = "Start again, or from a checkpoint before, with a usual learning rate of the critic.";

/** A log of a critic whose rate is far out, and whose loss each update makes larger instead of smaller. */
function overshoots(view: RunView): Found | null {
  const rate = view.imported ? criticRateTimes(view) : null, loss = view.column("value_loss");
  const known = recordsOf(loss), first = known[0], at = known.at(-1);
  if (rate === null || first === undefined || at === undefined || loss[first]! <= ROUNDING) return null;
  if (loss[at]! < RISEN * loss[first]! || loss[at]! < median(view.finite("value_loss"))) return null;
  return {
    trainSteps: [view.trainSteps[first]!, view.trainSteps[at]!],
    message: `The critic's learning rate is ${show(rate.times)} times what is usual for one, and its loss went from ${
      show(loss[first])
    } to ${show(loss[at])}`,
    evidence: [rate.evidence, view.evidence("value_loss", first), view.evidence("value_loss", at)],
    hint: USUAL_RATE,
    byHand: USUAL_RATE,
    ruledOut: { learning_rate_too_high: "the policy has a rate of its own" },
  };
}

/**
 * A rate far beyond the usual one, and values that an update threw about, also where they came back. The first value loss
 * is no measure: it is a mean over updates that threw them already, and the more the higher the rate.
 */
function thrown(view: RunView): Found | null {
  const entry = setting(view, "critic_learning_rate"), rate = asNumber(entry?.value), usual = usualCriticRate(view);
  if (view.imported || entry === null || rate === null || rate < HIGH * usual) return null;
  const loss = view.column("value_loss"), explained = view.column("value_explained_variance");
  const spread = median(view.finite("return_std"));
  const known = recordsOf(loss), wild = recordsOf(explained).filter((record) => explained[record]! < MISLED);
  const at = rate >= FAR * usual && spread > ROUNDING
    ? known.find((record) => loss[record]! >= THROWN * spread ** 2)
    : undefined;
  const isWild = wild.length >= WILD_RECORDS;
  if (at === undefined && !isWild) return null;
  const told = isWild ? wild : [at!];
  return {
    severity: "warning",
    trainSteps: view.stepsAt(told),
    message: `The critic's learning rate ${show(rate)} is ${show(rate / usual)} times the usual one; ${
      isWild ? `its explained variance fell to ${show(Math.min(...wild.map((record) => explained[record]!)))}` : ""
    }${isWild && at !== undefined ? " and " : ""}${
      at === undefined ? "" : `the value loss reached ${show(Math.max(...view.finite("value_loss")))}`
    } where returns deviate by ${show(spread)}`,
    evidence: [
      settingEvidence(entry),
      ...(isWild ? [view.evidence("value_explained_variance", wild[0]!)] : []),
      ...(at === undefined ? [] : [view.evidence("value_loss", at)]),
    ],
    hint: "Load the critic anew and train it at the usual learning rate.",
  };
}

/** Values that keep their distance to the returns. */
function stays(view: RunView): Found | null {
  const [value, wanted, spread, loss] = ["value_mean", "return_mean", "return_std", "value_loss"]
    .map((name) => view.column(name));
  const known = view.trainSteps.flatMap((_, record) =>
    [value, wanted, loss].every((cells) => isNumber(cells![record])) ? [record] : []
  );
  if (known.length < (view.imported ? IMPORTED_RECORDS : RECORDS)) return null;
  const level = (records: readonly number[], of: (record: number) => number) => median(records.map(of));
  const [first, last] = [known.slice(0, SIDE), known.slice(-SIDE)];
  const gap = (record: number) => Math.abs(value![record]! - wanted![record]!);
  const [before, after] = [level(first, gap), level(last, gap)];
  // Where the deviation is not printed, the loss of values that foretell nothing is half of its square, or all of it.
  const deviation = level(last, (record) => spread![record] ?? Math.sqrt(Math.max(loss![record]!, 0)));
  const [lossBefore, lossAfter] = [level(first, (r) => loss![r]!), level(last, (r) => loss![r]!)];
  if (before < OFF * deviation || deviation <= ROUNDING || after < STAYS * before) return null;
  if (lossAfter < STAYS * lossBefore) return null;
  const [from, to] = [known[0]!, known.at(-1)!];
  return {
    severity: "warning",
    trainSteps: [view.trainSteps[from]!, view.trainSteps[to]!],
    message: `After ${known.length} records the values lie ${show(after)} from the returns, at first ${
      show(before)
    }: the critic has not moved`,
    evidence: [
      view.evidence("value_mean", from),
      view.evidence("value_mean", to),
      view.evidence("return_mean", to),
      view.evidence("value_loss", to),
    ],
  };
}

/** Long runs: a critic that foretold returns foretells them no more, and its loss says that it is not for want of variance. */
function loses(view: RunView): Found | null {
  const explained = courseOf(view, "value_explained_variance"), loss = courseOf(view, "value_loss");
  if (explained === null) return null;
  const { from: most, to: now, sigma, best, left } = wayFrom(explained, 1);
  if (most < FORETOLD || now > LOST * most || sigma > -SURE_LOST) return null;
  const { levels } = explained, step = view.trainSteps[levels[best]!.to]!;
  // A dip has one level or two; where returns no longer differ, the loss falls with what was explained.
  if (levels.slice(-DIP).some(({ value }) => value > (most + now) / 2)) return null;
  if (loss !== null && latest(loss) <= levelNear(loss, view.trainSteps, step)) return null;
  const from = levels[left]!.from, last = explained.records.at(-1)!;
  return {
    severity: "warning",
    trainSteps: view.stepsFrom(from),
    message: `The explained variance of the critic falls from about ${show(most)} to ${show(now)} from train step ${
      view.trainSteps[from]
    } on${loss === null ? "" : `, its loss rises to ${show(latest(loss))}`}: its values mislead the advantages`,
    evidence: [
      ...[explained.records[0]!, from, last].map((record) => view.evidence("value_explained_variance", record)),
      ...lossAt(view, last),
    ],
    hint:
      "Go on from a checkpoint before with a smaller learning rate of the critic, or train it on more of each rollout.",
    ruledOut: loss === null ? {} : { healthy: "returns still differ: the value loss has not fallen" },
  };
}

function lossAt(view: RunView, record: number) {
  return isNumber(view.column("value_loss")[record]) ? [view.evidence("value_loss", record)] : [];
}
