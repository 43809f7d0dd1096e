/** Faults of the step `load_prompts`: prompts and answers that do not fit. @module */
import { shuffle } from "../../data/random.ts";
import { faultsOf } from "./fault.ts";

const { rewriting } = faultsOf("load_prompts");

export const DATA_FAULTS = {
  shuffled_answers: rewriting("prompts", {
    about: "Give each prompt the answer of another one",
    causes: ["reward_parser_mismatch"],
    lookAlike: "hard_task",
  }, (column, { context }) => ({ answer: shuffle(column<string>("answer"), context.seed, "fault") })),
  worded_answers: rewriting("prompts", {
    about: "Write the answers in a format that no completion has: the comparison is strict",
    causes: ["reward_parser_mismatch"],
    lookAlike: "hard_task",
  }, (column) => ({
    answer: column<string>("answer").map((answer) => `The answer is ${answer}.`),
  })),
  impossible_task: rewriting("prompts", {
    about: "Ask what the policy cannot answer",
    causes: ["all_incorrect_reward_floor"],
    rule: "statistical",
    lookAlike: "hard_task",
  }, (column) => ({
    prompt: column<string>("prompt").map((prompt) => prompt.replace("+", ",")),
    answer: column<string>("answer").map((answer) => `i${answer}x`),
  })),
  duplicated_prompts: rewriting("prompts", {
    about: "Fill the data with copies of one row",
    causes: ["overfitting"],
    lookAlike: "few_prompts",
  }, (column) => {
    const [prompts, answers] = [column<string>("prompt"), column<string>("answer")];
    const row = column<string>("split").indexOf("train");
    return { prompt: prompts.map(() => prompts[row]!), answer: answers.map(() => answers[row]!) };
  }),
} as const;
