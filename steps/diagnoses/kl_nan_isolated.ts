/** Cause `kl_nan_isolated`: only the KL column is NaN. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { firstNonFinite } from "./view/non_finite.ts";
import { isNonFinite, isNumber, show } from "./view/numbers.ts";

export default defineDiagnosis({
  codes: ["N09"],
  wastes: "none",
  severity: "warning",
  about: "Only the reported KL is NaN (a masked -inf minus -inf); loss and gradient are finite.",
  reads: ["kl", "loss", "grad_norm"],
  decision:
    "The KL is NaN or infinite on at least two records, or all, while loss and grad_norm of the same records are finite.",
  hint: "Guard the metric: take the mean over unmasked tokens only. Watch that it does not spread.",
  byHand: "Mask before subtracting: -inf minus -inf is NaN also where the mask is 0.",
  lookAlikes: { old_logprob_nan: "there loss and grad_norm are NaN too" },
  taughtBy: "open-r1: kl nan on every record, loss finite",
  check(view): Found | null {
    if (view.algorithm === "kto" || firstNonFinite(view) !== null) return null;
    const kl = view.column("kl");
    const known = kl.flatMap((value, record) => value !== null ? [record] : []);
    const bad = known.filter((record) => isNonFinite(kl[record]));
    if (bad.length === 0 || (bad.length < 2 && known.length > 1)) return null;
    const finite = bad.filter((record) =>
      ["loss", "policy_loss", "grad_norm"].some((name) => isNumber(view.column(name)[record]))
    );
    if (finite.length < bad.length) return null;
    const at = bad[0]!;
    const other = ["loss", "policy_loss", "grad_norm"].find((name) => isNumber(view.column(name)[at]))!;
    return {
      trainSteps: view.stepsAt(bad),
      message: `The KL is ${
        show(kl[at])
      } on ${bad.length} of ${known.length} records, the loss or the gradient of each is finite`,
      evidence: [view.evidence("kl", at), view.evidence(other, at)],
      ruledOut: { old_logprob_nan: "loss and gradient stay finite" },
    };
  },
});
