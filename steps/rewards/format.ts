/** The reward `format`: the completion has the wanted shape. @module */
import { z } from "zod";
import { defineReward } from "./reward.ts";
import { type PatternOptions, score } from "./text/matches.ts";
import { MATCHES, pattern } from "./text/pattern.ts";

const tag = z.string().regex(/^[A-Za-z][\w-]*$/);
const params = z.strictObject({
  think_tag: tag.default("think").describe("tag around the reasoning"),
  answer_tag: tag.default("answer").describe("tag around the answer"),
  pattern: pattern("s").optional().describe(
    "regular expression the whole completion must match, instead of the tags; a dot matches a line end",
  ),
});

/**
 * By default the whole completion is a reasoning block, optional white space and an answer block, nothing before or
 * after (Visual-RFT `format_reward`, src/virft/src/open_r1/grpo.py: re.fullmatch with DOTALL).
 */
export const format = defineReward({
  about: "1 if the whole completion is <think>…</think><answer>…</answer> (or matches a pattern), else 0",
  method: {
    formula: "1 if the whole completion is `<think>…</think>`, white space and `<answer>…</answer>`, else 0",
    source: "Visual-RFT src/virft/src/open_r1/grpo.py format_reward",
    names: { visual_rft: "format_reward" },
  },
  params,
  score: (given, batch) => score(batch, patternOptions(given)),
  isolated: (given) => given.pattern === undefined ? null : { file: MATCHES, options: patternOptions(given) },
});

function patternOptions({ think_tag: think, answer_tag: answer, pattern }: z.output<typeof params>): PatternOptions {
  const shape = pattern ?? `<${think}>.*?</${think}>\\s*<${answer}>.*?</${answer}>`;
  return { source: `^(?:${shape})$`, flags: "s", found: 1, missing: 0 };
}
