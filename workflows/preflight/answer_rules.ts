/** Rules on the answers of prompts: that the rewards that are judged by them can read them. @module */
import { printable } from "../../data/printable.ts";
import { textOfPrompt } from "../../data/datasets/prompt_images.ts";
import { isUserFile, rewardOf } from "../../steps/rewards/entry.ts";
import type { Reward } from "../../steps/rewards/reward.ts";
import type { PlannedStep } from "../plan/plan.ts";
import type { Facts } from "./facts.ts";
import { at, type Report } from "./finding.ts";
import type { PromptRow } from "./prompt_facts.ts";

const SHOWN = 60; // Characters.

/** A reward throws at the first answer that it cannot read: long after the warm start that was paid for it. */
export function answersRead({ each, prompts }: Facts): Report[] {
  if (prompts === null || prompts.problem !== null) return [];
  const of = (wanted: string) => prompts.rows.filter(({ split }) => split === wanted);
  const scored = [
    ...each("score_rewards").map(({ step, params: { rewards } }) => ({ step, rewards, rows: of("train") })),
    ...each("evaluate").map(({ step, params: { rewards, split } }) => ({ step, rewards, rows: of(split) })),
  ];
  return scored.flatMap(({ step, rewards, rows }) =>
    rewards.flatMap(({ uses, with: given }, index) => {
      if (isUserFile(uses)) return [];
      const reward = rewardOf(uses), read = reward.params.safeParse(given);
      return read.success ? ofReward(uses, reward, read.data, { step, index, rows }) : [];
    })
  );
}

interface Scored {
  readonly step: PlannedStep;
  readonly index: number;
  readonly rows: readonly PromptRow[];
}

function ofReward(uses: string, reward: Reward, options: unknown, { step, index, rows }: Scored): Report[] {
  const path = at(step, "rewards", index, "uses");
  const { answerProblem, answerDoubt } = reward;
  const bad = answerProblem === undefined ? [] : found(rows, (answer) => answerProblem(options, answer));
  if (bad.length > 0) {
    const [{ row, said }] = bad as [Found], more = bad.length > 1 ? ` (and ${bad.length - 1} more)` : "";
    const message = `reward "${uses}" cannot read the answer ${shown(row.answer)} of prompt ${
      asked(row)
    }${more}: ${said}`;
    const isError = !step.continueOnError;
    return [{ severity: isError ? "error" : "warning", refuses: isError, message, path }];
  }
  const odd = answerDoubt === undefined ? [] : found(rows, (answer) => answerDoubt(options, answer));
  // Among others a few may be meant.
  if (odd.length <= rows.length / 2) return [];
  const [{ row, said }] = odd as [Found];
  const message = `${odd.length} of ${rows.length} answers for reward "${uses}" ${said}; the first is ${
    shown(row.answer)
  }, of prompt ${asked(row)}`;
  return [{ severity: "warning", message, path }];
}

interface Found {
  readonly row: PromptRow;
  readonly said: string;
}

function found(rows: readonly PromptRow[], look: (answer: string) => string | null): readonly Found[] {
  return rows.flatMap((row): Found[] => {
    const said = look(String(row.answer ?? ""));
    return said === null ? [] : [{ row, said }];
  });
}

const asked = ({ prompt }: PromptRow) => shown(textOfPrompt(prompt));

function shown(value: string): string {
  const text = String(value);
  return `"${printable(text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)}"`;
}
