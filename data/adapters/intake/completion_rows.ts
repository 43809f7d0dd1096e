/** Objects with a prompt, a completion and rewards under anyone's key names, as rows of `completions`. @module */
import { numberOf } from "../source/python_json.ts";
import type { Intake } from "./intake.ts";

const TEXT = ["completion", "completions", "output", "response", "generated_text", "generation", "text"];
const PROMPT = ["prompt", "input", "question", "problem", "query", "prompts"];
const ANSWER = ["answer", "gts", "gt", "ground_truth", "solution", "label", "target", "reference"];
const REWARD = ["reward", "score", "total_reward", "rewards"];
const ADVANTAGE = ["advantage", "advantages"];
const STEP = ["step", "train_step", "global_step", "gen_step"];
const TOKENS = ["completion_tokens", "completion_length", "response_length", "num_tokens", "length"];
const TRUNCATED = ["truncated", "is_truncated", "overlong"];
const NO_REWARD = new Set(["epoch", "index", "idx", "id", "sample", "prompt_id", "uid", "rank", "timestamp", "time"]);

type Row = Record<string, unknown>;

const pick = (row: Row, names: readonly string[]): string | null =>
  names.find((name) => Object.hasOwn(row, name)) ?? null;

/** Is there a completion in the object? */
export function hasCompletion(row: Row): boolean {
  const key = pick(row, TEXT);
  if (key === null) return false;
  const value = row[key];
  if (typeof value !== "string" && !Array.isArray(value)) return false;
  return key !== "text" || pick(row, PROMPT) !== null || pick(row, REWARD) !== null;
}

/** A text, or the last message's content of a conversation. */
function textOf(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) {
    const last = value.at(-1);
    if (last !== null && typeof last === "object" && "content" in last) return textOf((last as Row).content);
  }
  return JSON.stringify(value);
}

export class CompletionRows {
  #groups = new Map<string, { id: number; samples: number }>();
  #groupStep: number | null = null;

  /** `step` is the train step of rows that name none; NaN = unknown. */
  constructor(private readonly intake: Intake, private readonly step: number) {}

  add(row: Row, line: number): void {
    const key = pick(row, TEXT)!;
    const value = row[key];
    if (Array.isArray(value) && value.every((item) => typeof item === "string")) {
      // A batch in columns: every list holds one value per completion.
      value.forEach((_, i) => {
        const one: Row = Object.create(null);
        for (const [name, list] of Object.entries(row)) {
          one[name] = Array.isArray(list) && list.length === value.length ? list[i] : list;
        }
        this.#one(one, key, line);
      });
    } else this.#one(row, key, line);
  }

  #one(row: Row, key: string, line: number): void {
    const used = new Set([key]);
    const read = (names: readonly string[]): unknown => {
      const found = pick(row, names);
      if (found === null) return null;
      used.add(found);
      return row[found];
    };
    const prompt = textOf(read(PROMPT)), answer = textOf(read(ANSWER)), printed = numberOf(read(STEP));
    const total = numberOf(read(REWARD)), advantage = numberOf(read(ADVANTAGE)), tokens = numberOf(read(TOKENS));
    const truncated = read(TRUNCATED), rewards = rewardsOf(row, used);
    const step = printed ?? (Number.isNaN(this.step) ? null : this.step), group = this.#group(step, prompt ?? "");
    this.intake.completion({
      line,
      train_step: step,
      prompt_id: group.id,
      sample: group.samples++,
      prompt,
      answer,
      text: textOf(row[key]) ?? "",
      reward: pick(row, REWARD) === null && rewards.size === 1 ? [...rewards.values()][0]! : total,
      rewards,
      advantage,
      completion_tokens: tokens,
      truncated: typeof truncated === "boolean" ? truncated : null,
    });
  }

  /** The group of a prompt within its train step. */
  #group(step: number | null, prompt: string): { readonly id: number; samples: number } {
    if (step !== this.#groupStep) {
      this.#groupStep = step;
      this.#groups = new Map();
    }
    const group = this.#groups.get(prompt) ?? { id: this.#groups.size, samples: 0 };
    this.#groups.set(prompt, group);
    return group;
  }
}

/** One reward per function: the numbers of a row under names that say nothing else. */
function rewardsOf(row: Row, used: ReadonlySet<string>): Map<string, number | null> {
  const rewards = new Map<string, number | null>();
  for (const [name, item] of Object.entries(row)) {
    if (used.has(name) || NO_REWARD.has(name)) continue;
    const number = numberOf(item), isNull = item === null && /reward|score|acc/i.test(name);
    if (number !== null || isNull) rewards.set(name.replace(/^rewards?[./]/, ""), number);
  }
  return rewards;
}
