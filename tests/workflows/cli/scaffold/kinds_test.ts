/** Every kind of `new`, end to end: in a copy of the project, with an option added to what was written. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { scaffold } from "../../../../workflows/cli/new.ts";
import { PROJECT } from "../../../../workflows/terminal/paths.ts";
import { type KindName, KINDS } from "../../../../workflows/cli/scaffold/kinds.ts";
import { inProcess } from "../in_process.ts";

const NAMES = Object.keys(KINDS) as KindName[];

/** What a person changes in the file: an option more, and its use. */
const EDITS: Partial<Record<KindName, readonly (readonly [string, string])[]>> = {
  reward: [
    ["z.strictObject({", 'z.strictObject({\n  bonus: z.number().default(0).describe("added to it"),'],
    ["score({ found }", "score({ found, bonus }"],
    ["? found : 0", "? found + bonus : 0"],
  ],
  advantage: [
    ["z.strictObject({", 'z.strictObject({\n  shift: z.number().default(0).describe("added to it"),'],
    ["({ gain }", "({ gain, shift }"],
    ["? 0 : gain *", "? 0 : shift + gain *"],
  ],
  task: [
    [
      "z.strictObject({",
      'z.strictObject({\n  factors: z.array(z.int()).default([2]).describe("what it is multiplied by"),',
    ],
    ["rows({ largest })", "rows({ largest, factors })"],
    ["prompt: `2*", "prompt: `${factors[0]}*"],
    ["String(2 * n)", "String(factors[0]! * n)"],
  ],
  step: [
    ["z.strictObject({", 'z.strictObject({\n  most: z.int().default(99).describe("and those of more"),'],
    ["run({ least }", "run({ least, most }"],
    ["length >= least)", "length >= least && length <= most)"],
  ],
};

/** Runs in the copy: the options are there by their names, in the plan and in what is computed. */
const USES_THEM = `import assert from "node:assert/strict";
import { table } from "arquero";
import { diagnoseRun } from "../steps/diagnoses/diagnose_run.ts";
import { RunView } from "../steps/diagnoses/view/run_view.ts";
import { STEPS } from "../steps/mod.ts";
import type { Step, StepContext, StepResult } from "../steps/step.ts";
import { loadWorkflow, parseWorkflow } from "../workflows/language/parse.ts";
import { planWorkflow } from "../workflows/plan/plan_workflow.ts";

const completions = table({
  prompt_id: [0, 0],
  sample: [0, 1],
  text: ["6", "x"],
  truncated: [false, false],
  completion_tokens: [2, 5],
  reward: [1, 0],
});
const prompts = table({ prompt_id: [0], prompt: ["2*3="], answer: ["6"], verifier: ["my_task"] });

/** Plans a workflow with the step last, and runs that step on two completions. */
async function run(uses: keyof typeof STEPS, given: string): Promise<StepResult> {
  const text = \`name: all
steps:
  - { uses: load_prompts, with: { task: my_task, largest: 9 } }
  - { uses: load_model, with: { model: tiny_qwen2 } }
  - repeat: 1
    steps:
      - { uses: sample_groups, with: { prompts_per_step: 1, max_new_tokens: 2 } }
      - { uses: score_rewards, with: { rewards: [{ uses: verifier }] } }
      - { id: last, uses: \${uses}, with: \${given} }
\`;
  planWorkflow(parseWorkflow(text, "all.yaml", { kinds: STEPS, folder: "/data" }), STEPS);
  const step: Step = STEPS[uses];
  const params = step.params.parse(JSON.parse(given));
  assert.deepEqual(step.check?.(params) ?? [], []);
  const tables: Record<string, unknown> = { completions, prompts, settings: table({}) };
  const context = { table: (name: string) => tables[name], write() {}, emit() {}, folders: {} };
  return await step.run(params, context as unknown as StepContext);
}

const column = ({ tables }: StepResult, name: string) => Array.from(tables!.completions!.array(name) as number[]);

Deno.test("the reward's options", async () => {
  const scored = await run("score_rewards", '{ "rewards": [{ "uses": "my_reward", "with": { "bonus": 2 } }] }');
  assert.deepEqual(column(scored, "reward"), [3, 0]);
  await assert.rejects(run("score_rewards", '{ "rewards": [{ "uses": "my_reward", "with": { "bonu": 2 } }] }'), /bonu/);
  const visual = await run("score_rewards", '{ "rewards": [{ "uses": "visual/my_picture", "with": { "found": 2 } }] }');
  assert.deepEqual(column(visual, "reward.visual/my_picture"), [2, 0]);
});

Deno.test("the advantage's options, which are no other's", async () => {
  const given = '{ "estimator": "my_advantage", "gain": 4, "shift": 1 }';
  assert.deepEqual(column(await run("compute_advantages", given), "advantage"), [3, -1]);
  await assert.rejects(run("compute_advantages", '{ "estimator": "grpo", "shift": 1 }'), /"shift" for estimator "grpo"/);
});

Deno.test("the task's options, a list among them", async () => {
  const { tables } = await run("load_prompts", '{ "task": "my_task", "largest": 9, "factors": [7] }');
  const rows = tables!.prompts!.objects() as { prompt: string; answer: string }[];
  assert(rows.every(({ prompt, answer }) => answer === String(7 * Number(prompt.slice(2, -1)))));
});

Deno.test("the step's options", async () => {
  assert.deepEqual((await run("my_step", '{ "least": 1, "most": 4 }')).outputs, { completions: 1 });
  await assert.rejects(run("my_step", '{ "mots": 4 }'), /did you mean "most"/);
});

Deno.test("the diagnosis among the others", () => {
  const rewards = [1, 1, 1, 1, 1, 1, 1, -1];
  const columns = new Map([["reward", rewards]]);
  const { findings, afterEffects } = diagnoseRun(
    new RunView({ imported: false, trainSteps: rewards.map((_, i) => i + 1), columns }),
  );
  assert([...findings, ...afterEffects].some(({ cause }) => cause === "my_diagnosis"));
});

for (const name of ["my_task", "my_workflow"]) {
  Deno.test(\`the workflow \${name} can be planned\`, async () => {
    const file = new URL(\`../workflows/library/\${name}.yaml\`, import.meta.url).pathname;
    assert.equal(planWorkflow(await loadWorkflow(file, { kinds: STEPS }), STEPS).name, name);
  });
}
`;

