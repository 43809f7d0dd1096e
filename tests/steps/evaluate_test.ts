import assert from "node:assert/strict";
import { tableOf } from "../../data/tables/mod.ts";
import { modelConfig } from "../../gpu/models/config.ts";
import { MemoryBudget } from "../../gpu/ort/memory_budget.ts";
import { STEPS } from "../../steps/mod.ts";
import { MODEL_PRESETS } from "../../steps/resources/model_presets.ts";
import { REWARDS } from "../../steps/rewards/mod.ts";
import { parseWorkflow } from "../../workflows/language/parse.ts";
import { planWorkflow } from "../../workflows/plan/plan_workflow.ts";
import { type TrainingRun, withTinyPolicy } from "./contexts/training_run.ts";
import { withVisual } from "./contexts/visual_run.ts";
import { rewardBatch } from "./rewards/batch.ts";

interface Row {
  readonly mode: string;
  readonly step_id: string;
  readonly prompt: string;
  readonly answer: string;
  readonly text: string;
  readonly correct: boolean;
  readonly truncated: boolean;
}
const rows = (run: TrainingRun) => run.tables.table("evaluations").objects() as Row[];

/** Fits the train prompts a little, so that some answers are right. */
async function learned(run: TrainingRun): Promise<void> {
  await run.run("fine_tune", { max_updates: 120, batch_size: 64, learning_rate: 3e-3 });
}

Deno.test("evaluate counts right answers of a split, sampled and greedy, one row per prompt and mode", () =>
  withTinyPolicy(async (run) => {
    await learned(run);
    const { outputs } = await run.run("evaluate", { split: "train", modes: ["sampled", "greedy"] });
    const prompts = (run.tables.table("prompts").objects() as { split: string; prompt: string }[])
      .filter(({ split }) => split === "train");
    assert.equal(outputs!["prompts"], prompts.length);
    for (const mode of ["sampled", "greedy"]) {
      const own = rows(run).filter((row) => row.mode === mode);
      assert.deepEqual(own.map(({ prompt }) => prompt), prompts.map(({ prompt }) => prompt));
      const right = own.filter(({ text, answer }) => text === answer).length;
      assert.equal(outputs![mode], right / prompts.length);
      assert(right > 0, `${mode} has no right answer`);
      own.forEach(({ correct, text, answer }) => assert.equal(correct, text === answer));
    }
    const truncated = rows(run).filter((row) => row.truncated).length;
    assert.equal(outputs!["truncated_fraction"], truncated / rows(run).length);
  }));

Deno.test("evaluate draws by train step and seed, so that asking again says the same", () =>
  withTinyPolicy(async (run) => {
    await learned(run);
    const texts = async (given = {}) => {
      const { outputs } = await run.run("evaluate", { split: "train", ...given });
      return [outputs!["sampled"], rows(run).map(({ text }) => text)] as const;
    };
    const first = await texts();
    assert.deepEqual(await texts(), first);
    const [, few] = await texts({ limit: 5 });
    assert.deepEqual(few, first[1].slice(0, 5));
    run.seed = 8;
    assert.notDeepEqual(await texts(), first);
  }));

Deno.test("evaluate keeps what another evaluation of the same train step wrote, and replaces its own", () =>
  withTinyPolicy(async (run) => {
    run.tables.advance();
    await run.run("evaluate", { limit: 2 }, { id: "small" });
    await run.run("evaluate", { limit: 3 }, { id: "large" });
    await run.run("evaluate", { limit: 2, modes: ["greedy"] }, { id: "small" });
    assert.deepEqual(
      rows(run).map(({ step_id, mode }) => `${step_id} ${mode}`).sort(),
      ["large sampled", "large sampled", "large sampled", "small greedy", "small greedy"],
    );
  }));

