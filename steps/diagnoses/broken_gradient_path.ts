/** Cause `broken_gradient_path`: parameters are trainable but no gradient arrives. @module */
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { isNumber, median, recordsOf, ROUNDING, show, trendScore, written } from "./view/numbers.ts";
import { isReinforcement } from "./view/groups.ts";
import type { Evidence } from "./view/evidence.ts";
import { messageEvidence } from "./view/messages.ts";
import { ownNumber, settingFlag, settingNumber } from "./view/settings.ts";
import { ALL, spreadOf } from "./view/spread.ts";
import type { RunView } from "./view/run_view.ts";
import { hasTold, onAll, onThese } from "./view/on_records.ts";

/** Shares of the records with something to learn that must be without a gradient: where each shows it, where not. */
const MOST = 0.8, NEARLY_ALL = 0.9;
const MOVED = 1e-4; // A KL beyond this has moved: then gradients have arrived.
const LOSSES = 3, LEARNED_MARGIN = 1e-3; // Records of a supervised log; a margin beyond which a preference was learned.
const CUT =
  "torch warns that a checkpointed layer got no input with a gradient: re-entrant checkpointing ends the backward pass " +
  "there, as where an adapter stands on frozen embeddings.";
const CONFIRM = "print the count of trainable parameters: 0 means no_trainable_parameters";

const LONG = 10; // Records without a gradient in a log that tells nothing of its groups: no healthy run has them.
const MANY = 5; // Records with a batch deviation above 0: enough that not every group of every one was flat.
/** Times the rounding that gradients were before they stopped, so that a 0 is none of few digits; a rise beyond chance. */
const FAR = 100, RISES = 3;
const NOTHING = 1e-5; // A gradient that moves nothing: those of healthy runs are above 0.01.
const CLIPPED = 0.9; // Share of clipped tokens whose gradient is 0 by the formula.

export default defineDiagnosis({
  codes: ["N08", "N07"],
  wastes: "all",
  severity: "fatal",
  about: "There is something to learn but the gradient is exactly 0: it does not reach the parameters.",
  reads: [
    "grad_norm",
    "zero_spread_fraction",
    "reward_std",
    "kl",
    "entropy",
    "truncated_fraction",
    "loss",
    "messages.inputs_without_grad",
    "messages.trainable_parameters",
  ],
  decision: [
    written`grad_norm is exactly 0 on a record in which some group has spread (zero-spread share below 1, or a within-group deviation above 0), on most such records, with KL exactly 0 or not printed; one record suffices where the share is printed (in a run of ours the last one), five where only the batch deviation is.`,
    written`Where the log tells nothing of its groups: 0 on every one of at least ten records between which the reward changes. In supervised training: 0 on three records with a loss above 0.`,
    written`Later in a run, after gradients of ${FAR} times the rounding: ${LONG} records in a row and more, ${MANY} of them with spread in some group (a loss above 0), fatal where it lasts to the end, else a warning; where the log does not tell of its groups the verdict is open.`,
    written`What is at most ${NOTHING}, on ${LONG} records and ${MOST} % of them, counts as 0 unless the KL is above ${MOVED}; where the reward rises beyond chance and no KL of 0 speaks against it, the verdict is open.`,
  ],
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
  check(view): Found | CannotTell | null {
    const zero = view.column("grad_norm").flatMap((value, record) => value === 0 ? [record] : []);
    if (zero.length === 0) return vanishing(view);
    if (!isReinforcement(view)) return supervised(view, zero) ?? stops(view);
    const { dead, certain, likely, now } = deadRecords(view);
    if (!certain && !likely) return untold(view, zero) ?? stops(view) ?? vanishing(view);
    const kl = view.finite("kl");
    if (!now && kl.length > 2 && Math.abs(kl.at(-1)!) > MOVED) return null;
    const at = now ? view.records - 1 : dead[0]!;
    const proof = ["zero_spread_fraction", "group_reward_std", "reward_std", "advantage_max"].find((name) =>
      isNumber(view.column(name)[at])
    );
    return {
      trainSteps: view.stepsAt(dead),
      message: `grad_norm is exactly 0 ${onThese(view, dead.length)} ${spreadWords(view)}${
        proof === undefined ? "" : ` (${proof} ${show(view.column(proof)[at])})`
      }`,
      evidence: [
        view.evidence("grad_norm", at),
        ...(proof === undefined ? [] : [view.evidence(proof, at)]),
        ...(kl.length > 0 ? [view.evidence("kl", at)] : []),
        ...linesOf(view),
      ],
      ...said(view, { zero_reward_variance: "groups have spread" }),
    };
  },
});

/** torch's warning of a checkpointed layer none of whose inputs has a gradient. Alone it proves nothing: healthy runs print it. */
const cutOff = (view: RunView) => view.messages.find(({ kind }) => kind === "inputs_without_grad") ?? null;

/** A printed count of trainable parameters above 0. */
const counted = (view: RunView) =>
  view.messages.find(({ kind, value }) => kind === "trainable_parameters" && (value ?? 0) > 0) ?? null;

