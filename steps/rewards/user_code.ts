/**
 * A reward function of the user's own, in a file: `uses: ./my_reward.ts`.
 *
 * The file exports `score(batch, options)` (or that as default): arrays over completions in, an array of numbers or null
 * out, also as a promise. It runs in its own process without permissions, or in this one when it is `trusted`.
 * @module
 */
import { toFileUrl } from "@deno/std/path/to_file_url.js";
import type { RewardBatch } from "./reward.ts";
import {
  argumentsText,
  type BatchReply,
  evaluate,
  loadScore,
  maybeMissing,
  single,
  type UserScore,
  type ValueReply,
} from "./sandbox/evaluate.ts";
import { closeSandbox, withSandbox } from "./sandbox/pool.ts";
import { thrown } from "./sandbox/thrown.ts";
import { SandboxFailure, type SandboxLimits } from "./sandbox/sandbox.ts";

export interface UserReward {
  readonly name: string;
  /** Absolute path of the file. */
  readonly path: string;
  /** The entry's `with`, handed to the function as its second argument. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly trusted: boolean;
  readonly limits: SandboxLimits;
  /** What to do about a failure, as the last part of its message. */
  readonly remedy: string;
}

/** What happens to a completion that the function cannot score. */
export interface FailurePolicy {
  readonly onError: "stop" | "drop" | "retry";
  /** Further attempts of `retry`, each in a fresh process. */
  readonly retries: number;
  /** With drop: each completion is asked alone from the first, so that none can use up the time of the others. */
  readonly alone?: boolean;
}

/** Whose run it is, and who is told. */
interface UserCodeHost {
  readonly runId: string;
  readonly stepId: string;
  readonly signal: AbortSignal;
  /** What the code printed. */
  print(text: string): void;
  /** A completion was dropped. */
  dropped(sample: number, reason: string): void;
}

/** One way to run the code. */
interface Runner {
  /** Ends the process, if there is one: the next call starts another. */
  renew(): Promise<void>;
  /** The whole batch at once. */
  all(): Promise<BatchReply>;
  /** One completion at a time from `first` until `enough`, or until the process died; replies in order, at least one. */
  each(first: number, enough: (reply: BatchReply) => boolean): Promise<BatchReply[]>;
}

/**
 * Values of a batch. A function that throws, hangs, dies, writes to stdout, or returns a wrong number of values is asked
 * again with one completion at a time, to name the sample; `drop` then gives null for the samples that fail.
 * Throws Error "Cannot score with reward …", with the sample and the value.
 */
export async function scoreUserCode(
  reward: UserReward,
  batch: RewardBatch,
  { onError, retries, alone = false }: FailurePolicy,
  host: UserCodeHost,
): Promise<(number | null)[]> {
  const runner = reward.trusted ? await trustedRunner(reward, batch, host) : sandboxRunner(reward, batch, host);
  const count = batch.texts.length;
  const kept = (values: readonly ValueReply[]) =>
    values.map((value, sample) => {
      if (value === null || typeof value === "number") return value;
      host.dropped(sample, value.found);
      return null;
    });
  if (alone) return kept(await singly(runner, count, true));
  let reply = await runner.all();
  for (let attempt = 0; onError === "retry" && attempt < retries && problemOf(reply); attempt++) {
    await runner.renew();
    reply = await runner.all();
  }
  const problem = problemOf(reply);
  if (!problem) return (reply as { values: (number | null)[] }).values;

  let values: readonly ValueReply[];
  if ("values" in reply) values = reply.values;
  else values = isLate(problem) ? [{ found: problem }] : await singly(runner, count, onError === "drop");
  const late = values.find((value) => typeof value === "object" && value !== null && isLate(value.found));
  if (late) throw new Error(message(reward, batch, (late as { found: string }).found, -1));
  const failed = values.findIndex((value) => typeof value === "object" && value !== null);
  if (onError !== "drop") throw new Error(message(reward, batch, problem, failed));
  return kept(values);
}

/** Why a reply is not usable as it is, as the end of a sentence about the reward; null when it is. */
function problemOf(reply: BatchReply): string | null {
  if ("failure" in reply) return reply.failure;
  for (const value of reply.values) {
    if (typeof value === "object" && value !== null) return `gave ${value.found}, want a finite number or null`;
  }
  return null;
}

/** What was thrown once an answer was given: it belongs to no sample that is asked later. */
function isLate(problem: string): boolean {
  return /outside of its function, after (it had answered|an earlier call)$/.test(problem);
}

