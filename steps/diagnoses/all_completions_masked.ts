/** Cause `all_completions_masked`: every token is masked out of the loss. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { isNumber, percent, recordsOf, written } from "./view/numbers.ts";
import { setting, settingEvidence, settingFlag } from "./view/settings.ts";
import { ALL } from "./view/spread.ts";
import type { RunView } from "./view/run_view.ts";

const NEARLY = 0.9; // Share of masked completions at which hardly anything is left to learn from.
/** Such records in an imported log, and the share of all: one leap of the gradient is none of them. */
const FEW = 5, MOST = 0.7;
/** Share of truncated completions beside which a loss of 0 is one of masks; 1 but for rounding and a lucky one. */
const TRUNCATED = 0.95;
const OFTEN = 0.3; // Share of the updates that must be masked: a batch now and then is no cause.
const NO_LOSS = 1e-9; // A loss that is 0 in every digit.

export default defineDiagnosis({
  codes: ["G02"],
  wastes: "all",
  about: "No token counts in the loss: every completion is masked out, as a rule because all are truncated.",
  reads: ["loss_tokens", "truncated_fraction", "entropy", "grad_norm", "loss", "zero_spread_fraction"],
  decision:
    written`loss_tokens is 0; or loss, grad_norm and entropy are exactly 0 on records where at least ${TRUNCATED} % of the completions are truncated, and either groups have spread or truncated completions are masked by configuration; or masked by configuration with at least ${NEARLY} % truncated on ${MOST} % of the records. One record suffices of the former; in a run of ours a last record without any loss token, or with more than ${NEARLY} % of the completions masked.`,
  hint: "Raise the length cap, or keep truncated completions in the loss.",
  remedy: [
    { step: "sample_groups", key: "max_new_tokens", mul: 2, max: 16384 },
    { step: "sample_groups", key: "mask_truncated", set: false },
  ],
  lookAlikes: {
    broken_gradient_path: "there entropy and the truncated share are normal",
    truncated_completions: "there the truncated completions still count in the loss",
  },
  taughtBy: "TRL with mask_truncated_completions: loss 0, grad_norm 0, entropy 0, zero-spread share 0, clipped_ratio 1",
  check(view): Found | null {
    const last = view.records - 1;
    const hits = maskedRecords(view);
    // A run of ours counts the tokens: its last record decides.
    const masked = view.completions.filter(({ lossTokens }) => lossTokens === 0).length;
    const now = !view.imported &&
      (view.column("loss_tokens")[last] === 0 || masked > NEARLY * view.completions.length);
    if (now && !hits.includes(last)) hits.push(last);
    const updated = recordsOf(view.column("grad_norm")).length;
    if (!now && (hits.length === 0 || hits.length < OFTEN * updated || !view.imported)) return null;
    const at = now ? last : hits[0]!;
    const cell = (name: string) => view.column(name)[at];
    const option = setting(view, "mask_truncated");
    return {
      trainSteps: view.stepsAt(hits),
      message: `${
        (cell("truncated_fraction") ?? 1) < ALL || cell("grad_norm") !== 0 ? "Hardly any" : "No"
      } completion token counts in the loss: ${cut(cell("truncated_fraction"))} completions are truncated and masked`,
      evidence: [
        ...["loss_tokens", "truncated_fraction", "entropy", "grad_norm", "reward_std"]
          .filter((name) => isNumber(cell(name))).map((name) => view.evidence(name, at)),
        ...(option === null ? [] : [settingEvidence(option)]),
      ],
      ruledOut: { broken_gradient_path: "there is nothing to take a gradient of" },
    };
  },
});

/** How many, in words where it is all of them, or not printed. */
function cut(share: number | null | undefined): string {
  return !isNumber(share) || share === 1 ? "all" : `${percent(share)} of the`;
}

/** Records in which no token counts, or hardly any where the configuration masks what is cut off. */
function maskedRecords(view: RunView): number[] {
  const masks = settingFlag(view, "mask_truncated") === true;
  const records = view.trainSteps.map((_, record) => record);
  const hits = records.filter((record) => isMasked(view, record, masks));
  if (!masks || !view.imported || hits.length === view.records) return hits;
  // Nine in ten masked by the setting (G02): the rest decides alone, with a gradient that leaps.
  const cut = view.column("truncated_fraction");
  const nearly = records.filter((record) => (cut[record] ?? 0) >= NEARLY);
  return nearly.length >= FEW && nearly.length >= MOST * recordsOf(cut).length ? nearly : hits;
}

/** Everything is cut off, nothing is left of loss and gradient, and it is not for want of spread. */
function isMasked(view: RunView, record: number, masks: boolean): boolean {
  const cell = (name: string) => view.column(name)[record];
  if (!view.imported && cell("loss_tokens") === 0) return true;
  if (cell("grad_norm") !== 0 || Math.abs(cell("loss") ?? 0) > NO_LOSS) return false;
  const [cut, entropy, tied] = [cell("truncated_fraction"), cell("entropy"), cell("zero_spread_fraction")];
  if (!isNumber(cut) || cut < TRUNCATED) return false;
  if (entropy === 0 && (cell("reward_std") ?? 0) > 0) return true;
  return masks || isNumber(tied) && tied < ALL && (entropy ?? 0) === 0;
}
