/** Cause `coordinates_mismatch`: predicted and gold boxes live in different coordinate systems. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { mean, median, show } from "./view/numbers.ts";
import { rewardFunctions } from "./view/rewards.ts";
import { setting, settingEvidence, settingsText } from "./view/settings.ts";
import { quote, texts } from "./view/texts.ts";

const BOX = /\[\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\]/;
const NORMALISED = /ViRFT|base65|lvis|0[ ,_-]*1000|normali[sz]ed|relative coord/i;

function box(text: string | null): number[] | null {
  const match = text === null ? null : BOX.exec(text);
  return match === null ? null : match.slice(1, 5).map(Number);
}

export default defineDiagnosis({
  codes: ["R08", "R00"],
  severity: "error",
  about: "Predicted and gold boxes use different coordinates (pixels, 0 to 1000, 0 to 1), so they hardly overlap.",
  reads: ["settings.model", "settings.dataset", "reward.<iou>", "reward.<format>", "completions"],
  decision:
    "The configuration trains Qwen2.5-VL (absolute pixels) on data normalised to 0..1000; or printed boxes differ from the gold ones by one common factor outside 0.8 to 1.25; or the IoU reward stays below 0.05 on five records with a format reward of at least 0.7.",
  hint:
    "Convert the gold boxes to the coordinates the model was trained with: pixels of the resized image for Qwen2.5-VL.",
  byHand: "Convert the data (Qwen2.5-VL: absolute pixels of the resized image; Qwen2-VL: 0 to 1000).",
  lookAlikes: {
    garbled_generation: "there boxes cover the whole image",
    reward_parser_mismatch: "there no number is read at all",
  },
  taughtBy: "Visual-RFT: Qwen2.5-VL-3B on the [0,1000]-normalised ViRFT_COCO_base65",
  check(view): Found | null {
    const facts = texts(view);
    if (facts.wholeImage > 0.5 || facts.brokenImage > 0.4) return null;
    const ratios = view.completions.slice(0, 200).flatMap((row) => {
      const [mine, gold] = [box(row.text), box(row.answer)];
      if (mine === null || gold === null || gold[2]! <= 0 || gold[3]! <= 0) return [];
      return [Math.sqrt((mine[2]! / gold[2]!) * (mine[3]! / gold[3]!))];
    }).filter((ratio) => ratio > 0 && Number.isFinite(ratio));
    if (ratios.length >= 3) {
      const factor = median(ratios);
      const close = ratios.filter((ratio) => Math.abs(Math.log(ratio / factor)) < 0.25).length / ratios.length;
      if (close >= 0.7 && (factor < 0.8 || factor > 1.25)) {
        const row = view.completions.find((entry) => box(entry.text) !== null)!;
        return {
          trainSteps: [],
          message: `Predicted boxes are ${show(factor)} times the gold ones: another coordinate system`,
          evidence: [quote(row, `gold ${row.answer}`)],
          ruledOut: { reward_parser_mismatch: "the numbers are read and differ by one factor" },
        };
      }
    }
    const text = settingsText(view);
    const model = setting(view, "model") ??
      view.settings.find((entry) => /qwen2[._-]?5[._-]?vl/i.test(String(entry.value)));
    const functions = rewardFunctions(view);
    const iou = functions.find((entry) => /iou|box|coord/i.test(entry.name));
    if (
      /qwen-?2[._-]?5-?[._-]?vl/i.test(text) && NORMALISED.test(text) && (iou === undefined || mean(iou.values) < 0.3)
    ) {
      const data = setting(view, "dataset") ?? view.settings.find((entry) => NORMALISED.test(String(entry.value)));
      return {
        trainSteps: [],
        message: "Qwen2.5-VL writes absolute pixels, the data are normalised to 0..1000",
        evidence: [model, data].flatMap((entry) =>
          entry === undefined || entry === null ? [] : [settingEvidence(entry)]
        ),
        confirm: "draw one predicted and one gold box on the image",
      };
    }
    const format = functions.find((entry) => entry.kind === "format");
    if (iou === undefined || format === undefined || iou.values.length < 5) return null;
    if (Math.max(...iou.values) > 0.05 || mean(format.values) < 0.7) return null;
    return {
      trainSteps: view.trainSteps,
      message: `${iou.name} stays at ${show(mean(iou.values))} while ${format.name} is ${show(mean(format.values))}`,
      evidence: [view.evidence(iou.column, 0), view.evidence(format.column, 0)],
      confirm: "print one predicted box beside its gold box",
    };
  },
});
