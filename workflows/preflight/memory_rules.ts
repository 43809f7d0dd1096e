/** The rule on memory: what a step computes at once fits this machine. @module */
import { decodingBytes, PROCESS_BYTES, rowsBytes, trainedBytes, trainingBytes } from "../../steps/cost/memory.ts";
import { MEMORY_STEPS } from "../store/run_tables.ts";
import type { ModelConfig } from "../../gpu/models/config.ts";
import type { PlannedStep } from "../plan/plan.ts";
import type { Facts, Known } from "./facts.ts";
import { at, type Report } from "./finding.ts";

/** Tokens of a prompt where the prompts are not known. */
const PROMPT_TOKENS = 16;

/** The most that a step holds at once. */
export interface Peak {
  readonly step: PlannedStep;
  /** The parameter that decides it. */
  readonly key: string;
  readonly bytes: number;
  readonly what: string;
  readonly remedy: string;
}

/** A step whose peak is beyond the machine's memory dies in it; a GPU's memory is another one, of which nothing is known. */
export function memory(facts: Facts): Report[] {
  if (facts.plan.settings.device === "cuda") return [];
  const most = facts.memoryBytes;
  const beyond = peaksOf(facts).filter(({ bytes }) => bytes > most);
  // Where the model alone does not fit, nothing else needs to be said.
  const told = beyond.some(({ key }) => key === "model") ? beyond.slice(0, 1) : beyond;
  return told.map(({ step, key, bytes, what, remedy }) => ({
    severity: "error",
    refuses: true,
    message: `${what} takes about ${gigabytes(bytes)} of memory and this machine has ${gigabytes(most)}; ${remedy}`,
    path: at(step, key),
  }));
}

/** Peaks of a plan's steps, the model's own first; none while its configuration is not known. */
export function peaksOf(facts: Facts): Peak[] {
  const { model } = facts;
  if (model?.config == null || model.layout === null) return [];
  const fixed = PROCESS_BYTES + trainedBytes(model.layout.count);
  const loaded = { step: model.loaded.step, key: "model", what: "training the model", remedy: "take a smaller one" };
  const { config } = model, promptTokens = longestPrompt(facts);
  return [
    { ...loaded, bytes: fixed },
    ...facts.each("sample_groups").map((known) => samplingPeak(known, config, promptTokens, fixed)),
    ...facts.each("apply_update").flatMap((known) => {
      const sample = facts.before("sample_groups", known.step);
      return sample === null ? [] : [updatePeak(known, sample.params, config, promptTokens, fixed)];
    }),
    ...facts.each("fine_tune").map(({ step, params: { batch_size } }): Peak => {
      const load = { prompts: batch_size, group: 1, promptTokens, completionTokens: longestAnswer(facts) };
      const what = `an update on ${batch_size} prompts at once`;
      return { step, key: "batch_size", bytes: fixed + trainingBytes(config, load), what, remedy: "lower batch_size" };
    }),
  ];
}

function samplingPeak(
  { step, params: p, rounds }: Known<"sample_groups">,
  config: ModelConfig,
  promptTokens: number,
  fixed: number,
): Peak {
  const completionTokens = p.max_new_tokens, rows = p.prompts_per_step * p.group_size;
  const kept = fixed + rowsBytes(rows * Math.min(rounds, MEMORY_STEPS), completionTokens);
  const prompts = p.rows_at_once === 0 ? p.prompts_per_step : Math.ceil(p.rows_at_once / p.group_size);
  const load = { prompts: Math.min(prompts, p.prompts_per_step), group: p.group_size, promptTokens, completionTokens };
  return {
    step,
    key: "prompts_per_step",
    bytes: kept + decodingBytes(config, load),
    what: `sampling ${p.prompts_per_step} × ${p.group_size} completions of up to ${completionTokens} tokens`,
    remedy: "lower prompts_per_step, or set rows_at_once",
  };
}

function updatePeak(
  { step, params: p }: Known<"apply_update">,
  sampled: Known<"sample_groups">["params"],
  config: ModelConfig,
  promptTokens: number,
  fixed: number,
): Peak {
  const slice = Math.ceil(sampled.prompts_per_step / p.minibatches);
  const prompts = Math.min(slice, p.prompts_per_pass ?? slice);
  const load = { prompts, group: sampled.group_size, promptTokens, completionTokens: sampled.max_new_tokens };
  return {
    step,
    key: "prompts_per_pass",
    bytes: fixed + trainingBytes(config, load),
    what: `an update on ${prompts} × ${load.group} completions of up to ${load.completionTokens} tokens at once`,
    remedy: "set prompts_per_pass, e.g. 16",
  };
}

function longestPrompt({ prompts, model }: Facts): number {
  return longestTokens(prompts?.rows.map(({ prompt }) => String(prompt)) ?? [], model) ?? PROMPT_TOKENS;
}

/** With its end. */
function longestAnswer({ prompts, model }: Facts): number {
  return (longestTokens(prompts?.rows.map(({ answer }) => String(answer)) ?? [], model) ?? PROMPT_TOKENS) + 1;
}

function longestTokens(texts: readonly string[], model: Facts["model"]): number | null {
  const tokenizer = model?.tokenizer;
  if (texts.length === 0 || tokenizer == null) return null;
  const longest = texts.reduce((a, b) => b.length > a.length ? b : a);
  return tokenizer.encode(longest).length;
}

function gigabytes(bytes: number): string {
  const size = bytes / 1e9;
  return size >= 1e4
    ? `${Math.round(size / 1000)} TB`
    : size >= 10
    ? `${Math.round(size)} GB`
    : `${size.toFixed(1)} GB`;
}
