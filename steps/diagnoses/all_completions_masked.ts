/** Cause `all_completions_masked`: every token is masked out of the loss. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { isNumber } from "./view/numbers.ts";
import { setting, settingEvidence, settingFlag } from "./view/settings.ts";

/** Share of masked completions at which hardly anything is left to learn from. */
const NEARLY = 0.9;

export default defineDiagnosis({
  codes: ["G02"],
  severity: "error",
  about: "No token counts in the loss: every completion is masked out, as a rule because all are truncated.",
  reads: ["loss_tokens", "truncated_fraction", "entropy", "grad_norm", "loss", "zero_spread_fraction"],
  decision:
    "loss_tokens is 0; or loss, grad_norm and entropy are exactly 0 on records where at least 95 % of the completions are truncated, and either groups have spread or truncated completions are masked by configuration; or masked by configuration with at least 90 % truncated on 70 % of the records. One record suffices of the former; in a run of ours a last record without any loss token, or with more than 90 % of the completions masked.",
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
    const cell = (name: string, record: number) => view.column(name)[record];
    const masks = settingFlag(view, "mask_truncated") === true;
    const hits = view.trainSteps.flatMap((_, record) => {
      if (view.imported ? false : cell("loss_tokens", record) === 0) return [record];
      if (cell("grad_norm", record) !== 0 || Math.abs(cell("loss", record) ?? 0) > 1e-9) return [];
      const cut = cell("truncated_fraction", record);
      if (!isNumber(cut) || cut < 0.95) return [];
      const entropy = cell("entropy", record);
      if (entropy === 0 && (cell("reward_std", record) ?? 0) > 0) return [record];
      const spread = cell("zero_spread_fraction", record);
      if (isNumber(spread) && spread < 0.999 && (entropy === undefined || entropy === null || entropy === 0)) {
        return [record];
      }
      return masks ? [record] : [];
    });
    // Nine in ten masked by the setting (G02): the rest decides alone, with a gradient that leaps.
    if (masks && view.imported && hits.length < view.records) {
      const cut = view.column("truncated_fraction");
      const nearly = view.trainSteps.flatMap((_, record) => (cut[record] ?? 0) >= 0.9 ? [record] : []);
      if (nearly.length >= 5 && nearly.length >= 0.7 * cut.filter(isNumber).length) {
        hits.splice(0, hits.length, ...nearly);
      }
    }
    const rewarded = view.column("grad_norm").filter(isNumber).length;
    const masked = view.completions.filter(({ lossTokens }) => lossTokens === 0).length;
    const now = !view.imported &&
      (cell("loss_tokens", view.records - 1) === 0 || masked > NEARLY * view.completions.length);
    if (now && !hits.includes(view.records - 1)) hits.push(view.records - 1);
    if (!now && (hits.length === 0 || hits.length < 0.3 * rewarded || !view.imported)) return null;
    const at = now ? view.records - 1 : hits[0]!;
    const option = setting(view, "mask_truncated");
    return {
      trainSteps: view.stepsAt(hits),
      message: `${
        (cell("truncated_fraction", at) ?? 1) < 0.999 || cell("grad_norm", at) !== 0 ? "Hardly any" : "No"
      } completion token counts in the loss: all completions are truncated and masked`,
      evidence: [
        ...["loss_tokens", "truncated_fraction", "entropy", "grad_norm", "reward_std"].filter((name) =>
          isNumber(cell(name, at))
        ).map((name) => view.evidence(name, at)),
        ...(option === null ? [] : [settingEvidence(option)]),
      ],
      ruledOut: { broken_gradient_path: "there is nothing to take a gradient of" },
    };
  },
});