/** The lines that say where the gradient ends, or that something is there to train. */
function linesOf(view: RunView): Evidence[] {
  return [cutOff(view), counted(view)].flatMap((line) => line === null ? [] : [messageEvidence(line)]);
}

/** What those lines change in the finding: the cut by its name, and that parameters are trainable. */
function said(
  view: RunView,
  others: Readonly<Record<string, string>> = {},
): Pick<Found, "hint" | "ruledOut" | "confirm"> {
  const own = ownNumber(view, "trainable_parameters");
  const count = own !== null && own > 0 ? own : counted(view)?.value ?? null;
  const ruledOut = count === null
    ? others
    : { ...others, no_trainable_parameters: `${count.toLocaleString("en")} parameters are trainable` };
  return {
    ...(cutOff(view) === null ? {} : { hint: CUT }),
    ...(Object.keys(ruledOut).length > 0 ? { ruledOut } : {}),
    ...(count === null ? { confirm: CONFIRM } : {}),
  };
}

/** Where truncated completions are masked, the few that count may all lie in groups without spread. */
function isMasked(view: RunView, record: number): boolean {
  const cut = view.column("truncated_fraction")[record] ?? 0;
  return cut === 1 && (view.column("entropy")[record] ?? 0) === 0 ||
    settingFlag(view, "mask_truncated") === true && cut > 0.5;
}

/** Some group of the record has spread. */
function hasSpread(view: RunView, record: number): boolean {
  const { flat, share } = spreadOf(view);
  return flat[record] === false || (share[record] ?? 1) < ALL;
}

/** Records without a gradient although there is something to learn, and how sure that is. */
function deadRecords(view: RunView) {
  const gradient = view.column("grad_norm"), std = view.column("reward_std"), last = view.records - 1;
  const known = recordsOf(gradient);
  const { flat } = spreadOf(view);
  const isDead = (record: number) => gradient[record] === 0 && !isMasked(view, record);
  const spread = known.filter((record) => hasSpread(view, record));
  const batch = known.filter((record) => flat[record] === null && isNumber(std[record]) && std[record]! > ROUNDING);
  const [dead, deadBatch] = [spread.filter(isDead), batch.filter(isDead)];
  // A run of ours prints exact numbers: the last record decides, healthy ones may lie before it.
  const now = !view.imported && dead.at(-1) === last && (view.column("advantage_std")[last] ?? 1) > ROUNDING &&
    (view.column("loss_tokens")[last] ?? 1) > 0;
  const certain = now || view.imported && dead.length > 0 && dead.length >= MOST * spread.length &&
      (!isRounded(view) || dead.length >= MANY);
  const likely = deadBatch.length >= MANY && deadBatch.length >= NEARLY_ALL * batch.length;
  return { dead: certain ? dead : deadBatch, certain, likely, now };
}

/** A gradient of 0 throughout, in a log that does not say whether groups have spread: without any nothing is learned either. */
function untold(view: RunView, zero: readonly number[]): Found | null {
  const { flat } = spreadOf(view), known = view.finite("grad_norm").length, reward = view.finite("reward");
  const tells = flat.some((value) => value !== null) || view.finite("reward_std").length > 0;
  if (tells || !view.imported || zero.length < LONG || zero.length < known || isRounded(view)) return null;
  if (reward.length < LONG || Math.max(...reward) - Math.min(...reward) <= ROUNDING) return null;
  return {
    trainSteps: view.stepsAt(zero),
    message: `grad_norm is exactly 0 ${onAll(view, zero.length)}, while the reward changes`,
    evidence: [zero[0]!, zero.at(-1)!].map((record) => view.evidence("grad_norm", record)),
    ...said(view),
    confirm:
      "print the advantages, or the share of groups without spread: if every group ties, it is zero_reward_variance",
  };
}

/** The longest stretch of records in a row whose gradient is exactly 0; none before which none was far from it. */
function stretch(view: RunView): { readonly records: readonly number[]; readonly lasts: boolean } | null {
  const cells = view.column("grad_norm"), known = recordsOf(cells);
  let best: readonly number[] = [], from = 0;
  known.forEach((record, at) => {
    if (cells[record] !== 0) from = at + 1;
    else if (at + 1 - from > best.length) best = known.slice(from, at + 1);
  });
  const before = known.filter((record) => record < best[0]! && cells[record]! > 0).map((record) => cells[record]!);
  if (best.length < LONG || !(median(before) > FAR * view.rounding("grad_norm"))) return null;
  return { records: best, lasts: best.at(-1) === known.at(-1) };
}