/** One completion at a time; up to the first that fails, or all of them with failures in place of values. */
async function singly(runner: Runner, count: number, goOn: boolean): Promise<ValueReply[]> {
  const values: ValueReply[] = [];
  while (values.length < count) {
    for (const reply of await runner.each(values.length, (reply) => !goOn && problemOf(reply) !== null)) {
      const problem = problemOf(reply);
      values.push(problem ? { found: problem } : (reply as { values: ValueReply[] }).values[0]!);
      if (problem && !goOn) return values;
    }
  }
  return values;
}

function sandboxRunner(reward: UserReward, batch: RewardBatch, host: UserCodeHost): Runner {
  const { path, limits, options } = reward;
  const request = { ...host, path, limits, print: (text: string) => host.print(text) };
  /** A file that does not load is no failure of a sample: it stops the step whatever on_error says. */
  const ask = (first: number | undefined, answers: number, receive?: (reply: BatchReply) => boolean) =>
    withSandbox(request, (sandbox) => sandbox.ask({ batch, options, from: first }, answers, receive)).catch((error) => {
      if (host.signal.aborted && error === host.signal.reason) throw error;
      if (error instanceof SandboxFailure) return { failure: error.message };
      throw new Error(`Cannot load reward "${reward.name}" from ${path}: ${(error as Error).message}`, {
        cause: error,
      });
    });
  return {
    renew: () => closeSandbox(request),
    all: () => ask(undefined, 1),
    async each(first, enough) {
      const replies: BatchReply[] = [];
      const last = await ask(first, batch.texts.length - first, (reply) => {
        replies.push(reply);
        return enough(reply);
      });
      // The process died at the next sample: its reason is that sample's reply.
      if (replies.at(-1) !== last) replies.push(last);
      return replies;
    },
  };
}

/** By file: what trusted code threw outside of its function, the answer to its next batch, and who is told at once. */
const STRAYS = new Map<string, { failure: string | null; print: (text: string) => void }>();

/** Hears what a trusted file throws by a timer or in a promise that nobody awaits: it would end this program. */
function strayOf(path: string, print: (text: string) => void) {
  const known = STRAYS.get(path);
  if (known) return Object.assign(known, { print });
  const heard = { failure: null as string | null, print }, url = toFileUrl(path).href;
  const hear = (event: Event, error: unknown) => {
    // Other errors are ours, and bugs.
    if (error instanceof Error && !error.stack?.includes(url)) return;
    event.preventDefault();
    heard.failure = `threw ${thrown(error)} outside of its function, after an earlier call`;
    heard.print(`It ${heard.failure}\n`);
  };
  globalThis.addEventListener("error", (event) => hear(event, event.error));
  globalThis.addEventListener("unhandledrejection", (event) => hear(event, event.reason));
  STRAYS.set(path, heard);
  return heard;
}

async function trustedRunner(
  { name, path, options }: UserReward,
  batch: RewardBatch,
  { print }: UserCodeHost,
): Promise<Runner> {
  const stray = strayOf(path, print);

  let score: UserScore;
  try {
    score = await loadScore(toFileUrl(path).href);
  } catch (error) {
    throw new Error(`Cannot load reward "${name}" from ${path}: ${(error as Error).message}`, { cause: error });
  }
  return {
    renew: () => Promise.resolve(),
    all() {
      const { failure } = stray;
      stray.failure = null;
      return failure === null ? evaluate(score, batch, options) : Promise.resolve({ failure });
    },
    async each(first, enough) {
      const replies: BatchReply[] = [];
      for (let i = first; i < batch.texts.length; i++) {
        const reply = await evaluate(score, single(batch, i), options);
        replies.push(reply);
        if (enough(reply)) break;
      }
      return replies;
    },
  };
}

function message(reward: UserReward, batch: RewardBatch, problem: string, sample: number): string {
  const count = batch.texts.length;
  const short = (text: string | undefined) => JSON.stringify((text ?? "").slice(0, 60));
  const where = sample < 0
    ? `on the batch of ${count} samples, on none of them alone`
    : `first at sample ${sample} of ${count} (prompt ${short(batch.prompts[sample])}, completion ${
      short(batch.texts[sample])
    })`;
  const found = /^gave (\S+), want/.exec(problem)?.[1];
  const held = found !== undefined && maybeMissing(found) ? `; ${argumentsText(batch, reward.options)}` : "";
  return `Cannot score with reward "${reward.name}": it ${problem}, ${where}${held}; ` +
    reward.remedy + (isLate(problem) ? "" : ", or set on_error: drop to leave such samples out");
}
