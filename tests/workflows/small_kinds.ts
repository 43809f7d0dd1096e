/** A few step kinds with the shape of the real ones, for tests of the workflow language. @module */
import { z } from "zod";
import { defineStep } from "../../steps/step.ts";

const NOTHING = {
  reads: {},
  writes: {},
  needs: [],
  gives: [],
  pure: false,
  outputs: z.strictObject({}),
  run: () => ({}),
};

export const SMALL_KINDS = {
  load_prompts: defineStep({
    ...NOTHING,
    about: "Loads prompts",
    params: z.strictObject({ task: z.enum(["addition", "countdown"]), digits: z.int().min(1).default(2) }),
    writes: { prompts: [] },
    pure: true,
  }),
  load_model: defineStep({
    ...NOTHING,
    about: "Loads the policy",
    params: z.strictObject({ model: z.string().default("small_qwen2") }),
    gives: ["policy"],
  }),
  sample_groups: defineStep({
    ...NOTHING,
    about: "Samples groups of completions",
    params: z.strictObject({
      group_size: z.int().min(1).describe("completions per prompt"),
      temperature: z.number().min(0).default(1),
      stop: z.array(z.string()).default([]),
    }),
    reads: { prompts: [] },
    writes: { completions: [] },
    needs: ["policy"],
    check: ({ group_size }) => group_size === 1 ? ['"group_size" is 1, want at least 2'] : [],
  }),
  score_rewards: defineStep({
    ...NOTHING,
    about: "Scores completions",
    params: z.strictObject({
      rewards: z.array(z.strictObject({ uses: z.string(), weight: z.number().default(1) })).min(1),
    }),
    reads: { completions: [] },
    writes: { completions: [] },
  }),
  evaluate: defineStep({
    ...NOTHING,
    about: "Evaluates the policy",
    params: z.strictObject({ split: z.enum(["validation", "held_out"]).default("validation") }),
    reads: { prompts: [] },
    writes: { evaluations: [] },
    needs: ["policy"],
    outputs: z.strictObject({ sampled: z.number().nullable(), solved: z.boolean(), mode: z.string() }),
  }),
  report: defineStep({ ...NOTHING, about: "Writes the report", params: z.strictObject({}) }),
};

/** A workflow that plans without a problem. */
export const GOOD = `name: small
params: { rounds: 6, size: 4, limit: 0.9, quick: false, tags: [a, b] }
steps:
  - { uses: load_prompts, with: { task: addition } }
  - { uses: load_model }
  - repeat: \${{ params.rounds }}
    until: \${{ steps.during.outputs.sampled >= 0.9 }}
    steps:
      - uses: sample_groups
        with:
          group_size: \${{ params.size }}
      - { uses: score_rewards, with: { rewards: [{ uses: verifier }] } }
      - { id: during, uses: evaluate, every: 2 }
  - { id: after, uses: evaluate, with: { split: held_out } }
  - { uses: report, if: always() }
`;
