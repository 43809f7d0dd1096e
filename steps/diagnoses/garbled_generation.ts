/** Cause `garbled_generation`: the sampled text itself is broken from the first step. @module */
import { type CannotTell, defineDiagnosis, type Found } from "./diagnosis.ts";
import { median, show } from "./view/numbers.ts";
import { isReinforcement } from "./view/groups.ts";
import { floorShare, goalsOf } from "./view/rewards.ts";
import { earliest, quote, texts } from "./view/texts.ts";
import { stepOf } from "./view/run_view.ts";

/** A language model at temperature 1 has 0.2 to 2 nats per token; 3 nats are twenty equally likely tokens everywhere. */
const UNIFORM = 3;
/** Prose, code and formulas have at most 0.13 such changes per character; random printable text has 0.3. */
const NOISE = 0.18;
const WEAK = 0.1;

export default defineDiagnosis({
  codes: ["T01", "D06", "M01"],
  severity: "error",
  about: "The sampled text is broken from the first step: noise, a mix of scripts, or answers to an image nobody sees.",
  reads: ["completions.text", "entropy", "reward"],
  decision:
    "The completions of the first printed step read as noise (more than 0.18 changes of character class per character that words, sums and tags do not have, or three scripts in one text) with an entropy above 3 nats or a reward at its floor, while no goal reward scores; or at least 40 % say the image is static, a collage or noise, or put the box over the whole image.",
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
    if (!isReinforcement(view)) return null;
    const all = texts(view);
    const first = earliest(view);
    const entropy = view.finite("entropy");
    const early = entropy.length === 0 ? null : median(entropy.slice(0, 5));
    const goals = goalsOf(view);
    const floor = floorShare(view) > 0.8 || (goals.length > 0 && goals.every((entry) => entry.constant === 0));
    // A reward that tells the completions apart reads them: an untrained model, not broken text.
    const scored = !floor && goals.some((entry) => median([...entry.values]) > 0.02);
    const example = () => view.completions.slice(0, 2).map((row) => quote(row));
    if (all.count >= 2 && all.brokenImage + all.wholeImage > 0 && Math.max(all.brokenImage, all.wholeImage) >= 0.4) {
      return {
        trainSteps: view.completions.slice(0, 1).flatMap(stepOf),
        message: `${
          show(100 * Math.max(all.brokenImage, all.wholeImage))
        } % of the completions answer as if the image were noise or empty`,
        evidence: [
          ...example(),
          ...(view.records > 0 && view.has("reward") ? [view.evidence("reward", view.records - 1)] : []),
        ],
        ruledOut: { coordinates_mismatch: "boxes cover the whole image instead of differing by a scale" },
      };
    }
    const uniform = early !== null && early > UNIFORM;
    const noisy = first.count >= 2 && (first.noise > (uniform && floor ? WEAK : NOISE) || first.mixed >= 0.5) &&
      first.tokenZero < 0.3 && first.looping < 0.5;
    if (scored && view.records > 0) return null;
    if (!(noisy && (uniform || floor || view.records === 0)) && !(uniform && floor && first.count === 0)) return null;
    if (!noisy && view.finite("reward").length < 3) return null;
    if (!noisy && view.lacks.includes("completions")) {
      const because = `the entropy is ${show(early)} nats per token and every reward is at the floor: ` +
        "an untrained model, or broken text";
      return { missing: ["the table completions"], because };
    }
    return {
      trainSteps: view.trainSteps.slice(0, 1),
      message: noisy
        ? `The first completions read as noise (${show(first.noise)} odd changes of character class per character)${
          early === null ? "" : `; entropy ${show(early)} nats per token`
        }`
        : `The entropy is ${
          show(early)
        } nats per token from the first record, near that of random text, and every reward is at the floor`,
      evidence: [...example(), ...(early === null ? [] : [view.evidence("entropy", 0)])],
      ruledOut: { learning_rate_too_high: "the text is broken before any update" },
      ...(noisy ? {} : { confirm: "print one completion" }),
    };
  },
});