Deno.test("evaluate says null of a mode it was not asked for and takes its length from the answers", () =>
  withTinyPolicy(async (run) => {
    const { outputs } = await run.run("evaluate", { limit: 4, modes: ["greedy"] });
    assert.equal(outputs!["sampled"], null);
    assert.equal(typeof outputs!["greedy"], "number");
    const long = await run.run("evaluate", { limit: 4, modes: ["greedy"], max_new_tokens: 1 });
    assert.equal(long.outputs!["truncated_fraction"], 1);
  }));

Deno.test("evaluate names what is missing: the split, or a verifier", () =>
  withTinyPolicy(async (run) => {
    const prompts = run.tables.table("prompts");
    const columns = Object.fromEntries(prompts.columnNames().map((name) => [name, Array.from(prompts.array(name))]));
    const write = (change: Record<string, unknown[]>) =>
      run.tables.write({ prompts: tableOf("prompts", { ...columns, ...change }) }, "test");
    const every = (value: unknown) => Array(prompts.numRows()).fill(value);
    write({ split: every("train") });
    await assert.rejects(() => run.run("evaluate"), /no row of split "held_out"; give load_prompts more prompts/);
    write({ verifier: every(null), task: every(null) });
    await assert.rejects(() => run.run("evaluate", { limit: 3 }), /the prompts name no verifier; set "verifier"/);
    const { outputs } = await run.run("evaluate", { limit: 3, rewards: [{ uses: "regex", with: { pattern: "1" } }] });
    assert.deepEqual([outputs!["sampled"], outputs!["greedy"]], [null, null], "nobody knows what is solved");
    assert.equal(typeof outputs!["sampled_reward"], "number");
    assert.deepEqual(rows(run).map(({ correct }) => correct), [null, null, null]);
  }));

Deno.test("evaluate leaves room for the longest answer and its end, unless told otherwise", () =>
  withTinyPolicy(async (run) => {
    const texts = async (given: Record<string, unknown>) => {
      await run.run("evaluate", { split: "train", limit: 20, ...given });
      return rows(run).map(({ text }) => text);
    };
    await run.run("load_prompts", { task: "addition", digits: 1 });
    // "18", its end, and one more
    const free = await texts({});
    assert.deepEqual(await texts({ max_new_tokens: 4 }), free);
    assert.notDeepEqual(await texts({ max_new_tokens: 2 }), free);
  }));

Deno.test("evaluate decodes in turns what would not fit at once", () =>
  withTinyPolicy(async (run) => {
    const { model } = run.policy, asked: number[] = [], sample = model.sample.bind(model);
    model.sample = (prompts, group, options) => {
      asked.push(options.rowsAtOnce ?? -1);
      return sample(prompts, group, options);
    };
    await run.run("evaluate", { split: "train" });
    const all = rows(run).length;
    await run.run("evaluate", { split: "train", max_new_tokens: 250 });
    await run.run("evaluate", { split: "train", limit: 3, max_new_tokens: 100 });
    assert.deepEqual([asked[0], asked[1], asked[2]], [all, all, 3], "a tiny model, all at once");
    const config = modelConfig({ ...MODEL_PRESETS.tiny_qwen2, vocab_size: 200_000, max_position_embeddings: 4096 });
    const facts = { config, parameters: 1000, promptTokens: 100, answerTokens: 5, keptSteps: 1, preferences: null };
    const cost = STEPS.evaluate.cost!(STEPS.evaluate.params.parse({ max_new_tokens: 1000 }), {
      ...facts,
      earlier: () => null,
    })!;
    assert(cost.peak.bytes <= 1e9 && cost.peak.bytes > 0.8e9, `${cost.peak.bytes}`);
    assert.match(cost.peak.what, /evaluating \d\d\d prompts/);
    model.runtime.budget = new MemoryBudget(8e9);
    await run.run("evaluate", { split: "train" });
    assert.equal(asked[3], 0, "the budget decides");
    model.runtime.budget = null;
  }));

