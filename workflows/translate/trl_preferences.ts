/** TRL's DPO and KTO: their options as those of train_preferences. @module */
import { alike, computed, lacking, noNumber, noSuch, number } from "./entries.ts";
import {
  countingOf,
  KTO_LEAST,
  ROW_OPTIONS,
  rowBatchEntries,
  rowEpochs,
  rowEvaluation,
  rowLength,
} from "./given_rows.ts";
import { trainingArguments } from "./hugging_face.ts";
import type { Made, Settings, Table } from "./table.ts";
import { modelAndData } from "./trl_model.ts";
import { ownEntry, shownValue, type Value, valueText } from "./written.ts";

const STEP = "train_preferences";

/** What a trainer of preferences does whatever stands in a file: all rows train, against a copy of the policy. */
export const PREFERENCES_FIXED: Settings = {
  "load_model.reference": "copy",
  "load_preferences.splits": { train: 1, validation: 0, held_out: 0 },
};

/** Options of both, with `rate` and the rows of a device. */
export function preferenceTable(rate: number, device: number, accumulation = 1): Table {
  return {
    ...modelAndData("load_preferences"),
    ...trainingArguments(countingOf(STEP), rate),
    ...ROW_OPTIONS,
    ...rowBatchEntries(STEP, device, accumulation),
    ...rowEpochs(STEP),
    ...rowEvaluation(STEP),
    max_length: rowLength(`${STEP}.max_length`, 1024),
  };
}

const DPO_LOSSES = [
  "sigmoid",
  "hinge",
  "ipo",
  "exo_pair",
  "nca_pair",
  "robust",
  "bco_pair",
  "sppo_hard",
  "aot",
  "aot_unpaired",
  "apo_zero",
  "apo_down",
  "discopop",
  "sft",
  "sigmoid_norm",
];
const RENAMED: Readonly<Record<string, string>> = { aot_pair: "aot" };

/** The losses of DPO, one or a list. */
export function dpoLosses(value: Value): Made {
  const list = (Array.isArray(value) ? value : valueText(value).split(/[\s,]+/)).map((one) =>
    ownEntry(RENAMED, shownValue(one)) ?? shownValue(one)
  );
  const strange = list.filter((name) => !DPO_LOSSES.includes(name));
  if (value === null || strange.length > 0) return noSuch(list.length > 1 ? strange : value, "TRL", DPO_LOSSES);
  return { set: { [`${STEP}.dpo_loss`]: list.length === 1 ? list[0] : list } };
}

const divergence = (value: Value): Made => {
  const name = shownValue(value).replace(/^FDivergenceType\./, "").toLowerCase();
  return ["reverse_kl", "forward_kl", "js_divergence", "alpha_divergence"].includes(name)
    ? { set: { [`${STEP}.f_divergence`]: name } }
    : { lacks: `"${shownValue(value)}" is not here; reverse_kl takes its place` };
};

/** Options of DPOConfig. */
export const DPO_OPTIONS: Table = {
  beta: number(`${STEP}.beta`, 0.1),
  loss_type: computed("sigmoid", dpoLosses),
  loss_weights: computed(
    null,
    (value) => value === null ? { equal: "every weight is 1" } : { set: { [`${STEP}.loss_weights`]: value } },
  ),
  label_smoothing: number(`${STEP}.label_smoothing`, 0),
  ld_alpha: computed(
    null,
    (value) =>
      typeof value === "number" ? { set: { [`${STEP}.ld_alpha`]: value } } : { equal: "all tokens count the same" },
  ),
  f_divergence_type: computed("reverse_kl", divergence),
  f_alpha_divergence_coef: computed(
    0.5,
    (value, given) =>
      given.value("f_divergence_type") === "alpha_divergence"
        ? typeof value === "number" ? { set: { [`${STEP}.f_divergence_alpha`]: value } } : noNumber(value)
        : { equal: "without effect unless alpha_divergence" },
  ),
  use_weighting: computed(false, (value) => ({ set: { [`${STEP}.use_weighting`]: value === true } })),
  discopop_tau: computed(
    0.05,
    (value, given) =>
      valueText(given.value("loss_type")).includes("discopop")
        ? typeof value === "number" ? { set: { [`${STEP}.discopop_tau`]: value } } : noNumber(value)
        : { equal: "without effect unless discopop" },
  ),
  reference_free: computed(false, (value) => ({ set: { [`${STEP}.reference_free`]: value === true } })),
  rpo_alpha: lacking("give loss_type a list with sft, and loss_weights", { at: [null], text: "none" }),
};

export const TRL_DPO: Table = { ...preferenceTable(1e-6, 8), ...DPO_OPTIONS };

/** Fixed of DPO: pairs, in another order in each epoch, as HF's sampler. */
export const DPO_FIXED: Settings = {
  ...PREFERENCES_FIXED,
  [`${STEP}.loss`]: "dpo",
  "load_preferences.form": "pairs",
  [`${STEP}.shuffle`]: true,
};

const KTO_LOSSES = ["kto", "apo_zero_unpaired"];

/** Options of KTOConfig. */
export const KTO_OPTIONS: Table = {
  beta: number(`${STEP}.beta`, 0.1),
  loss_type: computed(
    "kto",
    (value) =>
      KTO_LOSSES.includes(String(value)) ? { set: { [`${STEP}.loss`]: value } } : noSuch(value, "TRL", KTO_LOSSES),
  ),
  desirable_weight: number(`${STEP}.desirable_weight`, 1),
  undesirable_weight: number(`${STEP}.undesirable_weight`, 1),
};

export const TRL_KTO: Table = {
  ...preferenceTable(1e-6, 8),
  ...rowBatchEntries(STEP, 8, 1, KTO_LEAST),
  ...KTO_OPTIONS,
  train_sampling_strategy: {
    default: "sequential",
    make: (value) => value === "sequential" ? { equal: "rows in their order" } : { set: { [`${STEP}.shuffle`]: true } },
  },
  shuffle_dataset: alike("rows in their order"),
};

/** Fixed of KTO: labelled completions in the file's order, whose neighbours are its mismatched pairs. */
export const KTO_FIXED: Settings = {
  ...PREFERENCES_FIXED,
  "load_preferences.form": "unpaired",
  "load_preferences.order": "file",
};
