/** Cause `kto_vanilla_loss_nan`: KTO averages over a class that a micro-batch lacks, giving NaN. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { type FirstNonFinite, firstNonFinite, locatedNonFinite, passingNonFinite } from "./view/non_finite.ts";
import { isNonFinite, isNumber } from "./view/numbers.ts";
import { message, messageEvidence } from "./view/messages.ts";
import { setting, settingEvidence, settingFlag } from "./view/settings.ts";
import type { RunView } from "./view/run_view.ts";
import type { Evidence } from "./view/evidence.ts";

export default defineDiagnosis({
  codes: ["N09", "N01", "D05"],
  wastes: "all",
  about: "The KTO loss takes a mean over a class that some micro-batch does not contain: 0/0 is NaN and spreads.",
  reads: ["loss", "chosen_reward", "rejected_reward", "settings.kto_vanilla_loss", "settings.device_batch_size"],
  decision:
    "In KTO: at the first NaN one class is absent or NaN while the other is finite, or the absent side changes between records with NaN; or --vanilla_loss is set and a loss is NaN (or nothing else is known).",
  hint: "Use a batch that always holds both classes, or a loss that guards empty classes.",
  remedy: [{ option: "device_batch_size", least: 4 }],
  byHand:
    "OpenRLHF: drop --vanilla_loss or use its balanced sampler; TRL: a per-device batch of at least 4, a current version.",
  ours: "Use loss kto in train_preferences and drop unsafe: its KL has no gradient and no mean over a class.",
  lookAlikes: {
    non_finite_weights: "there NaN comes before any update",
    kto_single_class: "there the same side is missing on every record",
  },
  taughtBy: "OpenRLHF KTO with --vanilla_loss on Qwen2; TRL: NaN from the first micro-batch without rejected rows",
  check(view): Found | null {
    const vanilla = setting(view, "kto_vanilla_loss");
    const asked = vanilla !== null && settingFlag(view, "kto_vanilla_loss") !== false;
    if (view.algorithm !== "kto" && !asked) return null;
    const first = firstNonFinite(view) ?? passingNonFinite(view),
      shown = vanilla === null ? [] : [settingEvidence(vanilla)];
    return first === null ? withoutNan(view, asked, shown) : turned(view, first, asked, shown);
  },
});

const SIDES = ["chosen_reward", "rejected_reward"] as const;
const SHOWN = 2; // Columns that are shown where the loss turns NaN: the class that is missing stands beside them.

/** The loss turns NaN where a batch lacks a class. */
function turned(view: RunView, first: FirstNonFinite, asked: boolean, shown: readonly Evidence[]): Found | null {
  const cells = SIDES.map((name) => view.column(name)), at = first.record;
  const lacks = (record: number) => cells.map((column) => !isNumber(column[record]));
  const isOneSided = (record: number) => lacks(record)[0] !== lacks(record)[1];
  const both = cells.every((column) => column.some(isNumber)), before = first.finiteBefore > 0;
  const later = view.trainSteps.some((_, record) => record >= at && isOneSided(record));
  const isClass = isOneSided(at) && both || before && (asked || later) || asked && first.columns.length > 0;
  if (!isClass) return null;
  const missing = ["chosen", "rejected"].find((_, side) => lacks(at)[side]), located = locatedNonFinite(view);
  return {
    trainSteps: view.stepsFrom(at),
    message: `The KTO loss turns NaN at train step ${view.trainSteps[at]}${
      missing === undefined ? "" : `, in a batch without ${missing} examples`
    }${located === null ? "" : `; first: ${located.tensor}`}`,
    evidence: [
      ...(located === null ? [] : [located.evidence]),
      ...first.columns.slice(0, SHOWN).map((name) => view.evidence(name, at)),
      ...(missing === undefined ? [] : [view.evidence(`${missing}_reward`, at, "absent in this batch")]),
      ...shown,
    ],
    ruledOut: before ? { non_finite_weights: `${first.finiteBefore} records before it are finite` } : {},
  };
}

/** No loss is NaN, or none is printed: a class that is, or the option alone. */
function withoutNan(view: RunView, asked: boolean, shown: readonly Evidence[]): Found | null {
  const nan = SIDES.map((name) => view.column(name).findIndex(isNonFinite));
  const side = nan.findIndex((at) => at >= 0);
  const metrics = view.records > 0 && ["loss", "chosen_reward"].some((name) => view.column(name).some(isNumber));
  if (side < 0 && (!asked || metrics)) return null;
  const bad = message(view, /loss.{0,30}\bnan\b|\bnan\b.{0,30}loss|vanilla_loss/i);
  return {
    trainSteps: side < 0 ? [] : view.stepsAt([nan[side]!]),
    message: side < 0
      ? "The vanilla KTO loss averages over each class of a micro-batch: a batch without one gives NaN"
      : `${SIDES[side]} is NaN where a batch holds no such example`,
    evidence: [
      ...(side < 0 ? [] : [view.evidence(SIDES[side]!, nan[side]!)]),
      ...shown,
      ...(bad === null ? [] : [messageEvidence(bad)]),
    ],
    ...(side < 0 ? { confirm: "the first step with a NaN loss and the labels of its batch" } : {}),
  };
}
