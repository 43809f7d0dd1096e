/** Cause `coordinates_mismatch`: predicted and gold boxes live in different coordinate systems. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { mean, median, show, written } from "./view/numbers.ts";
import { rewardFunctions } from "./view/rewards.ts";
import { setting, settingEvidence, settingsText } from "./view/settings.ts";
import { NO_IMAGE, quote, texts } from "./view/texts.ts";
import type { RunView, Setting } from "./view/run_view.ts";

const BOX = /\[\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*,\s*(-?[\d.]+)\s*\]/;
const ABSOLUTE = /qwen-?2[._-]?5-?[._-]?vl/i; // A model that writes absolute pixels.
/** Data of boxes from 0 to 1000, by their names; Visual-RFT's program lies in a folder virft/, its classes in ViRFT_CLS_…. */
const NORMALISED = /ViRFT(?!\/|[_-]?CLS)|base65|lvis|0[ ,_-]*1000|normali[sz]ed|relative coord/i;
/** Where class names are asked for there are no coordinates. */
const CLASSES = /grpo_classification\b|ViRFT[_-]?CLS/i;

const READ = 200, BOXES = 3; // Completions whose boxes are read, and boxes that show a factor.
/** Natural logarithm within which ratios are one factor, and the share of them that must be. */
const AROUND = 0.25, MOST = 0.7;
/** Factors that are no other coordinates: a box that is a little off. */
const NEAR_ONE = { from: 0.8, to: 1.25 } as const;
const WORKING = 0.3; // Mean IoU of a run whose coordinates fit, whatever the configuration says.
/** Records on which the IoU stays below this although the format is there so often. */
const RECORDS = 5, APART = 0.05, FORMATTED = 0.7;

/** The far corner of the first box in a text. */
function box(text: string | null): { right: number; bottom: number } | null {
  const [, , , right, bottom] = BOX.exec(text ?? "") ?? [];
  return bottom === undefined ? null : { right: Number(right), bottom: Number(bottom) };
}

export default defineDiagnosis({
  codes: ["R08", "R00"],
  wastes: "wrong",
  about: "Predicted and gold boxes use different coordinates (pixels, 0 to 1000, 0 to 1), so they hardly overlap.",
  reads: ["settings.model", "settings.dataset", "reward.<iou>", "reward.<format>", "completions"],
  decision:
    written`The configuration trains Qwen2.5-VL (absolute pixels) on data normalised to 0..1000; or printed boxes differ from the gold ones by one common factor outside ${NEAR_ONE.from} to ${NEAR_ONE.to}; or the IoU reward stays below ${APART} on five records with a format reward of at least ${FORMATTED}.`,
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
    if (facts.wholeImage > 0.5 || facts.brokenImage > NO_IMAGE) return null;
    return byOneFactor(view) ?? byConfiguration(view) ?? hardlyOverlapping(view);
  },
});

/** Printed boxes are the gold ones times one factor. */
function byOneFactor(view: RunView): Found | null {
  const ratios = view.completions.slice(0, READ).flatMap((row) => {
    const mine = box(row.text), gold = box(row.answer);
    if (mine === null || gold === null || gold.right <= 0 || gold.bottom <= 0) return [];
    return [Math.sqrt((mine.right / gold.right) * (mine.bottom / gold.bottom))];
  }).filter((ratio) => ratio > 0 && Number.isFinite(ratio));
  if (ratios.length < BOXES) return null;
  const factor = median(ratios);
  const close = ratios.filter((ratio) => Math.abs(Math.log(ratio / factor)) < AROUND).length / ratios.length;
  if (close < MOST || (factor >= NEAR_ONE.from && factor <= NEAR_ONE.to)) return null;
  const row = view.completions.find((entry) => box(entry.text) !== null)!;
  return {
    trainSteps: [],
    message: `Predicted boxes are ${show(factor)} times the gold ones: another coordinate system`,
    evidence: [quote(row, `gold ${row.answer}`)],
    ruledOut: { reward_parser_mismatch: "the numbers are read and differ by one factor" },
  };
}

function iouOf(view: RunView) {
  return rewardFunctions(view).find((entry) => /iou|box|coord/i.test(entry.name));
}

/** The line that says it: that of the shell's variable, where an option names one. */
function heldBy(view: RunView, entry: Setting | null): Setting | undefined {
  const variable = /^\$\{?(\w+)\}?$/.exec(String(entry?.value))?.[1];
  return view.settings.find(({ name }) => name === variable) ?? entry ?? undefined;
}

/** A model of absolute pixels, trained on data that are normalised. */
function byConfiguration(view: RunView): Found | null {
  const text = settingsText(view), iou = iouOf(view);
  if (!ABSOLUTE.test(text) || !NORMALISED.test(text) || CLASSES.test(text)) {
    return null;
  }
  if (iou !== undefined && mean(iou.values) >= WORKING) return null;
  const find = (pattern: RegExp) => view.settings.find((entry) => pattern.test(String(entry.value)));
  const model = heldBy(view, setting(view, "model")) ?? find(ABSOLUTE);
  const data = heldBy(view, setting(view, "dataset")) ?? find(NORMALISED);
  return {
    trainSteps: [],
    message: "Qwen2.5-VL writes absolute pixels, the data are normalised to 0..1000",
    evidence: [model, data].flatMap((entry) => entry === undefined ? [] : [settingEvidence(entry)]),
    confirm: "draw one predicted and one gold box on the image",
  };
}

/** Boxes are read, for the format is there, and do not overlap. */
function hardlyOverlapping(view: RunView): Found | null {
  const iou = iouOf(view), format = rewardFunctions(view).find((entry) => entry.kind === "format");
  if (iou === undefined || format === undefined || iou.values.length < RECORDS) return null;
  if (Math.max(...iou.values) > APART || mean(format.values) < FORMATTED) return null;
  return {
    trainSteps: view.trainSteps,
    message: `${iou.name} stays at ${show(mean(iou.values))} while ${format.name} is ${show(mean(format.values))}`,
    evidence: [view.evidence(iou.column, 0), view.evidence(format.column, 0)],
    confirm: "print one predicted box beside its gold box",
  };
}
