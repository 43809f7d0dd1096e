/** Cause `fp16_overflow`: the fp16 range is exceeded and every step is skipped. @module */
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { SMALLER_STEPS } from "./remedies/often.ts";
import { isNumber, written } from "./view/numbers.ts";
import { message, messageEvidence } from "./view/messages.ts";
import { firstNonFinite } from "./view/non_finite.ts";
import type { RunView } from "./view/run_view.ts";
import { half } from "./told/telling_options.ts";

/** Overflows at the least scale, and overflow lines altogether, that are no search for the scale any more. */
const AT_FLOOR = 3, LINES = 20;

export default defineDiagnosis({
  codes: ["N10", "N01", "N06"],
  wastes: "all",
  about: "Values exceed the range of fp16: the loss scale is at its floor and every step is skipped.",
  reads: ["messages.overflow", "loss_scale"],
  decision: [
    written`The scaler says that it is at its minimum; or the loss scale is at most 1 with an overflow on at least three lines or records (a scale that is 1 all along without an overflow is that of bf16); or at least ${LINES} overflow lines without an end. Overflow lines at the start while the scale still falls are normal.`,
    "Where fp16 is set and the gradient is not finite from the first record on it stays possible: the weights may be sound.",
  ],
  hint: "Train in bf16 or fp32, or lower the learning rate.",
  remedy: [SMALLER_STEPS],
  byHand: "bf16: true, fp16: false.",
  advice: (view) =>
    view.settings.some(({ name }) => name === "gpu")
      ? { hint: "Train in fp32, or lower the learning rate: this GPU has no bf16.", byHand: "fp16: false." }
      : null,
  lookAlikes: { training_divergence: "a few overflow lines with a falling scale are normal" },
  taughtBy: "DeepSpeed: OVERFLOW at loss scale 1 on every step",
  check(view): Found | CannotTell | null {
    return overflows(view) ?? atOnce(view);
  },
});

/** NaN from the first record on in fp16: activations may leave its range, or a weight was broken before. */
function atOnce(view: RunView): CannotTell | null {
  const first = firstNonFinite(view);
  if (first === null || first.finiteBefore > 0 || first.excerpt || !first.columns.includes("grad_norm")) return null;
  if (half(view) === null) return null;
  return {
    missing: ["the same in bf16 or fp32"],
    because: "it computes in fp16, and the gradient is not finite from the first record on",
  };
}

function overflows(view: RunView): Found | null {
  const floor = message(view, /loss scale already at minimum|minimum loss scale|cannot decrease (?:loss )?scale/i);
  const lines = view.messages.filter((entry) => entry.kind === "overflow" || /\boverflow\b/i.test(entry.text));
  const scaleOf = (text: string) => {
    const hits = [...text.matchAll(/(?:scale\D{0,12}|reducing to )(\d[\d.,]*(?:e[+-]?\d+)?)/gi)].map((hit) =>
      Number(hit[1]!.replace(/[.,]$/, "").replaceAll(",", ""))
    );
    return hits.length === 0 ? null : Math.min(...hits);
  };
  const low = lines.filter((entry) => {
    const scale = scaleOf(entry.text) ?? entry.value;
    return scale !== null && scale <= 1;
  });
  const total = lines.reduce((sum, entry) => sum + (entry.count ?? 0), 0) || lines.length;
  const column = view.column("loss_scale");
  // A scale of 1 that never was another is that of bf16 and fp32, where nothing is scaled.
  const isScaled = lines.length > 0 || column.some((value) => isNumber(value) && value > 1);
  const atOne = column.flatMap((value, record) => isScaled && isNumber(value) && value <= 1 ? [record] : []);
  if (floor === null && low.length < AT_FLOOR && atOne.length < AT_FLOOR && Math.max(total, lines.length) < LINES) {
    return null;
  }
  const shown = floor ?? low[0] ?? lines[0];
  return {
    trainSteps: view.stepsAt(atOne),
    message: floor !== null || low.length > 0 || atOne.length > 0
      ? "The loss scale is at its floor and steps still overflow: their updates are skipped"
      : `${Math.max(total, lines.length)} overflow lines: as many updates are skipped`,
    evidence: [
      ...(shown === undefined ? [] : [messageEvidence(shown)]),
      ...(atOne.length > 0 ? [view.evidence("loss_scale", atOne[0]!)] : []),
    ],
  };
}
