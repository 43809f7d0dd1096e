/** What `new KIND NAME` writes: a file, its test, and the line in the folder's table. @module */
import { ownReward, ownRewardTest } from "./own_reward.ts";
import { addDefaultToRegistry, type AddLine, addToChinese, addToOrder, addToRegistry, addToSigns } from "./register.ts";
import { workflowText } from "./workflow_text.ts";

/** One kind of thing that is one file. */
export interface Kind {
  readonly about: string;
  /** Files by their path under the project: the thing, its test, what a test of the project asks for besides. */
  readonly files: (name: string, value: string) => Readonly<Record<string, string>>;
  /** Tables that get a line, by file: none for workflows. */
  readonly tables: Readonly<Record<string, AddLine>>;
  /** Files by their path under a folder that is no project; absent: it must be one. */
  readonly anywhere?: (name: string) => Readonly<Record<string, string>>;
  /** Folders within the kind's own that a name may begin with, as visual in visual/iou. */
  readonly rooms?: readonly string[];
}

/** The way from the folder of a thing of that name to the kind's own: none, or up from a room. */
const up = (name: string) => "../".repeat(name.split("/").length - 1);
const rewardFromTest = (name: string) => `../../../${up(name)}steps/rewards/${name}.ts`;

const ASSERT = 'import assert from "node:assert/strict";\n';

