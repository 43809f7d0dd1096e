/** Cause `preference_margin_blowup`: the DPO margin runs away; it looks perfect. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { change, finiteOf, isNumber, mean, median, recordsOf, show } from "./view/numbers.ts";
import { isPreference } from "./view/groups.ts";

const MARGIN = 50;

export default defineDiagnosis({
  codes: ["P02", "P03"],
  severity: "error",
  about:
    "The margin between chosen and rejected runs away: accuracy 1 and loss 0 look perfect while the policy is wrecked.",
  reads: ["reward_margin", "preference_accuracy", "loss", "chosen_logprob", "rejected_logprob", "epoch"],
  decision:
    "A margin above 50 in absolute value on two records (or the last); or accuracy 1 with a loss below 1e-3 on three records within the first 10 % of an epoch. With a held-out accuracy of 1 as well and a margin below 50 the data are separable.",
  hint: "Start again with a tenth of the learning rate, a larger beta and one epoch.",
  remedy: [
    { option: "learning_rate", mul: 0.1, usual: true, min: 1e-9 },
    { option: "kl_coef", mul: 2, max: 1 },
    { option: "epochs", set: 1 },
  ],
  lookAlikes: { healthy: "separable data have a held-out accuracy of 1 too" },
  taughtBy: "TRL DPO at learning rate 10: margin 7470, loss 0.0, accuracy 1.0",
  check(view): Found | null {
    if (!isPreference(view)) return null;
    const margin = view.column("reward_margin");
    const computed = margin.some(isNumber) ? margin : view.column("chosen_reward").map((value, record) => {
      const other = view.column("rejected_reward")[record];
      return isNumber(value) && isNumber(other) ? value - other : null;
    });
    const name = margin.some(isNumber) ? "reward_margin" : "chosen_reward";
    const known = recordsOf(computed);
    const large = known.filter((record) => Math.abs(computed[record]!) > MARGIN);
    const chosen = view.finite("chosen_logprob");
    const fall = chosen.length >= 4 ? change(chosen).by : 0;
    if (large.length >= 2 || (large.length > 0 && large.at(-1) === known.at(-1))) {
      const at = large.at(-1)!;
      return {
        trainSteps: view.stepsAt(large),
        message: `The margin reaches ${show(computed[at])}${
          fall < -5 ? `, the log-probability of chosen texts fell by ${show(-fall)} nats` : ""
        }`,
        evidence: [
          view.evidence(name, known[0]!),
          view.evidence(name, at),
          ...(isNumber(view.column("loss")[at]) ? [view.evidence("loss", at)] : []),
          ...(isNumber(view.column("chosen_logprob")[at]) ? [view.evidence("chosen_logprob", at)] : []),
        ],
        ruledOut: { healthy: "a working margin stays below 10" },
      };
    }
    const accuracy = view.column("preference_accuracy");
    const epoch = view.column("epoch");
    const early = view.trainSteps.flatMap((_, record) =>
      isNumber(epoch[record]) && epoch[record]! <= 0.1 && accuracy[record] === 1 &&
        isNumber(view.column("loss")[record]) &&
        Math.abs(view.column("loss")[record]!) < 1e-3
        ? [record]
        : []
    );
    const held = finiteOf(view.evaluation("preference_accuracy"));
    if (early.length < 3 || (held.length > 0 && mean(held) > 0.99 && median(finiteOf(computed)) < MARGIN)) return null;
    return {
      trainSteps: view.stepsAt(early),
      message: `Accuracy 1 and loss ${show(view.column("loss")[early[0]!])} after ${
        show(epoch[early[0]!])
      } epochs: too good`,
      evidence: [
        view.evidence("preference_accuracy", early[0]!),
        view.evidence("loss", early[0]!),
        view.evidence("epoch", early[0]!),
      ],
    };
  },
});
