/**
 * Lines that are no metric and still say something: counts of trainable parameters, overflows, exceptions, warnings.
 * @module
 */
import type { Intake } from "../intake/intake.ts";
import { SYSTEM_LIST } from "../../systems.ts";

interface MessageKind {
  readonly kind: string;
  /** A line must contain this, letter by letter. */
  readonly has: string;
  /** Then match this, where given; its first group is the value. */
  readonly match?: RegExp;
}

const NUMBER = (text: string) => Number(text.replaceAll(",", ""));

/** First hit wins within a kind; a line may be of several kinds. */
const MESSAGE_KINDS: readonly MessageKind[] = [
  {
    kind: "trainable_parameters",
    has: "trainable params",
    match: /trainable params:?\s*([\d,]+)(?![\d,]*(?:\.\d|%))/i,
  },
  {
    kind: "trainable_parameters",
    has: "Trainable parameters",
    match: /Trainable parameters\s*[:=]\s*([\d,]+)(?![\d,]*(?:\.\d|%))/i,
  },
  {
    kind: "trainable_parameters",
    has: "trainable parameters",
    match: /trainable parameters\s*[:=]\s*([\d,]+)(?![\d,]*(?:\.\d|%))/i,
  },
  { kind: "trainable_percent", has: "trainable%", match: /trainable%:?\s*([\d.]+)/ },
  { kind: "overflow", has: "OVERFLOW", match: /OVERFLOW!?.*?(?:loss scale|to)[^\d]*([\d.]+)?/i },
  {
    kind: "overflow",
    has: "overflow",
    match: /(?:Gradient|gradient|loss|skipping).{0,40}overflow|overflow.{0,40}(?:skip|scale)/,
  },
  {
    kind: "loss_scale",
    has: "loss scale",
    match: /(?:reducing|reducing to|scale:?|to)\s*(?:dynamic )?(?:loss scale)?[^\d]{0,30}([\d.]+(?:e[+-]?\d+)?)\s*$/i,
  },
  { kind: "loss_scale_minimum", has: "Current loss scale already at minimum" },
  { kind: "no_inf_checks", has: "No inf checks were recorded" },
  { kind: "inputs_without_grad", has: "None of the inputs have requires_grad" },
  { kind: "no_grad_function", has: "does not require grad and does not have a grad_fn" },
  {
    kind: "non_finite",
    has: "NaN",
    match:
      /\b(?:is|are|contains?|found|has|with|got|becomes?|detected)\b.{0,30}NaN|NaN.{0,30}(?:detected|found|loss|grad|encountered|values)/i,
  },
  {
    kind: "non_finite",
    has: "nan",
    match:
      /(?:inf(?:inity)?`?, `?nan`?|nan or inf|inf or nan|contains nan|is nan|non-?finite|grad_norm.{0,20}not finite)/i,
  },
  { kind: "non_finite", has: "not finite", match: /(?:grad|loss|norm).{0,30}not finite/i },
  { kind: "backward_nan", has: "returned nan values in its" },
  { kind: "invalid_probabilities", has: "probability tensor contains" },
  { kind: "negative_kl", has: "KL divergence is starting to become negative", match: /negative:?\s*(-?[\d.]+)/ },
  { kind: "negative_kl", has: "negative KL" },
  { kind: "class_imbalance", has: "different amounts of desirable/positive" },
  { kind: "kto_batch", has: "KTO", match: /batch size.{0,40}(?:must|should|greater|> ?1)|KL.{0,30}batch/ },
  { kind: "reward_none", has: "returned None" },
  { kind: "reward_none", has: "All reward functions returned None" },
  { kind: "truncated_prompt", has: "longer than", match: /(?:prompt|sequence|input).{0,60}longer than/i },
  { kind: "skipped_long", has: "skipped as too long", match: /(\d+)\s*skipped/ },
  { kind: "label_names", has: "No label_names provided" },
  { kind: "use_cache", has: "`use_cache=True` is incompatible" },
  { kind: "trace_cache", has: "Invalidate trace cache" },
  {
    kind: "pad_token",
    has: "pad_token",
    match: /pad_token.{0,80}(?:eos|not set|None|same|updated|Setting)|Setting.{0,20}pad_token/i,
  },
  { kind: "eos_token", has: "eos_token", match: /eos_token.{0,60}(?:not|mismatch|updated|missing|differ)/i },
  { kind: "tokens_aligned", has: "special tokens that differ" },
  { kind: "token_length", has: "Token indices sequence length is longer", match: /\((\d+)\s*>/ },
  { kind: "weights_not_loaded", has: "were not initialized from the model checkpoint" },
  { kind: "weights_not_used", has: "were not used when initializing" },
  {
    kind: "dtype_mismatch",
    has: "dtype",
    match: /(?:expected|mismatch|must have the same).{0,60}dtype|attempting to use.{0,40}dtype/i,
  },
  { kind: "out_of_memory", has: "out of memory" },
  { kind: "out_of_memory", has: "OutOfMemoryError" },
  { kind: "killed", has: "Killed", match: /^\s*(?:.*\s)?Killed\s*$/ },
  {
    kind: "timeout",
    has: "Timeout",
    match: /(?:NCCL|Watchdog|collective|reward|Ray).{0,80}Timeout|Timeout(?:Error|Expired)/,
  },
  { kind: "timeout", has: "timed out" },
  { kind: "traceback", has: "Traceback (most recent call last)" },
  {
    kind: "exception",
    has: "Error",
    match: /^\s*(?:\[?\w+\d*\]?:?\s*)?(?:[\w.]+\.)?(?:[A-Z]\w*Error|Exception|AssertionError)\s*:/,
  },
  { kind: "exception", has: "Exception", match: /^\s*(?:\[?\w+\d*\]?:?\s*)?(?:[\w.]+\.)?[A-Z]\w*Exception\s*:/ },
  { kind: "grad_norm_skipped", has: "grad_norm is not finite" },
  { kind: "zero_gradient", has: "grad_norm", match: /grad_norm.{0,30}(?:is zero|zero gradient)/i },
  { kind: "no_labels", has: "ignored in loss calculation" },
  { kind: "no_labels", has: "ould not find", match: /could not find (?:response|instruction) (?:key|template)/i },
  {
    kind: "no_labels",
    has: "-100",
    match: /labels?.{0,60}(?:all|are|is|only).{0,12}-100|all.{0,20}labels.{0,20}-100/i,
  },
  { kind: "examples", has: "Num examples", match: /Num examples\s*=\s*([\d,]+)/ },
  { kind: "optimization_steps", has: "Total optimization steps", match: /Total optimization steps\s*=\s*([\d,]+)/ },
  { kind: "target_modules_unmatched", has: "Target modules", match: /Target modules .{0,200}not found/ },
  { kind: "group_filtered", has: "filtered", match: /(\d+)\s*(?:groups?|prompts?)\s*(?:were )?filtered/ },
  { kind: "parse_failures", has: "parse failures", match: /(\d+)\s*parse failures/ },
];

/** Any of what messages have: a line without is looked at once, not once per kind. */
export const MESSAGE_WORDS: readonly string[] = [...new Set(MESSAGE_KINDS.map(({ has }) => has))];
const HAS_ANY = new RegExp(MESSAGE_WORDS.map((has) => has.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"));

/** Any of what systems are known by. */
export const MARK_WORDS: readonly string[] = SYSTEM_LIST.flatMap(([, { marks }]) => marks);

/** True of a text that holds the words of a known message. */
export const mayBeMessage = (text: string): boolean => HAS_ANY.test(text);

/** True of a text that is a known message. */
export const isMessage = (text: string): boolean =>
  HAS_ANY.test(text) &&
  MESSAGE_KINDS.some(({ has, match }) => text.includes(has) && (match === undefined || match.test(text)));

/** Recognises a line; true where it is a message. */
export function readMessage(intake: Intake, text: string, line: number): boolean {
  if (text.length > 20_000) text = text.slice(0, 20_000);
  if (!HAS_ANY.test(text)) return false;
  let found = false, lastKind = "";
  for (const { kind, has, match } of MESSAGE_KINDS) {
    if (kind === lastKind || !text.includes(has)) continue;
    let value: number | null = null;
    if (match !== undefined) {
      const hit = match.exec(text);
      if (hit === null) continue;
      value = hit[1] === undefined ? null : NUMBER(hit[1]);
      if (Number.isNaN(value)) value = null;
    }
    intake.message(kind, text, value, line);
    found = true;
    lastKind = kind;
  }
  return found;
}

/** Notes which systems a line names. */
export function readMarks(intake: Intake, text: string): void {
  for (const [system, { marks }] of SYSTEM_LIST) {
    if (!intake.marks.has(system) && marks.some((mark) => text.includes(mark))) intake.mark(system, text.trim());
  }
}
