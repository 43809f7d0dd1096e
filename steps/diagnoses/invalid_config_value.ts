/** Cause `invalid_config_value`: a configuration value makes the run a no-op or impossible. @module */
import { preferenceBeta } from "../../data/option_defaults.ts";
import { withPoint } from "../../data/with_point.ts";
import { CLIP } from "../../gpu/losses/presets.ts";
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import type { Evidence } from "./view/evidence.ts";
import type { Patch } from "./remedies/patch.ts";
import { AGREEING_RECORDS, isNumber, written } from "./view/numbers.ts";
import { asNumber, setting, settingEvidence, settingNumber } from "./view/settings.ts";
import { message, messageEvidence } from "./view/messages.ts";
import type { RunView, Setting } from "./view/run_view.ts";
import { isPreference, LOSS_DIGITS, startLoss } from "./view/groups.ts";

const REFUSED =
  /must be (?:evenly )?divisible by|should be divisible by|not divisible by|'[<>]=?' not supported between instances of '(?:float|str|int)' and '(?:str|float|int)'|unexpected keyword argument|unrecognized arguments|Key '.{1,60}' is not in struct|Could not override|batch size (?:must|should) be (?:greater|larger|>) ?(?:than )?1|num_generations.{0,40}(?:at least|minimum|greater than) (?:2|1)|Some keys are not used by|could not convert string to float|invalid choice|ConfigAttributeError|duplicate key/i;

/** A refusal that says of which kind the value is, and not which option has it. */
const OF_TEXT = /not supported between instances of|could not convert string to float/i;
const REFUSES = "The trainer refuses the configuration", NO_NUMBER = "text, not a number";

/** Usual weights of the KL are 0 to 0.1; at 10 a drift of 0.1 nat per token costs as much as a right answer earns. */
const HEAVY = 10;
const KTO_BATCH = 4; // TRL's example of KTO.
const APART = 1e-3; // Nats by which texts differ.

const USUAL_BETA = [{ option: "kl_coef", set: 0.1 }] as const satisfies readonly Patch[];
const USUAL_RATE = { step: "apply_update", key: "learning_rate", usual: true } as const satisfies Patch;

export default defineDiagnosis({
  codes: ["C01", "C04"],
  wastes: "none",
  severity: "fatal",
  about: "A configuration value makes the run impossible or a no-op.",
  reads: ["settings", "messages.exception", "loss", "grad_norm", "chosen_logprob", "rejected_logprob"],
  decision:
    written`beta 0 in DPO or KTO (also seen as a loss of ln 2 with a gradient of exactly 0 while log-probs differ, where no beta above 0 is read or the trainer's default); a clip range of 0; a KL weight of ${HEAVY} or more; a learning rate that is no number, in a log without records; the same key twice with different values in one file; a batch that the group size does not divide; a KTO micro-batch of 1; or the trainer's own refusal.`,
  hint: "Correct the value in the line that the evidence shows, and start the run again.",
  lookAlikes: {
    learning_rate_zero: "a learning rate of 0 has its own name",
    identical_preference_pairs: "there log-probs are equal and the gradient is small, not 0",
  },
  taughtBy: "TRL DPO beta 0: loss 0.6931 and grad_norm 0.0; PyYAML reads 1e-6 as text",
  check(view): Found | null {
    const bad = problems(view);
    if (bad !== null) return bad;
    return zeroBeta(view);
  },
});

function found(message: string, evidence: readonly Evidence[], extra: Partial<Found> = {}): Found {
  return { trainSteps: [], message, evidence, ...extra };
}

function problems(view: RunView): Found | null {
  const beta = setting(view, "kl_coef");
  const preference = isPreference(view);
  if (preference && beta !== null && asNumber(beta.value) === 0) {
    return found(`${beta.name} 0 multiplies the whole ${view.algorithm!.toUpperCase()} loss by 0`, [
      settingEvidence(beta),
    ], { remedy: USUAL_BETA });
  }
  const clip = setting(view, "clip_low");
  if (!preference && clip !== null && asNumber(clip.value) === 0) {
    const high = settingNumber(view, "clip_high");
    if (high === null || high === 0) {
      return found(`${clip.name} 0 clips every token after the first update`, [settingEvidence(clip)], {
        remedy: [{ step: "apply_update", key: "clip_low", set: CLIP }],
      });
    }
  }
  const weight = beta === null ? null : asNumber(beta.value);
  if (!preference && weight !== null && weight >= HEAVY) {
    return found(`${beta!.name} ${weight} outweighs every reward: the policy cannot leave its reference`, [
      settingEvidence(beta!),
    ], { remedy: [{ step: "apply_update", key: "kl_coef", set: 0.01 }] });
  }
  const rate = setting(view, "learning_rate");
  // A trainer that reads it as text stops at once: records show that this one reads the number.
  if (rate !== null && notANumber(rate) && view.records === 0) {
    const hint = pointHint(rate);
    return found(`${rate.name} "${String(rate.value)}" is no number`, [settingEvidence(rate, NO_NUMBER)], {
      ...hint === null ? {} : { hint },
      remedy: asNumber(rate.value) === null ? [USUAL_RATE] : [],
    });
  }
  const refused = message(view, REFUSED);
  if (refused !== null) {
    const text = OF_TEXT.test(refused.text) ? view.settings.find((entry) => pointHint(entry) !== null) : undefined;
    const shown = [messageEvidence(refused), ...text === undefined ? [] : [settingEvidence(text, NO_NUMBER)]];
    return found(REFUSES, shown, { hint: text === undefined ? refusalHint(refused.text) : pointHint(text)! });
  }
  return twice(view) ?? batches(view);
}

