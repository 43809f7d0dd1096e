/** Cause `garbled_generation`: the sampled text itself is broken from the first step. @module */
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { AGREEING_RECORDS, isNumber, LATE, mean, median, percent, show, written } from "./view/numbers.ts";
import { isPreference, isReinforcement } from "./view/groups.ts";
import { floorShare, goalsOf, isMostlyFloor, rewardFunctions } from "./view/rewards.ts";
import { earliest, NO_IMAGE, NOISY_TEXT, quote, texts } from "./view/texts.ts";
import { type RunView, stepOf } from "./view/run_view.ts";
import { capital, onAll } from "./view/on_records.ts";

/** A language model at temperature 1 has 0.2 to 2 nats per token; 3 nats are twenty equally likely tokens everywhere. */
const UNIFORM = 3;
const RANDOM = 5; // Nats per token of given texts: 150 equally likely tokens everywhere; a language model has 1 to 4.
const WEAK = 0.1; // Enough where the entropy and the reward say so as well.
const UNREAD = 0.14; // Enough where not one box or format is read; corners in a model's own words have 0.11.
const SCORES = 0.02; // A goal's median above this is scored by more than luck.
const LUCK = 0.01; // Mean of a reward that noise meets by luck: one completion in a hundred.
const BOXLESS = 5; // Records without one box or tag: hundreds of completions.
const TOKEN_ZERO = 0.3; // Share of texts of token 0 alone: another cause.

export default defineDiagnosis({
  codes: ["T01", "D06", "M01"],
  wastes: "all",
  applies: (view) => isReinforcement(view) || isPreference(view),
  about:
    "The sampled text is broken from the first step: noise, a mix of scripts, or answers to an image nobody sees; or the policy of preferences knows no text.",
  reads: ["completions.text", "entropy", "reward", "reward.<iou>", "reward.<confidence>", "reward.<format>"],
  decision: [
    written`The completions of the first printed step read as noise (more than ${NOISY_TEXT} changes of character class per character that words, sums and tags do not have, or three scripts in one text) with an entropy above ${UNIFORM} nats or a reward at its floor, while no goal reward scores; ${WEAK} of them where both hold, ${UNREAD} where rewards of boxes, confidence and format are all 0. Where no completion of the first records is at hand, entropy and floor decide.`,
    written`At least ${NO_IMAGE} % say the image is static, a collage or noise, or put the box over the whole image.`,
    written`Where neither completions nor an entropy are printed: rewards of boxes, of their confidence and of the format are 0 but for luck (a mean of ${LUCK}) on at least ${BOXLESS} records, and so is the gradient until something is paid: a wrong box earns confidence.`,
    written`In training on preferences, where nothing is sampled: an entropy above ${RANDOM} nats per token of the given texts in the first ${LATE} records.`,
  ],
  hint:
    "Generate with the plain model outside the trainer: if that reads well, check the attention implementation, weight sync, processor and batch padding.",
  byHand:
    "Try attn_implementation=sdpa or eager; check left padding, image tokens, and that the sampler has the current weights.",
  ours:
    "Check that model in load_model is a folder of trained weights with its own tokenizer, or warm start by fine_tune.",
  lookAlikes: {
    all_incorrect_reward_floor: "there the text is readable",
    learning_rate_too_high: "there the first step was fine",
    old_logprob_nan: "there the text is token 0 only",
  },
  taughtBy: "VLM-R1: completions that describe static and collages, IoU 0.19 to 0.02 with format 0.98",
  check(view): Found | CannotTell | null {
    return isPreference(view) ? untaught(view) : blind(view) ?? noise(view) ?? boxless(view);
  },
});

const examples = (view: RunView) => view.completions.slice(0, 2).map((row) => quote(row));

/** A policy that finds every next token of texts it is given about as likely as any other. */
function untaught(view: RunView): Found | null {
  const early = view.finite("entropy").slice(0, LATE);
  if (early.length === 0 || median(early) <= RANDOM) return null;
  return {
    trainSteps: view.trainSteps.slice(0, 1),
    message: `The entropy is ${show(median(early))} nats per token of the given texts, near that of random weights`,
    evidence: [view.evidence("entropy", 0)],
    ruledOut: { learning_rate_too_high: "it is so from the first update" },
    confirm: "print one completion",
  };
}

/** Answers to an image that nobody sees. */
function blind(view: RunView): Found | null {
  const { count, brokenImage, wholeImage } = texts(view);
  const share = Math.max(brokenImage, wholeImage);
  if (count < 2 || share < NO_IMAGE) return null;
  return {
    trainSteps: view.completions.slice(0, 1).flatMap(stepOf),
    message: `${percent(share)} of the completions answer as if the image were noise or empty`,
    evidence: [
      ...examples(view),
      ...(view.records > 0 && view.has("reward") ? [view.evidence("reward", view.records - 1)] : []),
    ],
    ruledOut: { coordinates_mismatch: "boxes cover the whole image instead of differing by a scale" },
  };
}

/** All records together pay what luck pays of each function: a few hits among thousands make no signal. */
function isPaidByLuck(view: RunView): boolean {
  const rewards = view.finite("reward"), functions = Math.max(1, rewardFunctions(view).length);
  return rewards.length >= AGREEING_RECORDS && rewards.every((value) => value >= 0) &&
    mean(rewards) <= LUCK * functions;
}

