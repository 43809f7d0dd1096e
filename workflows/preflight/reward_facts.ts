/** The user's reward files of a plan, loaded and tried in the sandbox on right answers. @module */
import { resolve } from "node:path";
import { isUserFile, type RewardEntry } from "../../steps/rewards/entry.ts";
import type { RewardBatch } from "../../steps/rewards/reward.ts";
import { Sandbox, SandboxFailure } from "../../steps/rewards/sandbox/sandbox.ts";
import type { PlannedStep } from "../plan.ts";
import type { Known } from "./facts.ts";
import { isFile } from "./model_facts.ts";
import type { PromptRow } from "./prompt_facts.ts";

export interface RewardFacts {
  readonly step: PlannedStep;
  /** Its place in `rewards`. */
  readonly index: number;
  /** Why it cannot score, or null. */
  readonly problem: string | null;
}

/** Prompts that a file is tried on. */
const TRIED = 2;
/** A check must be quick: what takes longer is left to the run. */
const MAX_MS = 5000;

/** Every file of every score_rewards step, each step's with its own limits. */
export function readRewards(
  steps: readonly Known<"score_rewards">[],
  prompts: readonly PromptRow[],
  folder: string,
): Promise<RewardFacts[]> {
  return Promise.all(
    steps.flatMap(({ step, params }) =>
      params.rewards.flatMap((entry, index) =>
        isUserFile(entry.uses)
          ? [problemOf(entry, params, prompts.slice(0, TRIED), folder).then((problem) => ({ step, index, problem }))]
          : []
      )
    ),
  );
}

/** Nothing is run that could do more than compute: files with permissions are only looked for. */
async function problemOf(
  { uses, with: options, trusted, permissions }: RewardEntry,
  { on_error, timeout_seconds, memory_mb }: Known<"score_rewards">["params"],
  prompts: readonly PromptRow[],
  folder: string,
): Promise<string | null> {
  const path = resolve(folder, uses);
  if (!isFile(path)) return `there is no reward file ${uses} in ${folder}; paths are relative to the workflow file`;
  if (trusted || permissions?.net.length) return null;
  const limits = { timeoutMs: Math.min(MAX_MS, timeout_seconds * 1000), memoryBytes: memory_mb * 2 ** 20, net: [] };
  let sandbox: Sandbox;
  try {
    sandbox = await Sandbox.start(path, limits, () => {}, { loadMs: MAX_MS });
  } catch (error) {
    return `${uses} does not load: ${(error as Error).message}`;
  }
  try {
    // Without answers there is nothing to try it on: it may be right to throw on an empty completion.
    const isUnanswered = prompts.length === 0 || prompts.some(({ answer }) => String(answer ?? "") === "");
    if (isUnanswered || on_error === "drop") return null;
    const reply = await sandbox.ask({ batch: rightAnswers(prompts), options }, 1);
    if ("failure" in reply) return `${uses}, tried on right answers, ${reply.failure}`;
    const odd = reply.values.findIndex((value) => typeof value === "object" && value !== null);
    if (odd < 0) return null;
    const { found } = reply.values[odd] as { readonly found: string };
    return `${uses}, tried on the right answer ${JSON.stringify(prompts[odd]!.answer)}, gave ${found}, want a finite ` +
      "number or null";
  } catch (error) {
    if (!(error instanceof SandboxFailure)) throw error;
    // Slower than a check may be is not slower than the run allows.
    if (/^gave no answer/.test(error.message) && timeout_seconds * 1000 > MAX_MS) return null;
    return `${uses}, tried on right answers, ${error.message}`;
  } finally {
    await sandbox.close();
  }
}

function rightAnswers(rows: readonly PromptRow[]): RewardBatch {
  return {
    prompts: rows.map(({ prompt }) => prompt),
    texts: rows.map(({ answer }) => String(answer ?? "")),
    answers: rows.map(({ answer }) => String(answer ?? "")),
    completion_tokens: rows.map(({ answer }) => String(answer ?? "").length + 1),
    truncated: rows.map(() => false),
    rows: rows as unknown as RewardBatch["rows"],
  };
}
