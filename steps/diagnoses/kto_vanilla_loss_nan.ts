/** Cause `kto_vanilla_loss_nan`: KTO averages over a class that a micro-batch lacks, giving NaN. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { firstNonFinite } from "./view/non_finite.ts";
import { isNonFinite, isNumber } from "./view/numbers.ts";
import { message, messageEvidence } from "./view/messages.ts";
import { setting, settingEvidence, settingFlag } from "./view/settings.ts";

export default defineDiagnosis({
  codes: ["N09", "N01", "D05"],
  severity: "error",
  about: "The KTO loss takes a mean over a class that some micro-batch does not contain: 0/0 is NaN and spreads.",
  reads: ["loss", "chosen_reward", "rejected_reward", "settings.kto_vanilla_loss", "settings.device_batch_size"],
  decision:
    "In KTO: at the first NaN one class is absent or NaN while the other is finite, or the absent side changes between records with NaN; or --vanilla_loss is set and a loss is NaN (or nothing else is known).",
  hint: "Use a batch that always holds both classes, or a loss that guards empty classes.",
  remedy: [{ option: "device_batch_size", least: 4 }],
  byHand:
    "OpenRLHF: drop --vanilla_loss or use its balanced sampler; TRL: a per-device batch of at least 4, a current version.",
  lookAlikes: {
    non_finite_weights: "there NaN comes before any update",
    kto_single_class: "there the same side is missing on every record",
  },
  taughtBy: "OpenRLHF KTO with --vanilla_loss on Qwen2; TRL: NaN from the first micro-batch without rejected rows",
  check(view): Found | null {
    const vanilla = setting(view, "kto_vanilla_loss");
    const asked = vanilla !== null && settingFlag(view, "kto_vanilla_loss") !== false;
    if (view.algorithm !== "kto" && !asked) return null;
    const sides = ["chosen_reward", "rejected_reward"] as const;
    const cells = sides.map((name) => view.column(name));
    const gone = (side: number, record: number) => !isNumber(cells[side]![record]);
    const both = cells.every((column) => column.some(isNumber));
    const first = firstNonFinite(view);
    const evidence = vanilla === null ? [] : [settingEvidence(vanilla)];
    if (first !== null) {
      const at = first.record;
      const oneSided = gone(0, at) !== gone(1, at);
      const later = view.trainSteps.some((_, record) => record >= at && gone(0, record) !== gone(1, record));
      const before = first.finiteBefore > 0;
      if (!(oneSided && both) && !(before && (asked || later)) && !(asked && first.columns.length > 0)) return null;
      const missing = gone(0, at) ? "chosen" : gone(1, at) ? "rejected" : null;
      return {
        trainSteps: view.trainSteps.slice(at, at + 128),
        message: `The KTO loss turns NaN at train step ${view.trainSteps[at]}${
          missing === null ? "" : `, in a batch without ${missing} examples`
        }`,
        evidence: [
          ...first.columns.slice(0, 2).map((name) => view.evidence(name, at)),
          ...(missing === null ? [] : [view.evidence(`${missing}_reward`, at, "absent in this batch")]),
          ...evidence,
        ],
        ruledOut: before ? { non_finite_weights: `${first.finiteBefore} records before it are finite` } : {},
      };
    }
    const nan = cells.map((column) => column.findIndex(isNonFinite));
    const bad = message(view, /loss.{0,30}\bnan\b|\bnan\b.{0,30}loss|vanilla_loss/i);
    if (nan.every((at) => at < 0) && !asked) return null;
    const metrics = view.records > 0 && ["loss", "chosen_reward"].some((name) => view.column(name).some(isNumber));
    if (nan.every((at) => at < 0) && metrics) return null;
    const side = nan.findIndex((at) => at >= 0);
    return {
      trainSteps: side < 0 ? [] : [view.trainSteps[nan[side]!]!],
      message: side < 0
        ? "The vanilla KTO loss averages over each class of a micro-batch: a batch without one gives NaN"
        : `${sides[side]} is NaN where a batch holds no such example`,
      evidence: [
        ...(side < 0 ? [] : [view.evidence(sides[side]!, nan[side]!)]),
        ...evidence,
        ...(bad === null ? [] : [messageEvidence(bad)]),
      ],
      ...(side < 0 ? { confirm: "the first step with a NaN loss and the labels of its batch" } : {}),
    };
  },
});