/** Texts from after the first updates say how the policy writes by then: what it learned of a lucky one as well. */
function isOfBeginning(view: RunView): boolean {
  const steps = view.completions.flatMap(({ trainStep }) => trainStep ?? []), last = view.trainSteps[LATE - 1];
  return steps.length === 0 || last === undefined || Math.min(...steps) < last;
}

/** What is at the floor: every reward, most, or the goals alone. */
function atFloor(view: RunView): string {
  const share = floorShare(view);
  if (share === 1) return "every reward is at the floor";
  return isMostlyFloor(view) || isPaidByLuck(view)
    ? `the reward is at its floor on ${percent(share)} of the records`
    : "every goal is 0";
}

/** Text that reads as noise, or an entropy near that of random text where none is printed. */
function noise(view: RunView): Found | CannotTell | null {
  const first = earliest(view), entropy = view.finite("entropy");
  const early = entropy.length === 0 ? null : median(entropy.slice(0, LATE));
  const goals = goalsOf(view);
  const floor = isMostlyFloor(view) || isPaidByLuck(view) ||
    (goals.length > 0 && goals.every((entry) => entry.constant === 0));
  // A reward that tells the completions apart reads them: an untrained model, not broken text.
  if (!floor && view.records > 0 && goals.some((entry) => median([...entry.values]) > SCORES)) return null;
  // A rate that wrecks the policy leaves the first record as it was.
  const uniform = early !== null && early > UNIFORM && entropy[0]! > UNIFORM,
    isTextless = first.count === 0 || !isOfBeginning(view);
  const isUnread = first.count > 0 && detection(view) !== null;
  const noisy = first.count >= 2 &&
    (first.noise > (uniform && floor ? WEAK : isUnread ? UNREAD : NOISY_TEXT) || first.mixed >= 0.5) &&
    first.tokenZero < TOKEN_ZERO && first.looping < 0.5;
  if (noisy ? !(uniform || floor || view.records === 0) : !(uniform && floor && isTextless)) return null;
  if (!noisy && view.finite("reward").length < AGREEING_RECORDS) return null;
  if (!noisy && view.lacks.includes("completions")) {
    const because = `the entropy is ${show(early)} nats per token and ${atFloor(view)}: ` +
      "an untrained model, or broken text";
    return { missing: ["the table completions"], because };
  }
  return {
    trainSteps: view.trainSteps.slice(0, 1),
    message: noisy
      ? `The first completions read as noise (${show(first.noise)} odd changes of character class per character)${
        early === null ? "" : `; entropy ${show(early)} nats per token`
      }`
      : `The entropy is ${show(early)} nats per token from the first record, near that of random text, and ${
        atFloor(view)
      }`,
    evidence: [...examples(view), ...(early === null ? [] : [view.evidence("entropy", 0)])],
    ruledOut: { learning_rate_too_high: "the text is broken before any update" },
    ...(noisy ? {} : { confirm: "print one completion" }),
  };
}

/** Rewards of boxes, of their confidence and of the format that are all 0 but for luck; null where one is not, or not there. */
function detection(view: RunView) {
  const functions = rewardFunctions(view), named = (word: RegExp) => functions.find(({ name }) => word.test(name));
  const [iou, confidence] = [named(/iou/i), named(/confidence/i)];
  const format = functions.find(({ kind }) => kind === "format");
  if (iou === undefined || confidence === undefined || format === undefined) return null;
  const all = [iou, confidence, format];
  return all.some(({ values }) => values.length < BOXLESS || mean(values) > LUCK)
    ? null
    : { iou, confidence, format, all };
}

/**
 * Detection without one box, one tag or one gradient, and no text to look at. A confidence pays a wrong box by what it
 * leaves of 1 (Visual-RFT, accuracy_reward_confidence): 0 says that none was read. A model that writes text has some
 * formats right before it is trained.
 */
function boxless(view: RunView): Found | null {
  if (!view.imported || texts(view).count > 0 || view.prints("entropy")) return null;
  const unread = detection(view);
  if (unread === null) return null;
  const { iou, confidence, format, all } = unread;
  // What is met by luck is learned from, and moves the policy from there on.
  const isPaid = (record: number) => all.some(({ cells }) => isNumber(cells[record]) && cells[record] !== 0);
  const paid = view.trainSteps.findIndex((_, record) => isPaid(record));
  const before = view.column("grad_norm").slice(0, paid < 0 ? undefined : paid);
  if (before.some((value) => value !== 0 && value !== null)) return null;
  const shown = ({ name, values }: typeof iou) => `${name} is ${show(mean(values))}`;
  return {
    trainSteps: view.trainSteps.slice(0, 1),
    message: `${capital(onAll(view, iou.values.length))} ${
      paid < 0
        ? `not one box is read (${confidence.name} 0, which pays wrong boxes too) and not one ${format.name}`
        : `boxes and format are met by luck alone (${all.map(shown).join(", ")}, and wrong boxes are paid too)`
    }: what is sampled is no text that the model would write`,
    evidence: all.map((entry) => view.evidence(entry.column, 0)),
    ruledOut: { format_reward_never_fires: "a readable model has some formats right, and boxes without one" },
    confirm:
      "print one completion; one that begins with the end of its prompt is another fault: max_prompt_length cut it",
  };
}
