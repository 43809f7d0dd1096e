/** The option memory of load_model: it cuts every pass, and no number changes. */
import assert from "node:assert/strict";
import type { LanguageModel } from "../../../gpu/language_model.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { decodingBytes } from "../../../gpu/sampling/decode_bytes.ts";
import { MemoryBudget } from "../../../gpu/ort/memory_budget.ts";
import { tableOf } from "../../../data/tables/mod.ts";
import { rowsBytes } from "../../../steps/cost/memory.ts";
import { MODEL_PRESETS } from "../../../steps/resources/model_presets.ts";
import { lists, type TrainingRun, withTinyPolicy } from "../../steps/contexts/training_run.ts";

const RATE = { learning_rate: 1e-3 };

/** Steps that train, and the model whose weights they move. */
const TRAINING: Record<string, (run: TrainingRun) => Promise<LanguageModel>> = {
  async apply_update(run) {
    await run.rollout();
    await run.run("apply_update", {
      ...RATE,
      kl_coef: 0.1,
      entropy_coef: 0.01,
      updates_per_rollout: 2,
      minibatches: 1,
    });
    return run.policy.model;
  },
  async fine_tune(run) {
    await run.run("fine_tune", { ...RATE, max_updates: 3, batch_size: 8 });
    return run.policy.model;
  },
  async train_preferences(run) {
    await run.run("load_preferences", { task: "addition", digits: 1 });
    await run.run("train_preferences", { ...RATE, loss: "dpo", max_updates: 2, batch_size: 6 });
    return run.policy.model;
  },
  async train_reward_model(run) {
    await run.run("load_preferences", { task: "addition", digits: 1 });
    await run.run("train_reward_model", { ...RATE, max_updates: 2, batch_size: 6 });
    return run.resources.reward_model!.model;
  },
  async update_critic(run) {
    await run.run("load_critic");
    await run.rollout();
    await run.run("compute_values");
    const table = run.tables.table("completions");
    const returns = lists(table, "token_ids").map((row, i) => row.map(() => i % 2));
    run.tables.write({ completions: table.assign(tableOf("completions", { returns })) }, "test");
    await run.run("update_critic", RATE);
    return run.resources.critic!.model;
  },
};

/** A budget that leaves so much to a pass, whatever the models hold. */
class Tight extends MemoryBudget {
  constructor(readonly left: number) {
    super(1e9);
  }
  override get free(): number {
    return this.left;
  }
}

/** Weights, tokens and how often a graph ran, after a step. */
async function after(step: string, free: number | null) {
  let told: { weights: Float32Array; tokens: number[][]; runs: number } | null = null;
  await withTinyPolicy(async (run) => {
    const { runtime } = run.policy.model, session = runtime.session.bind(runtime);
    let runs = 0;
    if (free !== null) runtime.budget = new Tight(free);
    runtime.session = async (bytes, options) => {
      const made = await session(bytes, options), bind = made.bind.bind(made);
      if (options?.name !== "train") return made;
      made.bind = (...given) => {
        const bound = bind(...given), once = bound.run.bind(bound);
        bound.run = () => (runs++, once());
        return bound;
      };
      return made;
    };
    const { weights } = await TRAINING[step]!(run), completions = run.tables.table("completions");
    const tokens = completions.column("token_ids") ? lists(completions, "token_ids") : [];
    told = { weights: weights.values.download(new Float32Array(weights.layout.size)), tokens, runs };
  }, { reference: "copy" });
  return told!;
}

for (const step of Object.keys(TRAINING)) {
  Deno.test(`${step} within a memory budget takes more passes, and ends with the same weights and draws`, async () => {
    const plain = await after(step, null), bounded = await after(step, 6e5);
    assert(bounded.runs > plain.runs, `${bounded.runs} passes, ${plain.runs} without`);
    assert.deepEqual(bounded.tokens, plain.tokens);
    const apart = bounded.weights.map((w, i) => Math.abs(w - plain.weights[i]!));
    // AdamW makes a step of the sign of a gradient that is nearly 0: of 2e-3 at most.
    assert(Math.max(...apart) <= 1e-4, `${Math.max(...apart)}`);
    assert(apart.reduce((a, b) => a + b, 0) / apart.length <= 1e-7);
    assert(apart.some((difference) => difference > 0), "sums in another order have other bits");
  });
}

Deno.test("a gradient whose smallest pass does not fit is refused with how much memory it wants", async () => {
  await withTinyPolicy(async (run) => {
    run.policy.model.runtime.budget = new MemoryBudget(244e6);
    await assert.rejects(
      async () => await run.run("fine_tune", { ...RATE, max_updates: 1, batch_size: 2 }),
      /Cannot compute the gradient of a prompt of \d+ tokens with 1 completions of \d+ within memory of 244 MB: it takes \d+ MB/,
    );
  });
});

Deno.test("sample_groups within a budget draws the same tokens, a group at once or less than one", async () => {
  const sampled = async (free: number | null) => {
    let tokens: number[][] = [], most = 0;
    await withTinyPolicy(async (run) => {
      const { model } = run.policy, { runtime } = model, tensor = runtime.tensor.bind(runtime);
      if (free !== null) runtime.budget = new Tight(free);
      runtime.tensor = (dtype, shape, ...more) => {
        if (dtype === "float32" && shape.length === 2 && shape[1] === 1) most = Math.max(most, shape[0]!);
        return tensor(dtype, shape, ...more);
      };
      await run.rollout();
      tokens = lists(run.tables.table("completions"), "token_ids");
    });
    return { tokens, most };
  };
  const config = modelConfig({ ...MODEL_PRESETS.tiny_qwen2, vocab_size: 258 });
  const bytesOf = (group: number) => decodingBytes(config, { prompts: 1, group, promptTokens: 4, completionTokens: 4 });
  const plain = await sampled(null), groups = await sampled(bytesOf(4)), part = await sampled(bytesOf(2));
  assert.deepEqual(groups.tokens, plain.tokens);
  assert.deepEqual(part.tokens, plain.tokens);
  assert(plain.most > groups.most && groups.most > part.most, `${plain.most}, ${groups.most}, ${part.most} rows`);
});

Deno.test("load_model refuses a size of memory that cannot be read; its models share the budget", async () => {
  await withTinyPolicy(async (run) => {
    const budget = run.policy.model.runtime.budget!, { count, size } = run.policy.model.weights.layout;
    assert.equal(budget.bytes, 8 * 2 ** 30);
    assert.equal(0.95 * budget.bytes - 250e6 - budget.free, 8 * size + 8 * count);
    await run.rollout();
    const rows = run.tables.table("completions").numRows(), first = budget.free;
    run.tables.advance();
    await run.rollout();
    assert.equal(first - budget.free, rowsBytes(rows, 4), "rows of the rollout before; no session is new");
    const before = budget.free;
    await run.run("load_critic");
    assert(before - budget.free > 15 * count, `${before - budget.free}`);
    run.resources.critic!.release();
    assert.equal(budget.free, before);
  }, { memory: "8GiB" });
});
