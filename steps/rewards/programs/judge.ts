/** Judges completions by the verifiers of their prompts; those that run code do so in the sandbox. @module */
import { fromFileUrl } from "@deno/std/path/from_file_url.js";
import type { PromptRow } from "../../../data/tasks/mod.ts";
import type { Program } from "../../../data/tasks/verifiers/verifier.ts";
import { verifyOrRun } from "../../../data/tasks/verifiers/verify.ts";
import type { RewardBatch } from "../reward.ts";
import { scoreUserCode } from "../user_code.ts";

/** Whose run it is. */
interface JudgeHost {
  readonly runId: string;
  readonly stepId: string;
  readonly signal: AbortSignal;
}

const OWN = (name: string) => fromFileUrl(new URL(`./${name}`, import.meta.url)) as string;
const PROGRAM = OWN("run.ts"), WORKER = OWN("worker.ts");
const MEMORY_BYTES = 512 * 2 ** 20;
/** Time for a program besides its own: its thread starts, and the machine is busy with others. */
const START_MS = 3000;

/** Per completion: whether it is right; null where its prompt names no verifier. Programs run one after the other. */
export async function judge(
  texts: readonly string[],
  rows: readonly PromptRow[],
  host: JudgeHost,
): Promise<(boolean | null)[]> {
  const found = texts.map((text, i) => verifyOrRun(text, rows[i]!));
  const programs = found.filter((one) => typeof one === "object" && one !== null) as Program[];
  if (programs.length === 0) return found as (boolean | null)[];
  const right = await run(programs, host);
  let at = 0;
  return found.map((one) => typeof one === "object" && one !== null ? right[at++]! : one as boolean | null);
}

/**
 * One that ends or stops the process, or takes its time or memory, is wrong: the process is killed when that one's own
 * time is over, and the others go on in another.
 */
async function run(programs: readonly Program[], host: JudgeHost): Promise<boolean[]> {
  const none = programs.map(() => ""), longest = Math.max(...programs.map(({ milliseconds }) => milliseconds));
  const batch: RewardBatch = {
    prompts: none,
    texts: none,
    answers: none,
    completion_tokens: programs.map(() => 0),
    truncated: programs.map(() => false),
    rows: programs as unknown as PromptRow[],
  };
  const limits = {
    timeoutMs: longest + START_MS,
    memoryBytes: MEMORY_BYTES,
    net: [],
    program: PROGRAM,
  };
  const reward = { name: "unit_tests", path: WORKER, options: {}, trusted: false, limits, remedy: "report this" };
  const silent = { ...host, print: () => {}, dropped: () => {} };
  const values = await scoreUserCode(reward, batch, { onError: "drop", retries: 0, alone: true }, silent);
  return values.map((value) => value === 1);
}
