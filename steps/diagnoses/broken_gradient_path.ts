/** Cause `broken_gradient_path`: parameters are trainable but no gradient arrives. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { isNumber, show } from "./view/numbers.ts";
import { isReinforcement } from "./view/groups.ts";
import { settingFlag } from "./view/settings.ts";
import { spreadOf } from "./view/spread.ts";

/** Records with a batch deviation above 0: enough that not every group of every one was flat. */
const MANY = 5;

export default defineDiagnosis({
  codes: ["N08", "N07"],
  severity: "fatal",
  about: "There is something to learn but the gradient is exactly 0: it does not reach the parameters.",
  reads: ["grad_norm", "zero_spread_fraction", "reward_std", "kl", "entropy", "truncated_fraction", "loss"],
  decision:
    "grad_norm is exactly 0 on a record in which some group has spread (zero-spread share below 1, or a within-group deviation above 0), on most such records, with KL exactly 0 or not printed; one record suffices where the share is printed (in a run of ours the last one), five where only the batch deviation is. In supervised training: 0 on three records with a loss above 0.",
  hint:
    "Look for detach, no_grad, adapters merged or disabled during the loss, inputs without gradients under re-entrant checkpointing.",
  byHand:
    "gradient_checkpointing_kwargs: {use_reentrant: false} or enable_input_require_grads(); then upgrade the libraries.",
  ours:
    "Check the patterns of trainable in load_model; if all weights train, the graph of the loss is at fault: report it.",
  lookAlikes: {
    zero_reward_variance: "there no group has spread",
    all_completions_masked: "there entropy is 0 and everything is truncated",
    no_trainable_parameters: "there the trainable count is 0",
  },
  taughtBy: "ms-swift LoRA: grad_norm 0.0 and kl 0.0 with frac_reward_zero_std 0.0",
  check(view): Found | null {
    const gradient = view.column("grad_norm");
    const zero = gradient.flatMap((value, record) => value === 0 ? [record] : []);
    if (zero.length === 0) return null;
    const rounded = (view.decimals("grad_norm") ?? 0) >= 2;
    if (!isReinforcement(view)) return supervised(view, zero);
    const { flat, share } = spreadOf(view);
    const std = view.column("reward_std");
    const spread = gradient.flatMap((value, record) =>
      isNumber(value) && (flat[record] === false || (isNumber(share[record]) && share[record]! < 0.999)) ? [record] : []
    );
    const masks = settingFlag(view, "mask_truncated") === true;
    // Where truncated completions are masked, the few that count may all lie in groups without spread.
    const masked = (record: number) => {
      const cut = view.column("truncated_fraction")[record] ?? 0;
      return cut === 1 && (view.column("entropy")[record] ?? 0) === 0 || masks && cut > 0.5;
    };
    const dead = spread.filter((record) => gradient[record] === 0 && !masked(record));
    const batch = gradient.flatMap((value, record) =>
      isNumber(value) && flat[record] === null && isNumber(std[record]) && std[record]! > 1e-6 ? [record] : []
    );
    const deadBatch = batch.filter((record) => gradient[record] === 0 && !masked(record));
    // A run of ours prints exact numbers: the last record decides, healthy ones may lie before it.
    const last = view.records - 1;
    const now = !view.imported && dead.at(-1) === last && (view.column("advantage_std")[last] ?? 1) > 1e-6 &&
      (view.column("loss_tokens")[last] ?? 1) > 0;
    const certain = now ||
      view.imported && dead.length > 0 && dead.length >= 0.8 * spread.length && (!rounded || dead.length >= MANY);
    const likely = deadBatch.length >= MANY && deadBatch.length >= 0.9 * batch.length;
    if (!certain && !likely) return null;
    const kl = view.finite("kl");
    if (!now && kl.length > 2 && Math.abs(kl.at(-1)!) > 1e-4) return null;
    const hits = certain ? dead : deadBatch;
    const at = now ? last : hits[0]!;
    const proof = ["zero_spread_fraction", "group_reward_std", "reward_std", "advantage_max"].find((name) =>
      isNumber(view.column(name)[at])
    );
    return {
      trainSteps: view.stepsAt(hits),
      message: `grad_norm is exactly 0 on ${hits.length} record${
        hits.length === 1 ? "" : "s"
      } whose groups have reward spread${proof === undefined ? "" : ` (${proof} ${show(view.column(proof)[at])})`}`,
      evidence: [
        view.evidence("grad_norm", at),
        ...(proof === undefined ? [] : [view.evidence(proof, at)]),
        ...(kl.length > 0 ? [view.evidence("kl", at)] : []),
      ],
      ruledOut: { zero_reward_variance: "groups have spread" },
      confirm: "print the count of trainable parameters: 0 means no_trainable_parameters",
    };
  },
});

function supervised(view: Parameters<typeof spreadOf>[0], zero: readonly number[]): Found | null {
  const gradient = view.finite("grad_norm");
  const loss = view.column("loss");
  const with_loss = zero.filter((record) => isNumber(loss[record]) && Math.abs(loss[record]!) > 1e-6);
  if (with_loss.length < (view.imported ? 3 : 1) || with_loss.length < 0.9 * gradient.length) return null;
  if ((view.decimals("grad_norm") ?? 0) >= 2) return null;
  const margin = view.finite("reward_margin").map(Math.abs);
  if (margin.length > 0 && Math.max(...margin) > 1e-3) return null;
  return {
    trainSteps: view.stepsAt(with_loss),
    message: `grad_norm is exactly 0 on ${with_loss.length} records with a loss of ${show(loss[with_loss[0]!])}`,
    evidence: [view.evidence("grad_norm", with_loss[0]!), view.evidence("loss", with_loss[0]!)],
    confirm: "print the count of trainable parameters: 0 means no_trainable_parameters",
  };
}
