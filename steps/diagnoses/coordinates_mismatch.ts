/** Cause `coordinates_mismatch`: predicted and gold boxes live in different coordinate systems. @module */
import type { Box } from "../../data/boxes/iou.ts";
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { type BoxPair, boxPairs, boxScale } from "./view/box_scale.ts";
import type { Evidence } from "./view/evidence.ts";
import { isNumber, mean, median, percent, show, written } from "./view/numbers.ts";
import { rewardFunctions } from "./view/rewards.ts";
import { setting, settingEvidence, settingsText } from "./view/settings.ts";
import { NO_IMAGE, quote, texts } from "./view/texts.ts";
import type { RunView, Setting } from "./view/run_view.ts";

const ABSOLUTE = /qwen-?2[._-]?5-?[._-]?vl/i; // A model that writes absolute pixels.
/** Data of boxes from 0 to 1000, by their names; Visual-RFT's program lies in a folder virft/, its classes in ViRFT_CLS_…. */
const NORMALISED = /ViRFT(?!\/|[_-]?CLS)|base65|lvis|0[ ,_-]*1000|normali[sz]ed|relative coord/i;
/** Where class names are asked for there are no coordinates. */
const CLASSES = /grpo_classification\b|ViRFT[_-]?CLS/i;

const READ = 256, BOXES = 4; // Completions at the end whose boxes are read, and different gold boxes that show a factor.
const MOST = 0.75; // Share of them that must be so.
const BY_CHANCE = 0.5; // Of that share, what boxes may fit those of other pictures.
const QUOTED = 3; // Completions that evidence shows.
/** Factors that are no other coordinates: a box that is a little off. */
const NEAR_ONE = { from: 0.8, to: 1.25 } as const;
const WORKING = 0.3; // Mean IoU of a run whose coordinates fit, whatever the configuration says.
/** Records on which the IoU stays below this although the format is there so often. */
const RECORDS = 5, APART = 0.05, FORMATTED = 0.7;

export default defineDiagnosis({
  codes: ["R08", "R00"],
  wastes: "wrong",
  about: "Predicted and gold boxes use different coordinates (pixels, 0 to 1000, 0 to 1), so they hardly overlap.",
  reads: ["settings.model", "settings.dataset", "reward.<iou>", "reward.<format>", "completions"],
  decision:
    written`The configuration trains Qwen2.5-VL (absolute pixels) on data normalised to 0..1000; or of four or more different gold boxes ${MOST} % are, times one factor across and one down, the printed ones (all four numbers, and at most half as many fit those of other pictures), the factors outside ${NEAR_ONE.from} to ${NEAR_ONE.to}; or the one are fractions of 1 and the other not; or the IoU reward is at most ${APART} on all of at least ${RECORDS} records with a format reward of at least ${FORMATTED}.`,
  hint:
    "Convert the gold boxes to the coordinates the model was trained with: thousandths for Qwen2-VL, pixels of the resized image for Qwen2.5-VL.",
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

/** Printed boxes are the gold ones times one factor across and one down. */
function byOneFactor(view: RunView): Found | null {
  const pairs = boxPairs(view.completions.slice(-READ));
  if (pairs.length < BOXES) return null;
  const evidence = pairs.slice(0, QUOTED).map(({ row }) => quote(row, `gold ${row.answer}`));
  const ruledOut = { reward_parser_mismatch: "the numbers are read and differ by one factor" };
  const share = (test: (pair: BoxPair) => boolean) => pairs.filter(test).length / pairs.length;
  if (share(({ gold, said }) => isFraction(gold) !== isFraction(said)) >= MOST) {
    const [mine, theirs] = isFraction(pairs[0]!.gold) ? ["whole numbers", "fractions"] : ["fractions", "whole numbers"];
    return {
      trainSteps: [],
      message: `Predicted boxes are in ${mine}, the gold ones in ${theirs} of 1`,
      evidence,
      ruledOut,
    };
  }
  const scale = [false, true].map((each) => boxScale(pairs, each)).find(({ fitting, fittingOthers }) =>
    fitting >= MOST && fittingOthers <= BY_CHANCE * fitting
  );
  if (scale === undefined) return null;
  const { factors, fitting } = scale;
  const [across, down] = (["across", "down"] as const).map((side) => factors.map((entry) => entry[side]));
  if (![across!, down!].some(isOther)) return null;
  return {
    trainSteps: [],
    message:
      `Predicted boxes are the gold ones times ${show(median(across!))} across and ${show(median(down!))} down ` +
      `(${percent(fitting)} of ${pairs.length} different ones): another coordinate system`,
    evidence,
    ruledOut,
  };
}

/** Numbers from 0 to 1, not all of them whole. */
const isFraction = (box: Box) => box.every((value) => value >= 0 && value <= 1) && !box.every(Number.isInteger);

/** Most factors lie on one side of those of a box that is a little off. */
function isOther(factors: readonly number[]): boolean {
  const share = (test: (factor: number) => boolean) => factors.filter(test).length / factors.length;
  return share((factor) => factor < NEAR_ONE.from) >= MOST || share((factor) => factor > NEAR_ONE.to) >= MOST;
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
    evidence: [...[iou, format].map(({ column }) => firstOf(view, column)), ...otherScale(view)],
    confirm: "print one predicted box beside its gold box",
  };
}

/** The first record that tells it. */
const firstOf = (view: RunView, column: string) => view.evidence(column, view.column(column).findIndex(isNumber));

/** Boxes in other numbers than the gold ones, few as they may be: of four and more the factors say it. */
function otherScale(view: RunView): Evidence[] {
  return boxPairs(view.completions.slice(-READ)).filter(({ gold, said }) => isFraction(gold) !== isFraction(said))
    .slice(0, QUOTED).map(({ row }) => quote(row, `gold ${row.answer}`));
}