/** Gradients arrived, and from a record on none does, though there still is something to learn. */
function stops(view: RunView): Found | CannotTell | null {
  const found = stretch(view);
  if (found === null) return null;
  const { records, lasts } = found, isRun = isReinforcement(view), loss = view.column("loss");
  const dead = records.filter((record) =>
    isRun
      ? hasSpread(view, record) && !isMasked(view, record) && (view.column("clip_fraction")[record] ?? 0) < CLIPPED
      : Math.abs(loss[record] ?? 0) > LEARNED_MARGIN
  );
  if (dead.length < MANY) return isRun && lasts ? untoldStop(view, records) : null;
  const first = dead[0]!, step = view.trainSteps[first];
  return {
    ...(lasts ? {} : { severity: "warning" }),
    trainSteps: view.stepsAt(dead),
    trend: true,
    message: `grad_norm is exactly 0 from train step ${step} on ${
      lasts ? "to the end" : `to ${view.trainSteps[dead.at(-1)!]}`
    }, ${onThese(view, dead.length)} ${isRun ? spreadWords(view) : `with a loss of ${show(loss[first])}`}`,
    evidence: [
      view.evidence("grad_norm", first),
      view.evidence("grad_norm", dead.at(-1)!),
      ...(isRun ? spreadEvidence(view, first) : [view.evidence("loss", first)]),
      ...linesOf(view),
    ],
    ...said(view, isRun ? { zero_reward_variance: "groups have spread" } : {}),
  };
}

/** The same in a log that does not say whether groups have spread: they may all tie by then. */
function untoldStop(view: RunView, records: readonly number[]): CannotTell | null {
  const { flat } = spreadOf(view), rewards = records.map((record) => view.column("reward")[record]).filter(isNumber);
  const untold = records.filter((record) => flat[record] === null);
  if (untold.length < LONG || !(Math.max(...rewards) - Math.min(...rewards) > ROUNDING)) return null;
  return {
    missing: ["the share of groups without spread (frac_reward_zero_std)"],
    because:
      `grad_norm is exactly 0 from train step ${view.trainSteps[records[0]!]} to the end, ${
        onThese(view, records.length)
      } ` +
      "between which the reward changes: no gradient arrives, or every group ties",
  };
}

/** Gradients that are not 0 and move nothing: what summing in float32 leaves of none. */
function vanishing(view: RunView): Found | CannotTell | null {
  if (!isReinforcement(view) || !view.imported) return null;
  const cells = view.column("grad_norm"), { flat } = spreadOf(view);
  const known = recordsOf(cells).filter((record) => flat[record] !== true && !isMasked(view, record));
  const small = known.filter((record) => Math.abs(cells[record]!) <= NOTHING);
  if (small.length < LONG || small.length < MOST * known.length || view.rounding("grad_norm") > NOTHING) return null;
  const kl = view.finite("kl").map(Math.abs), reward = view.finite("reward");
  if (kl.length > 0 && Math.max(...kl) > MOVED) return null;
  const moves = Math.max(...reward) - Math.min(...reward) > ROUNDING, rises = trendScore(reward) > RISES;
  const isStill = kl.length >= LONG && Math.max(...kl) === 0 && settingNumber(view, "kl_coef") !== 0;
  if (!moves) return null;
  const at = small.at(-1)!, most = show(Math.max(...small.map((record) => Math.abs(cells[record]!))));
  const what = `grad_norm is at most ${most} ${onThese(view, small.length)}`;
  if (rises && !isStill) {
    return {
      missing: ["a KL to the reference, or two checkpoints to compare"],
      because:
        `${what}, which moves hardly a weight, and the reward rises all the same: the columns contradict each other`,
    };
  }
  return {
    trainSteps: view.stepsAt(small),
    message: `${what} while the reward changes: no gradient to speak of reaches the parameters`,
    evidence: [view.evidence("grad_norm", at), ...(kl.length > 0 ? [view.evidence("kl", at)] : []), ...linesOf(view)],
    ...said(view),
    confirm: "compare two checkpoints byte by byte, and print the advantages",
  };
}

/** What shows that some group of a record has spread. */
function spreadEvidence(view: RunView, record: number): Evidence[] {
  const from = spreadOf(view).from[record] ?? null;
  return from === null ? [] : [view.evidence(from, record)];
}

/** Printed with so few digits that 0 may be a small gradient. */
function isRounded(view: RunView): boolean {
  return (view.decimals("grad_norm") ?? 0) >= 2;
}

function supervised(view: RunView, zero: readonly number[]): Found | null {
  const loss = view.column("loss"), margin = view.finite("reward_margin").map(Math.abs);
  const hits = zero.filter((record) => isNumber(loss[record]) && Math.abs(loss[record]!) > ROUNDING);
  if (hits.length < (view.imported ? LOSSES : 1) || hits.length < NEARLY_ALL * view.finite("grad_norm").length) {
    return null;
  }
  if (isRounded(view) || margin.length > 0 && Math.max(...margin) > LEARNED_MARGIN) return null;
  return {
    trainSteps: view.stepsAt(hits),
    message: `grad_norm is exactly 0 ${onThese(view, hits.length)} with a loss of ${show(loss[hits[0]!])}`,
    evidence: [view.evidence("grad_norm", hits[0]!), view.evidence("loss", hits[0]!), ...linesOf(view)],
    ...said(view),
  };
}

/** Of what is told no record has groups of its own. */
const spreadWords = (view: RunView) => `${hasTold(view) ? "where" : "whose"} groups have reward spread`;
