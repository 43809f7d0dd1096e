/** Cause `overfitting`: the training set is memorised or leaks into evaluation. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { finiteOf, isNumber, mean, median, show } from "./view/numbers.ts";
import { shareVariance } from "./view/falls.ts";
import { isReinforcement } from "./view/groups.ts";
import type { RunView } from "./view/run_view.ts";
import { scoreEvidence } from "./view/scores.ts";
import { quote } from "./view/texts.ts";

export default defineDiagnosis({
  codes: ["S02", "G05", "D03"],
  severity: "warning",
  about: "The run memorises its training set: held-out results get worse while training results get better.",
  reads: [
    "loss",
    "evaluations.loss",
    "epoch",
    "reward",
    "evaluations.reward",
    "evaluations.accuracy",
    "evaluations.correct",
  ],
  decision:
    "The evaluation loss rises three times running to more than 5 % above its best while the training loss falls and lies below it; or the training loss drops by more than 15 % at two starts of an epoch; or the training reward, in a run of ours the accuracy of the rollouts, is at least 0.9 with a held-out one lower by more than 0.3; in a run of ours also if half of the prompts of a train step are copies, or a warm start has a loss below 0.1 and less than 0.3 of the validation prompts right.",
  hint: "Take the best checkpoint, train fewer epochs, or use more data.",
  remedy: [{ option: "epochs", set: 1 }],
  lookAlikes: { reward_hacking: "there a proxy rises on new prompts too" },
  taughtBy: "catalogue S02 (100 rows for 50 epochs); REINFORCE++ paper: 95.0 % in training, 0.0 % held out",
  check(view): Found | null {
    return risingEvaluation(view) ?? gap(view) ?? heldOutGap(view) ?? stairs(view) ?? copies(view) ?? byHeart(view);
  },
});

function risingEvaluation(view: RunView): Found | null {
  const evaluation = view.evaluation("loss");
  const values = finiteOf(evaluation);
  if (values.length < 4 || isReinforcement(view)) return null;
  const best = Math.min(...values);
  const tail = values.slice(-3);
  const before = values.at(-4)!;
  const rising = tail.every((value, index) => value > (index === 0 ? before : tail[index - 1]!));
  const loss = view.finite("loss");
  const late = mean(loss.slice(-Math.max(1, Math.floor(loss.length / 4))));
  const early = mean(loss.slice(0, Math.max(1, Math.floor(loss.length / 4))));
  const above = values.at(-1)! > 1.05 * best;
  const well = values.at(-1)! > 1.3 * best && values.indexOf(best) <= values.length - 3;
  if (!(rising && above || well) || loss.length === 0 || late >= early || values.at(-1)! < late) return null;
  return {
    trainSteps: view.evaluationSteps.slice(-3),
    message: `Evaluation loss rises from ${show(best)} to ${show(values.at(-1))} while training loss falls to ${
      show(late)
    }`,
    evidence: [
      view.evaluationEvidence("loss", evaluation.findLastIndex(isNumber)),
      view.evidence("loss", view.column("loss").findLastIndex(isNumber)),
    ],
    ruledOut: { training_divergence: "the training loss falls" },
  };
}

function gap(view: RunView): Found | null {
  for (
    const [train, held] of [["accuracy", "accuracy"], ["reward", "reward"], ["token_accuracy", "token_accuracy"], [
      "preference_accuracy",
      "preference_accuracy",
    ]] as const
  ) {
    const [mine, other] = [view.finite(train), finiteOf(view.evaluation(held))];
    if (mine.length < 5 || other.length < 1) continue;
    const [top, low] = [median(mine.slice(-5)), median(other.slice(-3))];
    if (top > 1.05 || top < 0.9 || top - low <= 0.3) continue;
    if (train === "preference_accuracy" && low < 0.4) continue;
    return {
      trainSteps: view.trainSteps.slice(-1),
      message: `${train} is ${show(top)} in training and ${show(low)} held out`,
      evidence: [
        view.evidence(train, view.column(train).findLastIndex(isNumber)),
        view.evaluationEvidence(held, view.evaluation(held).findLastIndex(isNumber)),
      ],
    };
  }
  return null;
}

/** Runs of ours: right on the prompts of the rollouts of that time, wrong on those that were held out. */
function heldOutGap(view: RunView): Found | null {
  if (!isReinforcement(view)) return null;
  const accuracy = view.column("accuracy");
  for (const series of view.scores) {
    if (series.split === "train" || series.mode !== "sampled") continue;
    const at = series.values.length - 1;
    const known = view.trainSteps.flatMap((step, record) =>
      step <= series.trainSteps[at]! && isNumber(accuracy[record]) ? [record] : []
    ).slice(-5);
    const top = median(known.map((record) => accuracy[record]!));
    const low = series.values[at]!;
    const noise = Math.sqrt(shareVariance(series.prompts ?? 1)(low, 1));
    if (known.length < 5 || !(top >= 0.9) || top - low <= Math.max(0.3, 3 * noise)) continue;
    return {
      trainSteps: [series.trainSteps[at]!],
      message: `${show(100 * top)} % of the completions are right in training and ${show(100 * low)} % of ${
        series.prompts ?? "the"
      } prompts that were held out`,
      evidence: [view.evidence("accuracy", known.at(-1)!), scoreEvidence(series, at)],
      hint: "Give more different prompts: these are known by heart.",
      remedy: [],
    };
  }
  return null;
}

