/** What `new KIND NAME` writes: a file, its test, and the line in the folder's table. @module */

/** One kind of thing that is one file. */
export interface Kind {
  readonly about: string;
  /** Folder of the file, under the project. */
  readonly folder: string;
  /** The table in the folder's mod.ts that gets an entry; absent for workflows. */
  readonly registered: boolean;
  readonly source: (name: string, value: string) => string;
  readonly test: (name: string, value: string) => string;
}

const ASSERT = 'import assert from "node:assert/strict";\n';

export const KINDS = {
  reward: {
    about: "a reward function",
    folder: "steps/rewards",
    registered: true,
    source: (name, value) =>
      `/** The reward \`${name}\`: say in one line what it rewards. @module */
import { z } from "zod";
import { defineReward } from "./reward.ts";

const params = z.strictObject({
  found: z.number().default(1).describe("reward when the answer occurs in the completion"),
});

export const ${value} = defineReward({
  about: "found if the answer occurs in the completion, else 0",
  params,
  score({ found }, { texts, answers }) {
    return texts.map((text, i) => text.includes(answers[i]!) ? found : 0);
  },
});
`,
    test: (name, value) =>
      `${ASSERT}import { ${value} } from "../../../steps/rewards/${name}.ts";

Deno.test("${value}.score() rewards a completion that holds the answer", () => {
  const batch = {
    prompts: ["1+1=", "1+1="],
    texts: ["2", "3"],
    answers: ["2", "2"],
    completion_tokens: [2, 2],
    truncated: [false, false],
    rows: [{}, {}],
  };
  assert.deepEqual(${value}.score({ found: 1 }, batch), [1, 0]);
});
`,
  },
  advantage: {
    about: "an advantage estimator",
    folder: "steps/advantages",
    registered: true,
    source: (name, value) =>
      `/** The advantage \`${name}\`: say in one line what it is, with its paper. @module */
import { z } from "zod";
import { defineAdvantage } from "./advantage.ts";
import { groupMoments } from "../../data/statistics/mod.ts";

export const ${value} = defineAdvantage({
  about: "Reward minus the mean of its group",
  params: z.strictObject({}),
  minGroupSize: () => 2,
  advantages(_params, { rewards, groups }) {
    const moments = groupMoments(rewards, groups);
    return rewards.map((reward, row) => reward === null ? 0 : reward - moments[groups[row]!]!.mean);
  },
});
`,
    test: (name, value) =>
      `${ASSERT}import { ${value} } from "../../../steps/advantages/${name}.ts";

Deno.test("${value}.advantages() sums to 0 within a group", () => {
  const batch = { rewards: [1, 0, null, 5, 7], groups: [0, 0, 0, 1, 1], lengths: [1, 1, 1, 1, 1] };
  assert.deepEqual(${value}.advantages({}, batch), [0.5, -0.5, 0, -1, 1]);
});
`,
  },
  task: {
    about: "a task: problems with answers and their verifier",
    folder: "data/tasks",
    registered: true,
    source: (name, value) =>
      `/** The task \`${name}\`: say in one line what is asked. @module */
import { z } from "zod";
import { defineTask } from "./task.ts";
import { sameAnswer } from "./verifiers/same_answer.ts";

const params = z.strictObject({
  largest: z.int().min(1).max(100_000).default(999).describe("largest number asked for"),
});

export const ${value} = defineTask({
  about: "Double a number: 2*21= wants 42",
  params,
  columns: {},
  rows({ largest }) {
    return Array.from({ length: largest + 1 }, (_, n) => ({
      prompt: \`2*\${n}=\`,
      answer: String(2 * n),
      difficulty: n / largest,
    }));
  },
  verify: sameAnswer,
  maxNewTokens: ({ largest }) => String(2 * largest).length + 1,
});
`,
    test: (name, value) =>
      `${ASSERT}import { ${value} } from "../../../data/tasks/${name}.ts";

Deno.test("${value}.rows() has unique prompts whose answers its verifier accepts", () => {
  const rows = ${value}.rows({ largest: 50 });
  assert.equal(new Set(rows.map((row) => row.prompt)).size, 51);
  for (const row of rows) {
    assert(${value}.verify(row.answer, { ...row }));
    assert(!${value}.verify(row.answer + "0", { ...row }));
  }
});
`,
  },
  step: {
    about: "a step",
    folder: "steps",
    registered: true,
    source: (name, value) =>
      `/** The step \`${name}\`: say in one line what it does. @module */
import { z } from "zod";
import { defineStep } from "./step.ts";

export const ${value} = defineStep({
  about: "Count the completions of the train step",
  params: z.strictObject({}),
  reads: { completions: ["completion_tokens"] },
  writes: {},
  needs: [],
  gives: [],
  pure: true,
  outputs: z.object({ completions: z.int().describe("rows of the table completions") }),
  run(_params, context) {
    return { outputs: { completions: context.table("completions").numRows() } };
  },
});
`,
    test: (name, value) =>
      `${ASSERT}import { table } from "arquero";
import { ${value} } from "../../steps/${name}.ts";
import type { StepContext } from "../../steps/step.ts";

Deno.test("${name} counts the completions", async () => {
  const context = { table: () => table({ text: ["a", "b"] }) } as unknown as StepContext;
  assert.deepEqual(await ${value}.run({}, context), { outputs: { completions: 2 } });
});
`,
  },
  diagnosis: {
    about: "a diagnosis: one cause",
    folder: "steps/diagnoses",
    registered: true,
    source: (name, value) =>
      `/** \`${name}\`: say in one line what is wrong. @module */
import { defineDiagnosis } from "./diagnosis.ts";

export const ${value} = defineDiagnosis({
  codes: ["X00"],
  severity: "warning",
  about: "the reward fell below 0",
  reads: ["reward"],
  decision: "the reward of the last record is below 0",
  hint: "Look at the completions of that train step",
  remedy: [],
  byHand: "say what a person must do",
  lookAlikes: [],
  taughtBy: "the run that taught it",
  check(view) {
    const last = view.records - 1;
    const reward = view.column("reward")[last];
    if (reward === undefined || reward === null || !(reward < 0)) return null;
    return {
      trainSteps: [view.trainSteps[last]!],
      message: \`Reward \${reward} at train step \${view.trainSteps[last]}, want at least 0\`,
      evidence: [view.evidence("reward", last)],
    };
  },
});
`,
    test: (name, value) =>
      `${ASSERT}import { ${value} } from "../../../steps/diagnoses/${name}.ts";
import { RunView } from "../../../steps/diagnoses/view/run_view.ts";

function view(rewards: number[]): RunView {
  return new RunView({
    imported: false,
    trainSteps: rewards.map((_, i) => i + 1),
    columns: new Map([["reward", rewards]]),
  });
}

Deno.test("${name} fires when the last reward is below 0", () => {
  assert.match(JSON.stringify(${value}.check(view([1, -1]))), /train step 2/);
});

Deno.test("${name} stays silent when it is not", () => {
  assert.equal(${value}.check(view([-1, 1])), null);
});
`,
  },
  chart: {
    about: "a chart",
    folder: "notebooks/charts",
    registered: true,
    source: (name, value) =>
      `/** Chart of one metric: say which. @module */
import { lineChart, PALETTE } from "./chart.ts";

export const ${value} = lineChart({
  title: "${name}",
  about: "Say what the values are and what a healthy run looks like.",
  lines: [{ column: "learning_rate", label: "learning rate", color: PALETTE.first }],
  y: "learning rate",
});
`,
    test: (name) =>
      `${ASSERT}import { checkChart } from "./check_chart.ts";

Deno.test("chart ${name} draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("${name}"), /train step/);
});
`,
  },
  workflow: {
    about: "a workflow",
    folder: "workflows/library",
    registered: false,
    source: (name) =>
      `# yaml-language-server: $schema=../../workflow.schema.json
name: ${name}
about: Say in one sentence what it teaches.
params: { train_steps: 100, learning_rate: 4.0e-4 }
seed: 1
steps:
  - { uses: load_prompts, with: { task: addition, digits: 1 } }
  - { uses: load_model, with: { model: small_qwen2 } }
  - { uses: fine_tune, with: { until_accuracy: 0.5, max_updates: 500 } }
  - { id: before, uses: evaluate, with: { split: held_out } }
  - repeat: \${{ params.train_steps }}
    steps:
      - { uses: sample_groups, with: { prompts_per_step: 16, group_size: 8, max_new_tokens: 4 } }
      - { uses: score_rewards, with: { rewards: [{ uses: verifier }] } }
      - { uses: compute_advantages, with: { estimator: grpo } }
      - uses: apply_update
        with: { learning_rate: "\${{ params.learning_rate }}" }
      - { uses: diagnose }
  - { id: after, uses: evaluate, with: { split: held_out } }
  - { uses: export_model }
  - { uses: report, if: always() }
`,
    test: () => "",
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;
