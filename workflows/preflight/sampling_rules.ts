/** Rules on sampling: near-greedy settings, answers and prompts that do not fit. @module */
import { wantsAnswerItself } from "../../data/tasks/verifiers/verify.ts";
import { NEAR_GREEDY } from "../../steps/diagnoses/view/near_greedy.ts";
import { isUserFile } from "../../steps/rewards/entry.ts";
import { samplingSettings } from "../../steps/options/sampling_settings.ts";
import type { Facts, Known } from "./facts.ts";
import { at, type Report } from "./finding.ts";

/** Completions of a group that are all the same have no advantage. */
export function nearGreedy({ each, model }: Facts): Report[] {
  return each("sample_groups").flatMap(({ step, params }) => {
    const { values, origins } = samplingSettings(params, model?.generation ?? null, params.inherit_sampling);
    const names = Object.keys(NEAR_GREEDY) as (keyof typeof NEAR_GREEDY)[];
    return names.filter((name) => NEAR_GREEDY[name](values[name])).map((name): Report => {
      const inherited = origins[name] === "model folder";
      const from = inherited ? `, inherited from generation_config.json of ${model!.folder}` : "";
      const message = `${name} is ${values[name]}${from}: sampling takes the most likely token nearly always, so the ` +
        `completions of a group are the same and every advantage is 0; set ${name} ${name === "top_k" ? 0 : 1}`;
      return { severity: "error", message, path: at(step, inherited ? "inherit_sampling" : name) };
    });
  });
}

/** Completions that are too short for the answer are never right. */
export function answerLength(facts: Facts): Report[] {
  const { each, prompts, model } = facts;
  if (prompts === null || model?.tokenizer == null) return [];
  const { tokenizer } = model;
  return each("sample_groups").flatMap(({ step, params }): Report[] => {
    const rows = prompts.rows.filter(({ split, verifier }) => split === params.split && wantsAnswerItself(verifier));
    const verified = usesVerifier(facts);
    if (rows.length === 0 || !verified && !usesOwnFile(facts)) return [];
    const byLength = [...new Set(rows.map(({ answer }) => String(answer)))].sort((a, b) => b.length - a.length);
    const tokens = (text: string) => tokenizer.encode(text, { addSpecialTokens: false }).length;
    const end = params.mask_truncated ? 1 : 0;
    const longest = Math.max(...byLength.slice(0, 20).map(tokens)) + end;
    const shortest = Math.min(...byLength.slice(-20).map(tokens)) + end;
    const { max_new_tokens: most } = params;
    if (most >= longest) return [];
    const never = most < shortest;
    if (!never && !verified) return []; // what a reward of one's own pays for, nobody knows
    const message = `max_new_tokens is ${most} and the ${never ? "shortest" : "longest"} answer of split ` +
      `"${params.split}" needs ${never ? shortest : longest}${end > 0 ? " with its end" : ""}; ` +
      `${never ? "no completion can be right" : "such prompts are never right"}, want at least ${longest}`;
    return [{ severity: never && verified ? "error" : "warning", message, path: at(step, "max_new_tokens") }];
  });
}

/** Some reward compares the completion with the answer. */
function usesVerifier({ each }: Facts): boolean {
  return each("score_rewards").some(({ params }) =>
    params.rewards.some(({ uses }) => uses === "verifier" || uses === "exact_match")
  );
}

/** Some reward is a file of the user's. */
function usesOwnFile({ each }: Facts): boolean {
  return each("score_rewards").some(({ params }) => params.rewards.some(({ uses }) => isUserFile(uses)));
}

/** Prompt and completion together must fit the model's positions. */
export function contextLength({ each, prompts, model }: Facts): Report[] {
  if (prompts === null || prompts.rows.length === 0 || model?.config == null || model.tokenizer === null) return [];
  const { config, tokenizer } = model;
  const report = (step: Known<"sample_groups">["step"], split: string, most: number): Report[] => {
    const longest = prompts.rows.filter((row) => row.split === split).map(({ prompt }) => String(prompt))
      .sort((a, b) => b.length - a.length).slice(0, 5);
    if (longest.length === 0) return [];
    const tokens = Math.max(...longest.map((prompt) => tokenizer.encode(prompt).length));
    if (tokens + most <= config.maxPositions) return [];
    const message = `the longest prompt of split "${split}" has ${tokens} tokens, with ${most} new ones ` +
      `${tokens + most}: want at most ${config.maxPositions}, the model's context; shorten it or lower max_new_tokens`;
    return [{ severity: "error", refuses: true, message, path: at(step, "max_new_tokens") }];
  };
  return [
    ...each("sample_groups").flatMap(({ step, params }) => report(step, params.split, params.max_new_tokens)),
    ...each("evaluate").flatMap(({ step, params }) => report(step, params.split, params.max_new_tokens ?? 1)),
  ];
}