/** Drops at epoch starts: the second visit of a row is recognised. */
function stairs(view: RunView): Found | null {
  if (view.algorithm !== "sft" && view.algorithm !== "dpo") return null;
  const [epoch, loss] = [view.column("epoch"), view.column("loss")];
  const mean5 = (from: number, to: number) => mean(finiteOf(loss.slice(Math.max(0, from), to)));
  const drops: number[] = [];
  for (let record = 6; record < view.records - 5; record++) {
    const [before, now] = [epoch[record - 1], epoch[record]];
    if (!isNumber(before) || !isNumber(now) || Math.ceil(before) === Math.ceil(now) || now < 1) continue;
    const inside = mean5(record - 10, record - 5);
    const [last, next] = [mean5(record - 5, record), mean5(record, record + 5)];
    if (next < 0.85 * last && Math.abs(inside - last) < 0.5 * (last - next)) drops.push(record);
  }
  if (drops.length < 2) return null;
  return {
    trainSteps: view.stepsAt(drops),
    message: `The loss drops at ${drops.length} starts of an epoch: rows seen before are recognised`,
    evidence: drops.slice(0, 2).map((record) => view.evidence("loss", record)),
    confirm: "the loss on held-out rows",
  };
}

/** Prompts with different numbers and one text: the data holds copies. */
function copies(view: RunView): Found | null {
  if (view.imported) return null;
  const texts = new Map<number, string>();
  for (const { promptId, prompt } of view.completions) if (prompt !== null) texts.set(promptId, prompt);
  const distinct = new Set(texts.values()).size;
  if (texts.size < 4 || distinct > 0.5 * texts.size) return null;
  return {
    trainSteps: view.trainSteps.slice(-1),
    message: `${texts.size} prompts of the train step have ${distinct} different text${distinct === 1 ? "" : "s"}`,
    evidence: [quote(view.completions[0]!, `prompt ${JSON.stringify(view.completions[0]!.prompt)}`)],
    hint: "Remove duplicates from the data.",
    remedy: [],
  };
}

/** A warm start that knows its rows by heart and nothing else. */
function byHeart(view: RunView): Found | null {
  if (view.imported || view.algorithm !== "sft") return null;
  const accuracy = view.column("accuracy");
  const at = accuracy.findLastIndex(isNumber);
  const loss = view.column("loss")[at];
  if (at < 0 || !isNumber(loss) || loss > 0.1 || accuracy[at]! >= 0.3) return null;
  return {
    trainSteps: [view.trainSteps[at]!],
    message: `The loss is ${show(loss)} and ${show(100 * accuracy[at]!)} % of the validation prompts are right`,
    evidence: [view.evidence("loss", at), view.evidence("accuracy", at)],
  };
}
