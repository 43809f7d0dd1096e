/** The step `evaluate`: the fraction of prompts of a split that the policy solves, sampled and greedy. @module */
import { z } from "zod";
import { uniform } from "../data/random.ts";
import { tableOf } from "../data/tables/mod.ts";
import type { PromptRow } from "../data/tasks/mod.ts";
import { verify } from "../data/tasks/verifiers/verify.ts";
import { defineStep } from "./step.ts";

const MODES = { sampled: 1, greedy: 0 } as const;

const params = z.strictObject({
  split: z.enum(["train", "validation", "held_out"]).default("held_out").describe("which prompts are asked"),
  limit: z.int().min(1).optional().describe("prompts at most, the first of the split; all if absent"),
  modes: z.array(z.enum(["sampled", "greedy"])).min(1).default(["sampled"]).describe(
    "sampled: one completion at temperature 1; greedy: the most likely token each time",
  ),
  max_new_tokens: z.int().min(1).optional().describe("longest completion, tokens; the longest answer plus 1 if absent"),
});

const share = z.number().nullable().describe("fraction of prompts solved, null when the mode was not asked for");

export const evaluate = defineStep({
  about: "Measure how many prompts of a split the policy solves",
  params,
  reads: { prompts: ["prompt_id", "prompt", "answer", "split"] },
  writes: {
    evaluations: [
      "train_step",
      "step_id",
      "mode",
      "prompt_id",
      "prompt",
      "answer",
      "text",
      "correct",
      "truncated",
    ],
  },
  needs: ["policy"],
  gives: [],
  pure: false,
  outputs: z.object({
    sampled: share,
    greedy: share,
    prompts: z.int().describe("prompts asked"),
    truncated_fraction: z.number().describe("fraction of completions that reached max_new_tokens"),
  }),
  async run({ split, limit, modes, max_new_tokens }, context) {
    const policy = context.resource("policy");
    const rows = (context.table("prompts").objects() as PromptRow[]).filter((row) => row.split === split).slice(
      0,
      limit,
    );
    if (!rows.length) {
      throw new RangeError(
        `Cannot evaluate: table "prompts" has no row of split "${split}"; give load_prompts more prompts`,
      );
    }
    const maxNewTokens = max_new_tokens ??
      Math.max(...rows.map((row) => policy.encodeAnswer(String(row.answer)).length)) + 1;
    const shares: Record<string, number | null> = { sampled: null, greedy: null };
    const out: Record<string, unknown[]> = {};
    let truncated = 0;
    for (const mode of modes) {
      const completions = await policy.sample(rows.map((row) => String(row.prompt)), {
        group: 1,
        maxNewTokens,
        values: { temperature: MODES[mode], top_k: 0, top_p: 1, min_p: 0, repetition_penalty: 1 },
        uniforms: (row, token) => uniform(context.seed, "evaluate", context.trainStep, row, token),
        safePoint: () => context.safePoint(),
      });
      const correct = completions.map((c, i) => verify(c.text, rows[i]!));
      if (correct.every((c) => c === null)) {
        throw new RangeError('Cannot evaluate: the prompts name no verifier; set "verifier" of load_prompts');
      }
      shares[mode] = correct.filter((c) => c === true).length / rows.length;
      truncated += completions.filter((c) => c.truncated).length / modes.length;
      const columns = {
        train_step: rows.map(() => context.trainStep),
        step_id: rows.map(() => context.stepId),
        mode: rows.map(() => mode),
        prompt_id: rows.map((row) => row.prompt_id),
        prompt: rows.map((row) => row.prompt),
        answer: rows.map((row) => row.answer),
        text: completions.map((c) => c.text),
        correct,
        truncated: completions.map((c) => c.truncated),
      };
      for (const [name, values] of Object.entries(columns)) (out[name] ??= []).push(...values);
    }
    return {
      tables: { evaluations: tableOf("evaluations", out) },
      outputs: {
        sampled: shares["sampled"]!,
        greedy: shares["greedy"]!,
        prompts: rows.length,
        truncated_fraction: truncated / rows.length,
      },
    };
  },
});
