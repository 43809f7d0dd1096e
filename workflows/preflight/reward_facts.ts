/** The user's reward files of a plan, loaded and tried in the sandbox on right answers. @module */
import { resolve } from "node:path";
import { isUserFile, type RewardEntry } from "../../steps/rewards/entry.ts";
import type { RewardBatch } from "../../steps/rewards/reward.ts";
import { argumentsText, maybeMissing } from "../../steps/rewards/sandbox/evaluate.ts";
import { Sandbox, SandboxFailure } from "../../steps/rewards/sandbox/sandbox.ts";
import type { PlannedStep } from "../plan/plan.ts";
import type { Known } from "./facts.ts";
import type { PromptRow } from "./prompt_facts.ts";
import { isFile } from "../../data/file_system.ts";

export interface RewardFacts {
  readonly step: PlannedStep;
  /** Its place in `rewards`. */
  readonly index: number;
  /** Why it cannot score, or may not, or null. */
  readonly problem: string | null;
  /** It gave no answer in the time of a check; a run waits longer. */
  readonly slow: boolean;
}

const TRIED = 2; // Prompts that a file is tried on.
const MAX_MS = 5000; // A check must be quick: what takes longer is told, and left to the run.

/** Every file of every score_rewards step, each step's with its own limits. */
export function readRewards(
  steps: readonly Known<"score_rewards">[],
  prompts: readonly PromptRow[],
  folder: string,
  answerMs = MAX_MS,
): Promise<RewardFacts[]> {
  return Promise.all(
    steps.flatMap(({ step, params }) =>
      params.rewards.flatMap((entry, index) =>
        isUserFile(entry.uses)
          ? [tried(entry, params, prompts.slice(0, TRIED), folder, answerMs).then((told) => ({ step, index, ...told }))]
          : []
      )
    ),
  );
}

/** Nothing is run that could do more than compute: files with permissions are only looked for. */
async function tried(
  { uses, with: options, trusted, permissions }: RewardEntry,
  { on_error, timeout_seconds, memory_mb }: Known<"score_rewards">["params"],
  prompts: readonly PromptRow[],
  folder: string,
  answerMs: number,
): Promise<Pick<RewardFacts, "problem" | "slow">> {
  const path = resolve(folder, uses);
  const says = (problem: string | null, slow = false) => ({ problem, slow });
  if (!isFile(path)) {
    return says(`there is no reward file ${uses} in ${folder}; paths are relative to the workflow file`);
  }
  if (trusted || permissions?.net.length) return says(null);
  const runMs = timeout_seconds * 1000;
  const limits = { timeoutMs: Math.min(answerMs, runMs), memoryBytes: memory_mb * 2 ** 20, net: [] };
  let sandbox: Sandbox;
  try {
    sandbox = await Sandbox.start(path, limits, () => {}, { loadMs: MAX_MS });
  } catch (error) {
    return says(`${uses} does not load: ${(error as Error).message}`);
  }
  try {
    // Without answers there is nothing to try it on: it may be right to throw on an empty completion.
    const isUnanswered = prompts.length === 0 || prompts.some(({ answer }) => String(answer ?? "") === "");
    if (isUnanswered || on_error === "drop") return says(null);
    return says(await onRightAnswers(sandbox, uses, options, prompts));
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error;
    const problem = `${uses}, tried on right answers, ${error.message}`;
    // Slower than a check may be is not slower than the run allows.
    if (!/^gave no answer/.test(error.message) || runMs <= answerMs) return says(problem);
    return says(`${problem}; a run ends at a batch that takes more than ${timeout_seconds} s (timeout_seconds)`, true);
  } finally {
    await sandbox.close();
  }
}

/** What is wrong with the rewards that right answers get, or null. */
async function onRightAnswers(
  sandbox: Sandbox,
  uses: string,
  options: RewardEntry["with"],
  prompts: readonly PromptRow[],
): Promise<string | null> {
  const batch = rightAnswers(prompts), reply = await sandbox.ask({ batch, options }, 1);
  if ("failure" in reply) return `${uses}, tried on right answers, ${reply.failure}`;
  const odd = reply.values.findIndex((value) => typeof value === "object" && value !== null);
  if (odd < 0) return null;
  const { found } = reply.values[odd] as { readonly found: string };
  const answer = JSON.stringify(prompts[odd]!.answer);
  return `${uses}, tried on the right answer ${answer}, gave ${found}, want a finite number or null${
    maybeMissing(found) ? `; ${argumentsText(batch, options)}` : ""
  }`;
}

function rightAnswers(rows: readonly PromptRow[]): RewardBatch {
  return {
    prompts: rows.map(({ prompt }) => prompt),
    texts: rows.map(({ answer }) => String(answer ?? "")),
    answers: rows.map(({ answer }) => String(answer ?? "")),
    completion_tokens: rows.map(({ answer }) => String(answer ?? "").length + 1),
    truncated: rows.map(() => false),
    rows,
  };
}