Deno.test("evaluate scores its completions by reward functions, with their options, and says the means of each mode", () =>
  withVisual(async (run) => {
    const rewards = [
      { uses: "visual/iou", with: { iou_threshold: 0 } },
      { uses: "visual/confidence", name: "sure", weight: 0.5, with: { iou_threshold: 0.9 } },
      { uses: "visual/iou", name: "strict", weight: 0, with: { iou_threshold: 1 } },
    ];
    const { outputs } = await run.run("evaluate", { modes: ["sampled", "greedy"], rewards });
    const found = run.tables.table("evaluations").objects() as Record<string, number | string>[];
    const prompts = run.tables.table("prompts").objects() as Record<string, string>[];
    assert.equal(found.length, 2 * 8);
    // What the functions themselves give, as float32.
    const near = (got: number, want: number) => assert(Math.abs(got - want) < 1e-6, `${got}, want ${want}`);
    for (const { uses, name = uses, with: given } of rewards) {
      const { params, score } = REWARDS[uses as "visual/iou"];
      const rows = found.map(({ prompt_id }) => prompts.find((row) => row["prompt_id"] === prompt_id)!);
      const batch = rewardBatch(found.map(({ text }) => String(text)), {
        answers: found.map(({ answer }) => String(answer)),
        rows,
      });
      const want = score(params.parse(given), batch) as number[];
      found.forEach((row, i) => near(Number(row[`reward.${name}`]), want[i]!));
    }
    for (const row of found) {
      near(Number(row["reward"]), Number(row["reward.visual/iou"]) + 0.5 * Number(row["reward.sure"]));
    }

    for (const mode of ["sampled", "greedy"]) {
      const own = found.filter((row) => row["mode"] === mode).map(({ reward }) => Number(reward));
      const mean = own.reduce((a, b) => a + b, 0) / own.length;
      near(Number(outputs![`${mode}_reward`]), mean);
    }
    const of = (name: string) => found.map((row) => Number(row[`reward.${name}`]));
    assert(of("visual/iou").some((value, i) => value > of("strict")[i]!), "the threshold is heard");
    assert(of("visual/iou").some((value) => value > 0.1));
    const told = run.events.filter(({ event }) => event === "message").map(({ text }) => String(text));
    assert(
      told.some((text) =>
        /^held_out, greedy: reward [\d.]+, strict [\d.]+, sure [\d.]+, visual\/iou [\d.]+$/.test(text)
      ),
      told.join("\n"),
    );
    // Without rewards there is none.
    const plain = await run.run("evaluate", { modes: ["greedy"], limit: 2 });
    assert.deepEqual([plain.outputs!["sampled_reward"], plain.outputs!["greedy_reward"]], [null, null]);
  }, { model: "warm_visual" }));

Deno.test("evaluate with rewards is checked before the run: names, options, columns, a reward model that is not there", () => {
  const problems = (rewards: readonly unknown[]) => {
    const text = `name: small
steps:
  - { uses: load_prompts, with: { task: addition, digits: 1 } }
  - { uses: load_model, with: { model: tiny_qwen2 } }
  - { uses: evaluate, with: { rewards: ${JSON.stringify(rewards)} } }
`;
    try {
      planWorkflow(parseWorkflow(text, "small.yaml", { folder: "/data", kinds: STEPS }), STEPS);
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(problems([{ uses: "format" }]), "");
  assert.match(
    problems([{ uses: "visual/ioo" }]),
    /small\.yaml:5:\d+: unknown reward "visual\/ioo"; did you mean "visual\/iou"/,
  );
  assert.match(
    problems([{ uses: "visual/iou", with: { treshold: 1 } }]),
    /small\.yaml:5:\d+: unknown key "treshold" of reward "visual\/iou"/,
  );
  assert.match(
    problems([{ uses: "visual/iou" }, { uses: "visual/iou" }]),
    /Cannot score two rewards into column "reward\.visual\/iou"/,
  );
  assert.match(problems([{ uses: "reward_model" }]), /reward_model/);
});