/** What is told of a refusal that names its option, and of one that says of which kind the value is alone. */
const refusalHint = (text: string) =>
  OF_TEXT.test(text)
    ? "Look in the traceback for the option that must be a number, and write it as one: YAML reads 1e-6 as text, 1.0e-6 as a number."
    : "Do as its message says: it names the option, and mostly what it may be.";

/** How a number is written that YAML takes for text; null of any other setting. */
function pointHint({ name, value, written_type }: Setting): string | null {
  const text = typeof value === "string" && written_type === "string" ? value.trim() : "", pointed = withPoint(text);
  return pointed === null ? null : `Write ${name}: ${pointed} in place of ${text}, which YAML reads as text.`;
}

/** PyYAML reads 1e-6 (without a point) as text; in our own reading it is a number written as a string. */
function notANumber(entry: Setting): boolean {
  if (entry.written_type === "expression") return false; // Only the program knows its value.
  if (typeof entry.value === "number" || entry.value === null || entry.value === undefined) return false;
  if (typeof entry.value !== "string") return typeof entry.value === "boolean";
  const text = entry.value.trim();
  if (asNumber(text) !== null) return entry.written_type === "string" && /\.ya?ml$/i.test(entry.source ?? "");
  return text !== "" && !/^[$%{<]|auto|null|none/i.test(text);
}

function twice(view: RunView): Found | null {
  const seen = new Map<string, Setting>();
  for (const entry of view.settings) {
    if (entry.option === null || !/\.(ya?ml|json)$/i.test(entry.source ?? "")) continue;
    const key = `${entry.source} ${entry.name}`;
    const first = seen.get(key);
    if (
      first !== undefined && first.line !== entry.line && JSON.stringify(first.value) !== JSON.stringify(entry.value)
    ) {
      return found(`${entry.name} is set twice: the last one holds, silently`, [
        settingEvidence(first),
        settingEvidence(entry),
      ], { byHand: `Keep one of the two lines with ${entry.name}, ${placesOf(first, entry)}.` });
    }
    seen.set(key, entry);
  }
  return null;
}

/** "3 or 8", of lines of one file. */
const placesOf = (first: Setting, second: Setting) => `${first.line ?? "the first"} or ${second.line ?? "the second"}`;

function batches(view: RunView): Found | null {
  if (view.records > 0) return null;
  const number = (option: Parameters<typeof settingNumber>[1]) => settingNumber(view, option);
  const device = setting(view, "device_batch_size");
  const size = number("group_size");
  // LLaMA-Factory and ms-swift pair prompts and completions as they read the data, beyond a micro-batch.
  const pairsInBatch = view.algorithm === "kto" && !["llamafactory", "ms-swift"].includes(view.system ?? "");
  if (pairsInBatch && device !== null && asNumber(device.value) !== null && asNumber(device.value)! <= 1) {
    return found("KTO needs a micro-batch above 1: its KL pairs prompts with other completions", [
      settingEvidence(device),
    ], { remedy: [{ option: "device_batch_size", set: KTO_BATCH }] });
  }
  const trl = view.system === "trl" && view.algorithm === "grpo";
  const [batch, devices] = [number("device_batch_size"), number("devices")];
  if (!trl || batch === null || devices === null || size === null || size < 2) return null;
  const total = batch * devices * (number("gradient_accumulation") ?? 1);
  if (total % size === 0) return null;
  return found(`A batch of ${total} completions cannot hold whole groups of ${size}`, [
    settingEvidence(device!),
    settingEvidence(setting(view, "group_size")!),
  ], { byHand: `Choose a group size that divides ${total}, or a batch of whole groups.` });
}

/** A beta is read that is not 0 (or that only the program knows), or the trainer has one where nothing is said. */
function isWeighed(view: RunView): boolean {
  const entry = setting(view, "kl_coef"), logged = view.finite("kl_coef").at(-1);
  if (entry !== null) return asNumber(entry.value) !== 0;
  return (logged ?? preferenceBeta(view.system) ?? 0) > 0;
}

/** beta 0 without a configuration: ln 2 for ever, no gradient at all, and texts that differ. */
function zeroBeta(view: RunView): Found | null {
  if (!isPreference(view) || isWeighed(view)) return null;
  const loss = view.finite("loss");
  const gradient = view.finite("grad_norm");
  if (loss.length < AGREEING_RECORDS || gradient.length < AGREEING_RECORDS) return null;
  const stays = loss.every((value) => Math.abs(value - startLoss(view)) < LOSS_DIGITS);
  if (!stays || !gradient.every((value) => value === 0)) return null;
  const [chosen, rejected] = [view.column("chosen_logprob"), view.column("rejected_logprob")];
  const differ = chosen.some((value, record) =>
    isNumber(value) && isNumber(rejected[record]) && Math.abs(value - rejected[record]!) > APART
  );
  if (!differ) return null;
  return found("The loss stays at its start value with a gradient of exactly 0 although the texts differ: beta is 0", [
    view.evidence("loss", 0),
    view.evidence("grad_norm", 0),
    view.evidence("chosen_logprob", chosen.findIndex(isNumber)),
  ], { confirm: "the value of beta, and the count of trainable parameters", remedy: USUAL_BETA });
}
