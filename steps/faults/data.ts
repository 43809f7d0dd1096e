/** Faults of the step `load_prompts`: prompts and answers that do not fit. @module */
import { shuffle } from "../../data/random.ts";
import { changed } from "./change.ts";
import { defineFault, NO_PARAMS } from "./fault.ts";

const step = "load_prompts";

export const DATA_FAULTS = {
  shuffled_answers: defineFault({
    about: "Give each prompt the answer of another one",
    step,
    causes: ["reward_parser_mismatch"],
    rule: "exact",
    lookAlike: "hard_task",
    params: NO_PARAMS,
    after: (_, result, context) =>
      changed(result, "prompts", (column) => ({ answer: shuffle(column<string>("answer"), context.seed, "fault") })),
  }),
  worded_answers: defineFault({
    about: "Write the answers in a format that no completion has: the comparison is strict",
    step,
    causes: ["reward_parser_mismatch"],
    rule: "exact",
    lookAlike: "hard_task",
    params: NO_PARAMS,
    after: (_, result) =>
      changed(result, "prompts", (column) => ({
        answer: column<string>("answer").map((answer) => `The answer is ${answer}.`),
      })),
  }),
  impossible_task: defineFault({
    about: "Ask what the policy cannot answer",
    step,
    causes: ["all_incorrect_reward_floor"],
    rule: "statistical",
    lookAlike: "hard_task",
    params: NO_PARAMS,
    after: (_, result) =>
      changed(result, "prompts", (column) => ({
        prompt: column<string>("prompt").map((prompt) => prompt.replace("+", ",")),
        answer: column<string>("answer").map((answer) => `i${answer}x`),
      })),
  }),
  duplicated_prompts: defineFault({
    about: "Fill the data with copies of one row",
    step,
    causes: ["overfitting"],
    rule: "exact",
    lookAlike: "few_prompts",
    params: NO_PARAMS,
    after: (_, result) =>
      changed(result, "prompts", (column) => {
        const [prompts, answers] = [column<string>("prompt"), column<string>("answer")];
        const row = column<string>("split").indexOf("train");
        return { prompt: prompts.map(() => prompts[row]!), answer: answers.map(() => answers[row]!) };
      }),
  }),
} as const;
