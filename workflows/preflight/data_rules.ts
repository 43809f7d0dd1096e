/** Rules on data: files that are there, columns they have, splits that hold the prompts a step asks for. @module */
import { EQUAL_PAIRS, otherForm } from "../../steps/preferences/examples.ts";
import { isOfPairs } from "../../steps/preferences/loss_options.ts";
import { grantsOf } from "../plan/grants.ts";
import type { PlannedStep } from "../plan/plan.ts";
import type { Facts, Known } from "./facts.ts";
import { at, type Report } from "./finding.ts";

/** The prompts can be loaded: the file, its columns, its answers. */
export function promptsThere({ prompts }: Facts): Report[] {
  if (prompts === null || prompts.problem === null) return [];
  return [unloadable(prompts.loaded.step, prompts.problem)];
}

/** The preferences of a file can be loaded: the file, its columns, its rows. */
export function preferencesThere({ preferences }: Facts): Report[] {
  return preferences.flatMap(({ loaded: { step }, problem }) => problem === null ? [] : [unloadable(step, problem)]);
}

const NAMED = 5; // Lines of a file.

/** The rows of a file are of the form that the loss wants, and teach something: no pair of the same text, no class that is missing. */
export function preferenceRows({ each, before, preferences }: Facts): Report[] {
  return [...each("train_preferences"), ...each("train_reward_model")].flatMap(({ step, params }): Report[] => {
    const loaded = before("load_preferences", step),
      facts = preferences.find((one) => one.loaded.step === loaded?.step);
    if (loaded === null || facts === undefined) return [];
    const rows = facts.rows.filter(({ split }) => split === "train"), { file } = loaded.params;
    const report = (message: string): Report[] => [
      { severity: "error", refuses: true, message, path: at(loaded.step, "file") },
    ];
    const pairs = "loss" in params ? isOfPairs(params) : true;
    if (rows.some(({ label }) => (label === undefined) !== pairs)) {
      const path = "loss" in params ? at(step, "loss") : at(loaded.step, "file");
      return [{ severity: "error", refuses: true, message: otherForm(pairs, file!), path }];
    }
    if (!params.check_data) return [];
    const equal = rows.filter(({ chosen, rejected }) => chosen !== undefined && chosen === rejected);
    if (equal.length > 0) {
      const lines = equal.map(({ line }) => line).sort((a, b) => a - b).slice(0, NAMED).join(", ");
      const more = equal.length > NAMED ? ", …" : "";
      return report(`${equal.length} pairs of ${file} have equal completions (line ${lines}${more}): ${EQUAL_PAIRS}`);
    }
    const labels = new Set(rows.flatMap(({ label }) => label === undefined ? [] : [label]));
    if (labels.size !== 1) return [];
    const [have, lack] = labels.has(true) ? ["desirable", "undesirable"] : ["undesirable", "desirable"];
    return report(
      `all ${rows.length} completions of ${file} to train on are ${have}, want ${lack} ones as well; look at the label ` +
        `column, or set check_data: false of ${step.uses} to see what it does`,
    );
  });
}

/** What the step will say, at the option that it names, else at the file. */
function unloadable(step: PlannedStep, message: string): Report {
  const option = /\(option (\w+)\)/.exec(message)?.[1];
  const path = option !== undefined && Object.hasOwn(step.with, option) ? at(step, option) : at(step, "file");
  return { severity: "error", refuses: true, message, path };
}

/** A reward of the user's own is a file that loads, exports a function, and scores right answers. */
export function rewardsThere({ rewards }: Facts): Report[] {
  return rewards.flatMap(({ step, index, problem, slow }): Report[] =>
    problem === null ? [] : [{
      severity: slow ? "warning" : "error",
      refuses: !slow,
      message: problem,
      path: at(step, "rewards", index, "uses"),
    }]
  );
}

/** What the workflow may do besides computing is told, so that nobody is surprised by a stranger's file. */
export function permissions({ plan }: Facts): Report[] {
  return grantsOf(plan).map(({ text, path }) => ({ severity: "info", message: `this workflow ${text}`, path }));
}

/** Every split that a step asks for has prompts. */
export function splits({ each, prompts }: Facts): Report[] {
  if (prompts === null || prompts.problem !== null) return [];
  const has = new Set(prompts.rows.map(({ split }) => split));
  const reports: Report[] = [];
  for (const { step, params } of each("fine_tune")) {
    if (params.until_accuracy === undefined || has.has("validation")) continue;
    const message = "until_accuracy is measured on validation prompts and there are none; raise splits.validation of " +
      "load_prompts, or leave until_accuracy out";
    reports.push({ severity: "error", refuses: true, message, path: at(step, "until_accuracy") });
  }
  for (const { step, params } of each("evaluate")) {
    if (has.has(params.split)) continue;
    const message = `split "${params.split}" has no prompts; raise splits.${params.split} of load_prompts`;
    reports.push({ severity: "error", refuses: true, message, path: at(step, "split") });
  }
  return reports;
}

/** What asks whether a completion is right has prompts of which somebody knows. */
export function judged({ each, prompts }: Facts): Report[] {
  const [loaded, ...others] = each("load_prompts"),
    why = loaded === undefined ? null : unjudged(loaded.params, prompts);
  if (why === null || others.length > 0) return [];
  const report = (step: PlannedStep, what: string, instead: string, ...key: (string | number)[]): Report => ({
    severity: step.continueOnError ? "warning" : "error",
    refuses: !step.continueOnError,
    message: `${what} cannot tell which completions are right: ${why}, or ${instead}`,
    path: at(step, ...key),
  });
  return [
    ...each("fine_tune").filter(({ params }) => params.until_accuracy !== undefined)
      .map(({ step }) => report(step, "until_accuracy", "leave it out", "until_accuracy")),
    ...[...each("score_rewards"), ...each("evaluate")].flatMap(({ step, params }) =>
      params.rewards.flatMap(({ uses }, index) =>
        uses === "verifier" ? [report(step, 'reward "verifier"', "use another reward", "rewards", index, "uses")] : []
      )
    ),
    ...each("evaluate").filter(({ params }) => params.rewards.length === 0)
      .map(({ step }) => report(step, step.id, "give this step rewards, or leave it out")),
  ];
}

/** Why nobody knows which completions of a file's prompts are right, and what would mend it; null where somebody does. */
function unjudged(given: Known<"load_prompts">["params"], prompts: Facts["prompts"]): string | null {
  const { file, verifier, answer_column, messages_column } = given;
  const isUnknown = prompts === null
    ? verifier === "none" || messages_column !== undefined
    : prompts.problem === null && prompts.rows.every((row) => row.verifier === "none");
  if (!isUnknown) return null;
  const columns = "name prompt_column, answer_column and verifier of load_prompts";
  if (answer_column === null) return `the prompts of ${file} have no answer; ${columns}`;
  return messages_column !== undefined || verifier === undefined
    ? `the prompts of ${file} are conversations, whose answers no verifier reads; ${columns}`
    : `the prompts of ${file} have verifier: none; name another one of load_prompts`;
}
