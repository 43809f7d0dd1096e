/** The reward `regex`: a pattern occurs in the completion. @module */
import { z } from "zod";
import { defineReward } from "./reward.ts";
import { type PatternOptions, score } from "./text/matches.ts";
import { MATCHES, pattern } from "./text/pattern.ts";

const params = z.strictObject({
  pattern: pattern("").describe("regular expression, found anywhere in the completion; anchor it with ^ and $"),
  ignore_case: z.boolean().default(false).describe("treat upper and lower case alike"),
  found: z.number().default(1).describe("reward when the pattern occurs"),
  missing: z.number().default(0).describe("reward when it does not"),
});

export const regex = defineReward({
  about: "One reward if a pattern occurs in the completion (1), another if not (0)",
  params,
  score: (given, batch) => score(batch, patternOptions(given)),
  isolated: (given) => ({ file: MATCHES, options: patternOptions(given) }),
});

function patternOptions({ pattern, ignore_case, found, missing }: z.output<typeof params>): PatternOptions {
  return { source: pattern, flags: ignore_case ? "i" : "", found, missing };
}