/** The project's own tests that a new thing must pass as well. */
const TESTS_OF_ALL = [
  "tests/conventions_test.ts",
  "tests/conventions/imports_test.ts",
  "tests/workflows/cli/docs_test.ts",
  "tests/workflows/language/json_schema_test.ts",
  "tests/workflows/library/library_test.ts",
  "tests/steps/diagnoses/decide_test.ts",
];

async function deno(cwd: string, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), { args, cwd, env: { NO_COLOR: "1" } })
    .output();
  const printed = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert.equal(code, 0, `deno ${args.slice(0, 3).join(" ")} …\n${printed}`);
}

Deno.test("what new writes is exported as that of its neighbours", () => {
  for (const kind of NAMES) {
    const [[path, text] = ["", ""]] = Object.entries(KINDS[kind].files("my_thing", "myThing"));
    const folder = dirname(path), table = join(PROJECT, folder, "mod.ts");
    if (!path.endsWith(".ts")) continue;
    const imports = [...Deno.readTextFileSync(table).matchAll(/^import (?!type )(\{ )?\w+.* from "\.\/\w+\.ts";/gm)];
    assert(imports.length > 3, table);
    const named = imports.map(([, brace]) => brace !== undefined);
    assert.deepEqual(
      [...new Set(named)],
      [!text.includes("\nexport default ")],
      `${table} imports its neighbours otherwise`,
    );
  }
});

Deno.test("what new writes for each kind works with an option added, and passes the project's own tests", async () => {
  const project = await Deno.makeTempDir();
  try {
    const left = [".git", "node_modules", "runs"];
    const from = [...Deno.readDirSync(PROJECT)].map(({ name }) => name).filter((name) => !left.includes(name))
      .map((name) => join(PROJECT, name));
    await new Deno.Command("cp", { args: ["-r", ...from, project] }).output();
    await Deno.symlink(join(PROJECT, "node_modules"), join(project, "node_modules"));
    const written: string[] = [];
    for (const kind of NAMES) {
      const paths = await scaffold(KINDS[kind], `my_${kind}`, project);
      written.push(...paths.filter((path) => /my_\w+\.ts$/.test(path)));
      for (const [before, after] of EDITS[kind] ?? []) {
        const text = await Deno.readTextFile(paths[0]!);
        assert(text.includes(before), `${kind} has ${before}`);
        await Deno.writeTextFile(paths[0]!, text.replace(before, after));
      }
    }
    const visual = await scaffold(KINDS.reward, "visual/my_picture", project);
    written.push(...visual.filter((path) => path.includes("my_picture")));
    const uses = join(project, "tests/uses_them_test.ts");
    const tests = [
      ...written.filter((path) => path.endsWith("_test.ts")),
      ...TESTS_OF_ALL.map((t) => join(project, t)),
    ];
    // One program for all: to load the project takes longest.
    await Deno.writeTextFile(uses, tests.map((path) => `import "${pathToFileURL(path)}";\n`).join("") + USES_THEM);
    await deno(project, "task", "--quiet", "docs");
    await deno(project, "lint", "--quiet", ...written, join(project, "steps/mod.ts"));
    // Types of what is written, and of the tables that it went into; those of all other files are as they were.
    await deno(project, "check", "--quiet", ...written, "steps/mod.ts");
    await deno(project, "test", "-A", "--no-check", "--quiet", uses);
  } finally {
    await Deno.remove(project, { recursive: true });
  }
});

Deno.test("new reward --into FOLDER writes a reward of one's own that passes its test and scores", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const { code, out } = await inProcess(["new", "reward", "my_reward", "--into", folder]);
    assert.equal(code, 0, out);
    await deno(folder, "test", "--no-config", "--quiet", "my_reward_test.ts");
    const again = await inProcess(["new", "reward", "my_reward", "--into", folder]);
    assert.deepEqual([again.code, /my_reward\.ts": it exists/.test(again.err)], [2, true]);
    const { score } = await import(`file://${folder}/my_reward.ts`);
    assert.deepEqual(score({ texts: ["2"], answers: ["2"] }, { bonus: 1 }), [2]);
    assert.equal((await inProcess(["new", "workflow", "mine", "--into", folder])).code, 0);
    assert.equal((await inProcess(["check", join(folder, "mine.yaml")])).code, 0);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("new refuses what must lie in a project elsewhere, in one line", async () => {
  const folder = await Deno.makeTempDir();
  try {
    for (const kind of NAMES.filter((name) => !("anywhere" in KINDS[name]))) {
      const { code, err } = await inProcess(["new", kind, "my_thing", "--into", folder]);
      assert.equal(code, 2);
      assert.match(err, /^Cannot make a \w+ in ".*": it is no project .* into any folder go reward and workflow/);
    }
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
