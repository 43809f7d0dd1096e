/** What is seen of pairs, weights and the machine in a run that is told in few words or few records. @module */
import { isAfterTraining } from "../view/after_training.ts";
import { written } from "../view/numbers.ts";
import { anyOf, ends } from "./looks.ts";
import { claims, each, type Symptom } from "./symptom.ts";

const SURE = 0.99, FAR = 20; // Share of pairs; nats.
const MARGIN_GAIN = 2, MARGIN_SHARE = 1.15; // Of a margin.
const REWARD_LOST = -1, LOGPROB_LOST = 20, LOGPROB_SHARE = 1.15;

/** Whose weights lie elsewhere while they are saved. */
const SHARDED = /zero[-_ ]?3|zero[-_ ]?stage[-_ ]?3|fsdp/i;

const chosenLost = anyOf(
  ends("chosen_reward", (first, last) => last < first && last < REWARD_LOST),
  ends("chosen_logprob", (first, last) => last < first - LOGPROB_LOST),
);

const LOST_FROM =
  written`its reward falls and ends below ${REWARD_LOST}, or its log-prob ends more than ${LOGPROB_LOST} nats below its first value`;

export const PAIR_SYMPTOMS = {
  chosen_falls: {
    about: "the chosen side falls",
    border: LOST_FROM,
    says: each(["chosen"], ["falls", "collapses"]),
    shows: chosenLost,
  },
  chosen_lost: { about: "the chosen side falls far", border: LOST_FROM, says: ["chosen.collapses"], shows: chosenLost },
  rejected_falls: {
    about: "the rejected side falls",
    border:
      written`its reward falls and ends below ${REWARD_LOST}, or its log-prob ends more than ${LOGPROB_LOST} nats and ${
        LOGPROB_SHARE - 1
      } % below its first value`,
    says: each(["rejected"], ["falls", "collapses"]),
    shows: anyOf(
      ends("rejected_reward", (first, last) => last < first && last < REWARD_LOST),
      ends("rejected_logprob", (first, last) => last < first - LOGPROB_LOST && last < LOGPROB_SHARE * first),
    ),
  },
  pairs_perfect: {
    about: "pairs are told apart perfectly, and the margin goes on",
    border: written`${SURE} % of the pairs or more are told apart, and the margin ends above ${FAR}`,
    shows: (view) =>
      ends("preference_accuracy", (_, last) => last >= SURE)(view) &&
      ends("reward_margin", (_, last) => last > FAR)(view),
  },
  margin_rises: {
    about: "the margin rises",
    border:
      written`it ends more than ${MARGIN_GAIN} above its first value, or above ${MARGIN_GAIN} and above ${MARGIN_SHARE} times its first value`,
    shows: ends(
      "reward_margin",
      (first, last) => last > first + MARGIN_GAIN || last > MARGIN_GAIN && last > MARGIN_SHARE * first,
    ),
    says: each(["margin", "preference_accuracy", "accuracy"], ["rises", "explodes", "high"]),
  },
  no_parameters: {
    about: "no parameter is trained",
    shows: claims(["parameters.zero"], ({ text }) => !isAfterTraining(text)),
  },
  adapter_unchanged: {
    about: "the saved weights are those that the run began with",
    says: [...each(["adapter"], ["identical", "constant", "zero"]), "parameters.constant"],
    shows: (view) =>
      view.claims.some(({ text }) => SHARDED.test(text)) ? null : claims(["adapter.empty"], () => true)(view),
  },
  hangs: { about: "the run hangs", says: each(["training", "completions", "policy"], ["hangs"]) },
} as const satisfies Record<string, Symptom>;
