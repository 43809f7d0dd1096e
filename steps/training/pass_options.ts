/** Options that bound the memory of passes over the model, the same in every step that trains. @module */
import { z } from "zod";
import type { PassLimits } from "../../gpu/language_model.ts";

const COUNT = z.int().min(1);
const TEXT =
  "prompts per run of the graph, each with all its completions (of a pair both, of a row of texts its one): bounds " +
  "memory, changes nothing else";

/** The option of a step that only reads the model, with its default. */
export const promptsPerPass = (otherwise: number) => COUNT.default(otherwise).describe(TEXT);

export const PASS_PARAMS = {
  prompts_per_pass: COUNT.optional().describe(TEXT),
  recompute: z.boolean().default(false).describe(
    "compute each layer a second time for its gradient instead of keeping what it computed (gradient checkpointing): " +
      "a third more time, a fraction of the memory, the same gradient",
  ),
};

type PassOptions = z.output<z.ZodObject<typeof PASS_PARAMS>>;

/** What they mean for a pass. */
export function passLimits({ prompts_per_pass, recompute }: PassOptions): PassLimits {
  return { ...(prompts_per_pass ? { promptsPerPass: prompts_per_pass } : {}), ...(recompute ? { recompute } : {}) };
}
