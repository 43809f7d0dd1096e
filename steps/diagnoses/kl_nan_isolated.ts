/** Cause `kl_nan_isolated`: only the KL column, or another statistic, is NaN. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { firstNonFinite, STATISTICS } from "./view/non_finite.ts";
import { isNonFinite, isNumber, show } from "./view/numbers.ts";
import { onSome } from "./view/on_records.ts";

export default defineDiagnosis({
  codes: ["N09"],
  wastes: "none",
  severity: "warning",
  about:
    "Only the reported KL (a masked -inf minus -inf), or another statistic such as the entropy (0 times -inf), is NaN; loss and gradient are finite.",
  reads: ["kl", "entropy", "approx_kl", "ratio_mean", "sampler_logprob_gap", "loss", "grad_norm"],
  decision:
    "The KL, or another statistic, is NaN or infinite on at least two records, or all, while loss and grad_norm of the same records are finite; of another statistic also those of all later records, and the reward does not end at its floor.",
  hint: "Guard the metric: take the mean over unmasked tokens only. Watch that it does not spread.",
  byHand: "Mask before subtracting: -inf minus -inf is NaN also where the mask is 0.",
  lookAlikes: { old_logprob_nan: "there loss and grad_norm are NaN too" },
  taughtBy: "open-r1: kl nan on every record, loss finite",
  check(view): Found | null {
    if (view.algorithm === "kto" || firstNonFinite(view) !== null) return null;
    const found = STATISTICS.flatMap((name) => {
      const cells = view.column(name), known = cells.flatMap((value, record) => value !== null ? [record] : []);
      const bad = known.filter((record) => isNonFinite(cells[record]));
      return bad.length === 0 || (bad.length < 2 && known.length > 1) ? [] : [{ name, known, bad }];
    }).toSorted((a, b) => Number(b.name === "kl") - Number(a.name === "kl"));
    if (found.length === 0) return null;
    const { name, known, bad } = found[0]!;
    const finite = bad.filter((record) =>
      ["loss", "policy_loss", "grad_norm"].some((name) => isNumber(view.column(name)[record]))
    );
    if (finite.length < bad.length) return null;
    const at = bad[0]!;
    const other = ["loss", "policy_loss", "grad_norm"].find((name) => isNumber(view.column(name)[at]))!;
    return {
      trainSteps: view.stepsAt(bad),
      message: `The ${name === "kl" ? "KL" : name} is ${show(view.column(name)[at])} ${
        onSome(view, bad.length, known.length)
      }, the loss or the gradient of each is finite`,
      evidence: [...found.map((entry) => view.evidence(entry.name, entry.bad[0]!)), view.evidence(other, at)],
      ruledOut: { old_logprob_nan: "loss and gradient stay finite" },
    };
  },
});