export const KINDS = {
  reward: {
    about: "a reward function; visual/NAME: one of pictures",
    rooms: ["visual"],
    tables: { "steps/rewards/mod.ts": addToRegistry },
    files: (name, value) => ({
      [`steps/rewards/${name}.ts`]: `/** The reward \`${name}\`: say in one line what it rewards. @module */
import { z } from "zod";
import { defineReward } from "${up(name) || "./"}reward.ts";

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
      [`tests/steps/rewards/${name}_test.ts`]: `${ASSERT}import { ${value} } from "${rewardFromTest(name)}";

Deno.test("${value}.score() rewards a completion that holds the answer", () => {
  const batch = {
    prompts: ["1+1=", "1+1="],
    texts: ["2", "3"],
    answers: ["2", "2"],
    completion_tokens: [2, 2],
    truncated: [false, false],
    rows: [{}, {}],
  };
  assert.deepEqual(${value}.score(${value}.params.parse({ found: 1 }), batch), [1, 0]);
});
`,
    }),
    anywhere: (name) => ({ [`${name}.ts`]: ownReward(name), [`${name}_test.ts`]: ownRewardTest(name) }),
  },
  advantage: {
    about: "an advantage estimator",
    tables: { "steps/advantages/mod.ts": addToRegistry },
    files: (name, value) => ({
      [`steps/advantages/${name}.ts`]:
        `/** The advantage \`${name}\`: say in one line what it is, with its paper. @module */
import { z } from "zod";
import { defineAdvantage } from "./advantage.ts";
import { groupMoments } from "../../data/statistics/mod.ts";

const params = z.strictObject({
  gain: z.number().default(1).describe("${name}: what the advantage is multiplied by"),
});

export const ${value} = defineAdvantage({
  about: "Reward minus the mean of its group",
  method: {
    formula: "A = gain (r - mean_g(r))",
    source: "say the paper, and the repository with its function",
    names: {},
  },
  params,
  minGroupSize: () => 2,
  advantages({ gain }, { rewards, groups }) {
    const moments = groupMoments(rewards, groups);
    return rewards.map((reward, row) => reward === null ? 0 : gain * (reward - moments[groups[row]!]!.mean));
  },
});
`,
      [`tests/steps/advantages/${name}_test.ts`]:
        `${ASSERT}import { ${value} } from "../../../steps/advantages/${name}.ts";

Deno.test("${value}.advantages() sums to 0 within a group", () => {
  const batch = { rewards: [1, 0, null, 5, 7], groups: [0, 0, 0, 1, 1], lengths: [1, 1, 1, 1, 1] };
  assert.deepEqual(${value}.advantages(${value}.params.parse({ gain: 1 }), batch), [0.5, -0.5, 0, -1, 1]);
});
`,
    }),
  },
  task: {
    about: "a task: problems with answers and their verifier",
    tables: { "data/tasks/mod.ts": addToRegistry },
    files: (name, value) => ({
      [`data/tasks/${name}.ts`]: `/** The task \`${name}\`: say in one line what is asked. @module */
import { z } from "zod";
import { defineTask } from "./task.ts";
import { sameAnswer } from "./verifiers/same_answer.ts";

const params = z.strictObject({
  largest: z.int().min(1).max(100_000).default(999).describe("largest number asked for"),
});

export const ${value} = defineTask({
  about: "Double a number: 2*21= wants 42",
  params,
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
      [`tests/data/tasks/${name}_test.ts`]: `${ASSERT}import { ${value} } from "../../../data/tasks/${name}.ts";

Deno.test("${value}.rows() has unique prompts whose answers its verifier accepts", () => {
  const rows = ${value}.rows(${value}.params.parse({ largest: 50 }));
  assert.equal(new Set(rows.map((row) => row.prompt)).size, 51);
  for (const row of rows) {
    assert(${value}.verify(row.answer, { ...row }));
    assert(!${value}.verify(row.answer + "0", { ...row }));
  }
});
`,
      [`workflows/library/${name}.yaml`]: workflowText(name, name),
    }),
  },
  step: {
    about: "a step",
    tables: { "steps/mod.ts": addToRegistry },
    files: (name, value) => ({
      [`steps/${name}.ts`]: `/** The step \`${name}\`: say in one line what it does. @module */
import { z } from "zod";
import { defineStep } from "./step.ts";

const params = z.strictObject({
  least: z.int().min(0).default(1).describe("completions of fewer tokens do not count"),
});

export const ${value} = defineStep({
  about: "Count the completions of the train step",
  params,
  reads: { completions: ["completion_tokens"] },
  writes: {},
  pure: true,
  outputs: z.object({ completions: z.int().describe("completions of at least that many tokens") }),
  run({ least }, context) {
    const lengths = Array.from(context.table("completions").array("completion_tokens") as ArrayLike<number>);
    return { outputs: { completions: lengths.filter((length) => length >= least).length } };
  },
});
`,
      [`tests/steps/${name}_test.ts`]: `${ASSERT}import { table } from "arquero";
import { ${value} } from "../../steps/${name}.ts";
import type { StepContext } from "../../steps/step.ts";

Deno.test("${name} counts the completions", async () => {
  const context = { table: () => table({ completion_tokens: [0, 3, 4] }) } as unknown as StepContext;
  const params = ${value}.params.parse({ least: 1 });
  assert.deepEqual(await ${value}.run(params, context), { outputs: { completions: 2 } });
});
`,
    }),
  },
  diagnosis: {
    about: "a diagnosis: one cause",
    tables: {
      "steps/diagnoses/mod.ts": addDefaultToRegistry,
      "steps/diagnoses/decide.ts": addToOrder,
      "steps/diagnoses/differential/signs.ts": addToSigns,
      "workflows/doctor_page/language/causes_zh.ts": addToChinese,
    },
    files: (name) => ({
      [`steps/diagnoses/${name}.ts`]: `/** Cause \`${name}\`: say in one line what is wrong. @module */
import { defineDiagnosis, type Found } from "./diagnosis.ts";
import { show } from "./view/numbers.ts";

export default defineDiagnosis({
  codes: ["X00"],
  wastes: "none", // what is lost of a run that has it: steps/diagnoses/cost/waste.ts
  severity: "warning",
  about: "The reward has fallen below 0.",
  reads: ["reward"],
  decision: "The reward of the last record is below 0.",
  hint: "Look at the completions of that train step.",
  byHand: "Say what a person must do.",
  lookAlikes: {},
  taughtBy: "the run that taught it",
  check(view): Found | null {
    const last = view.records - 1, reward = view.column("reward")[last] ?? null, trainSteps = view.stepsAt([last]);
    if (reward === null || !(reward < 0)) return null;
    return {
      trainSteps,
      message: \`Reward \${show(reward)} at train step \${trainSteps[0]}, want at least 0\`,
      evidence: [view.evidence("reward", last)],
    };
  },
});
`,
      [`tests/steps/diagnoses/${name}_test.ts`]: `/** The rule ${name}: its fault and its look-alikes. */
import { testRule } from "./synthetic.ts";

testRule("${name}", {
  first: false, // other rules speak of so short a run as well
  fires: {
    "a last reward below 0": { columns: { reward: [1, -1] } },
  },
  silent: {
    "a reward that is above 0 again": { columns: { reward: [-1, 1] } },
  },
});
`,
    }),
  },
  chart: {
    about: "a chart",
    tables: { "notebooks/charts/mod.ts": addToRegistry },
    files: (name, value) => ({
      [`notebooks/charts/${name}.ts`]: `/** Chart of one metric: say which. @module */
import { lineChart } from "./lines.ts";
import { PALETTE } from "./palette.ts";

export const ${value} = lineChart({
  title: "${name}",
  about: "Say what the values are and what a healthy run looks like.",
  lines: [{ column: "learning_rate", label: "learning rate", color: PALETTE.first }],
  y: "learning rate",
});
`,
      [`tests/notebooks/charts/${name}_test.ts`]: `${ASSERT}import { checkChart } from "./check_chart.ts";

Deno.test("chart ${name} draws its columns and refuses a table without them", async () => {
  assert.match(await checkChart("${name}"), /train step/);
});
`,
    }),
  },
  workflow: {
    about: "a workflow",
    tables: {},
    files: (name) => ({ [`workflows/library/${name}.yaml`]: workflowText(name, "addition") }),
    anywhere: (name) => ({ [`${name}.yaml`]: workflowText(name, "addition", false) }),
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;
