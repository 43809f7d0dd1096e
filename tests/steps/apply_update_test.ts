import assert from "node:assert/strict";
import { tableOf } from "../../data/tables/mod.ts";
import type { ClippedLoss } from "../../gpu/losses/clipped.ts";
import { applyUpdate } from "../../steps/apply_update.ts";
import { meanKl } from "../../steps/metrics/logprob_gaps.ts";
import { readRollout, slice } from "../../steps/training/rollout.ts";
import {
  lists,
  ONE_LAYER,
  type TrainingRun,
  type TrainingRunOptions,
  withTinyPolicy,
} from "./contexts/training_run.ts";
import { same } from "../same.ts";

const RATE = 1e-3;

/** The step knows nothing of layers. */
const withPolicy = (body: (run: TrainingRun) => Promise<void>, model = {}, options: TrainingRunOptions = {}) =>
  withTinyPolicy(body, { ...ONE_LAYER, ...model }, options);

const ADAMW = { learningRate: RATE, beta1: 0.9, beta2: 0.95, epsilon: 1e-8, weightDecay: 0, maxNorm: 1 };
const LOSS: ClippedLoss = {
  objective: "clipped",
  clipLow: 0.2,
  clipHigh: 0.2,
  ratioCap: null,
  ratioLevel: "token",
  onPolicy: true,
  kl: null,
};

const update = (run: TrainingRun, given: Record<string, unknown> = {}, options = {}) =>
  run.run("apply_update", { learning_rate: RATE, ...given }, options);

/** Gives every completion its own advantage, so that no group is without signal. */
function spread(run: TrainingRun): void {
  const table = run.tables.table("completions");
  const columns = Object.fromEntries(table.columnNames().map((name) => [name, Array.from(table.array(name))]));
  const advantage = Array.from({ length: table.numRows() }, (_, i) => [1.5, -0.5, -1, 0][i % 4]);
  run.tables.write({ completions: tableOf("completions", { ...columns, advantage }) }, "test");
}

async function rollout(run: TrainingRun, sampling: Record<string, unknown> = {}): Promise<void> {
  await run.rollout(sampling);
  spread(run);
}

/** Row `i` of a table as an object. */
const row = (run: TrainingRun, table: "metrics" | "updates", i = 0) =>
  run.tables.table(table).objects()[i] as Record<string, number>;

Deno.test("apply_update is one train step and one AdamW update of the model, bitwise", async () => {
  let want: Float32Array = new Float32Array(), loss = 0;
  await withPolicy(async (run) => {
    await rollout(run);
    const batch = slice(readRollout(run.context("x"), run.policy, 1), 0, 1);
    const result = await run.policy.model.accumulateGradient(batch, {
      loss: LOSS,
      aggregation: "token_mean",
      temperature: 1,
    });
    loss = result.loss;
    await run.policy.model.applyUpdate(ADAMW);
    want = run.weights();
  });
  await withPolicy(async (run) => {
    const before = run.weights();
    await rollout(run);
    const { outputs } = await update(run);
    same(run.weights(), want);
    assert.notDeepEqual(before, want);
    assert.equal(outputs!["loss"], loss);
    assert.equal(outputs!["updates"], 1);
    const metrics = row(run, "metrics");
    assert.equal(metrics["phase"], "rollout");
    assert.equal(metrics["ratio_mean"], 1);
    assert.equal(metrics["clip_fraction"], 0);
    assert.equal(metrics["non_finite"], 0);
    assert(Math.abs(metrics["loss"]! - metrics["expected_loss"]!) < 1e-6, "the closed form of the loss at ratio 1");
    assert(metrics["sampler_logprob_gap"]! < 1e-4);
    assert(Math.abs(metrics["update_size"]! - 1) < 0.2, `Adam's first step: ${metrics["update_size"]}`);
    assert(metrics["entropy"]! > 4 && metrics["entropy"]! < Math.log(258), `${metrics["entropy"]} nats`);
    // old_logprobs are the policy's own, before the update
    lists(run.tables.table("completions"), "old_logprobs").forEach((own, i) => {
      const sampler = lists(run.tables.table("completions"), "sampler_logprobs")[i]!;
      own.forEach((p, t) => assert(Math.abs(p - sampler[t]!) < 1e-4));
    });
  });
});

Deno.test("apply_update in passes over a few prompts is the same update to rounding", async () => {
  const results: Float32Array[] = [];
  for (const passes of [{}, { prompts_per_pass: 1 }, { prompts_per_pass: 2 }]) {
    await withPolicy(async (run) => {
      await rollout(run);
      await update(run, passes);
      results.push(run.weights());
    });
  }
  for (const other of results.slice(1)) {
    other.forEach((value, i) => assert(Math.abs(value - results[0]![i]!) < 1e-5));
  }
});

Deno.test("apply_update with several updates keeps old_logprobs and moves the ratio away from 1", () =>
  withPolicy(async (run) => {
    await rollout(run);
    await update(run, { updates_per_rollout: 3, learning_rate: 1e-2 });
    const ratios = run.column<number>("updates", "ratio_mean");
    assert.deepEqual(run.column("updates", "update"), [1, 2, 3]);
    assert.equal(ratios[0], 1);
    assert.notEqual(ratios[2], 1);
    assert(run.column<number>("updates", "clip_fraction")[2]! > 0, "a large learning rate clips");
    assert.equal(row(run, "metrics")["expected_loss"], null);
    const sampler = lists(run.tables.table("completions"), "sampler_logprobs").flat();
    lists(run.tables.table("completions"), "old_logprobs").flat().forEach((p, i) => {
      assert(Math.abs(p - sampler[i]!) < 1e-4);
    });
  }));

Deno.test("apply_update with minibatches is one update per slice, all against the policy that sampled", async () => {
  let want: Float32Array = new Float32Array();
  await withPolicy(async (run) => {
    await rollout(run);
    const all = readRollout(run.context("x"), run.policy, 2);
    all.oldLogprobs = (await run.policy.model.logprobs(all)).logprobs;
    for (const [i, part] of [0, 1, 0, 1].entries()) {
      await run.policy.model.accumulateGradient(slice(all, part, 2), {
        loss: { ...LOSS, onPolicy: i === 0 },
        aggregation: "rollout_token_mean",
        totals: { rolloutTokens: all.tokens, updates: 2 },
        temperature: 1,
      });
      await run.policy.model.applyUpdate(ADAMW);
    }
    want = run.weights();
  });
  await withPolicy(async (run) => {
    await rollout(run);
    await update(run, { updates_per_rollout: 4, minibatches: 2, aggregation: "rollout_token_mean" });
    same(run.weights(), want);
    assert.equal(run.tables.table("updates").numRows(), 4);
  });
});

Deno.test("apply_update stopped between its updates and resumed is bitwise the same, rows included", async () => {
  for (const given of [{ updates_per_rollout: 3 }, { updates_per_rollout: 4, minibatches: 2 }]) {
    let want: Float32Array = new Float32Array(), rows: Record<string, unknown>[] = [];
    const timing = /_ms$|tokens_per_second/;
    const untimed = (run: TrainingRun) =>
      Object.fromEntries(Object.entries(row(run, "metrics")).filter(([name]) => !timing.test(name)));
    await withPolicy(async (run) => {
      await rollout(run);
      await update(run, given);
      want = run.weights();
      rows = [untimed(run), ...run.tables.table("updates").objects()] as typeof rows;
    });
    for (let stop = 1; stop < given.updates_per_rollout; stop++) {
      await withPolicy(async (run) => {
        await rollout(run);
        const safePoint = (position?: number) => {
          if (position === stop) throw new Error("stop");
        };
        await assert.rejects(() => update(run, given, { safePoint }), /stop/);
        await update(run, given, { position: stop });
        same(run.weights(), want, `stopped after update ${stop}`);
        assert.deepEqual([untimed(run), ...run.tables.table("updates").objects()], rows);
      });
    }
  }
});

Deno.test("apply_update adds the KL to a reference copy: 0 at first, then as its estimator says", () =>
  withPolicy(async (run) => {
    await rollout(run);
    await update(run, { kl_coef: 0.1, learning_rate: 1e-2 });
    assert(Math.abs(row(run, "metrics")["kl"]!) < 1e-6);
    assert.equal(row(run, "metrics")["expected_loss"], null);
    await rollout(run);
    await update(run, { kl_coef: 0.1, kl_estimator: "k2", learning_rate: 1e-2 });
    const table = run.tables.table("completions");
    const [old, reference, mask] = ["old_logprobs", "ref_logprobs", "completion_mask"].map((n) => lists(table, n));
    const kl = row(run, "metrics")["kl"]!;
    assert(kl > 1e-3);
    assert(Math.abs(kl - meanKl(old!, reference!, mask!, "k2")) < 1e-4 * kl);
    await rollout(run);
    await update(run, { kl_coef: 0 });
    assert(row(run, "metrics")["kl"]! > 1e-3, "measured also where it is not in the loss");
  }, { reference: "copy" }));

Deno.test("apply_update multiplies the KL by the ratio when asked to, which shows once the ratio has moved", async () => {
  const kl: number[][] = [];
  for (const kl_times_ratio of [false, true]) {
    await withPolicy(async (run) => {
      await rollout(run);
      await update(run, { kl_coef: 0.1, kl_times_ratio, updates_per_rollout: 2, learning_rate: 1e-2 });
      kl.push(run.column<number>("updates", "kl"));
    }, { reference: "copy" });
  }
  const [plain, times] = kl as [number[], number[]];
  assert.equal(plain[0], times[0], "at ratio 1");
  assert(plain[1]! > 1e-5 && Math.abs(plain[1]! - times[1]!) > 1e-3 * plain[1]!, `${plain[1]} and ${times[1]}`);
});

Deno.test("apply_update refuses a KL without a reference", () =>
  withPolicy(async (run) => {
    await rollout(run);
    await assert.rejects(
      () => update(run, { kl_coef: 0.1 }),
      /kl_coef is 0\.1 and the reference is none; set reference/,
    );
  }));

Deno.test("apply_update with a non-finite loss leaves the weights bitwise and says which parameters have no number", () =>
  withPolicy(async (run) => {
    await rollout(run);
    await update(run);
    const weights = run.weights();
    await rollout(run);
    const table = run.tables.table("completions");
    const columns = Object.fromEntries(table.columnNames().map((name) => [name, Array.from(table.array(name))]));
    const advantage = Array.from({ length: 16 }, (_, i) => i === 3 ? NaN : 1);
    run.tables.write({ completions: tableOf("completions", { ...columns, advantage }) }, "test");
    const { outputs } = await update(run, { gradients_every: 1000 });
    same(run.weights(), weights);
    assert.equal(outputs!["updates"], 0, "none is applied");
    const metrics = row(run, "metrics");
    assert.equal(metrics["non_finite"], 1);
    assert(Number.isNaN(metrics["loss"]), "a computed NaN is stored as one");
    assert.equal(outputs!["loss"], null);
    assert.deepEqual(run.column("updates", "applied"), [false]);
    assert.match(run.column<string>("messages", "text").join(), /^input advantages of completion 3/);
    const gradients = run.tables.table("gradients").objects() as { parameter: string; non_finite: number }[];
    assert.equal(gradients.length, run.policy.model.weights.layout.parameters.length, "written although not due");
    assert(gradients.some(({ non_finite }) => non_finite > 0));
    await rollout(run);
    await update(run);
    assert.notDeepEqual(run.weights(), weights, "the next update works");
    assert.equal(row(run, "metrics")["non_finite"], 0);
  }));

Deno.test("apply_update with every completion masked changes nothing but says so in numbers", () =>
  withPolicy(async (run) => {
    await run.rollout({ max_new_tokens: 2, mask_truncated: true });
    assert(run.column<boolean>("completions", "truncated").every(Boolean), "the test needs truncated completions only");
    spread(run);
    const before = run.weights();
    await update(run);
    same(run.weights(), before);
    assert.deepEqual([row(run, "metrics")["loss_tokens"], row(run, "metrics")["grad_norm"]], [0, 0]);
  }));

Deno.test("apply_update writes gradients every so many train steps, and their norms add up", () =>
  withPolicy(async (run) => {
    await rollout(run);
    await update(run, { gradients_every: 2 });
    assert.equal(run.tables.table("gradients").numRows(), 0);
    await rollout(run);
    await update(run, { gradients_every: 2 });
    const norms = run.column<number>("gradients", "grad_norm");
    const total = Math.sqrt(norms.reduce((sum, norm) => sum + norm * norm, 0));
    const { grad_norm: want } = row(run, "metrics");
    assert(Math.abs(total - want!) < 1e-4 * want!, `${total}, want ${want}`);
  }));

Deno.test("apply_update trains only what is trainable", () =>
  withPolicy(async (run) => {
    const tensors = () => run.policy.model.weights.toHuggingFace();
    const before = tensors();
    await rollout(run);
    await update(run);
    for (const [name, { data }] of tensors()) {
      const same = data.every((value, i) => value === before.get(name)!.data[i]);
      assert.equal(same, !name.includes(".mlp."), name);
    }
  }, { trainable: ["*.mlp.*"] }));

Deno.test("apply_update decays matrices and leaves vectors alone", async () => {
  const stepped: Map<string, { readonly shape: readonly number[]; readonly data: Float32Array }>[] = [];
  let before = new Map<string, { readonly data: Float32Array }>();
  for (const weight_decay of [0, 0.5]) {
    await withPolicy(async (run) => {
      before = run.policy.model.weights.toHuggingFace();
      await rollout(run);
      await update(run, { weight_decay });
      stepped.push(run.policy.model.weights.toHuggingFace());
    });
  }
  for (const [name, { shape, data }] of stepped[0]!) {
    const decayed = stepped[1]!.get(name)!.data, old = before.get(name)!.data;
    if (shape.length === 1) same(decayed, data, name);
    else {
      decayed.forEach((w, i) => assert(Math.abs(w - (data[i]! - RATE * 0.5 * old[i]!)) < 1e-7, `${name}[${i}]`));
      assert.notDeepEqual(decayed, data, name);
    }
  }
});

Deno.test("apply_update stores and reads the policy's own old log-probs, not those of the sampler's filters", () =>
  withPolicy(async (run) => {
    for (const given of [{}, { updates_per_rollout: 2 }, { updates_per_rollout: 4, minibatches: 2 }]) {
      await rollout(run, { temperature: 0.7, top_k: 3 });
      const all = readRollout(run.context("x"), run.policy, 1);
      const { logprobs } = await run.policy.model.logprobs(all, { temperature: 0.7 });
      await update(run, { ...given, learning_rate: 0 });
      const table = run.tables.table("completions"), old = lists(table, "old_logprobs");
      old.forEach((row, i) => row.forEach((p, t) => assert(Math.abs(p - logprobs[i]![t]!) < 1e-5, `${p}`)));
      const gaps = lists(table, "sampler_logprobs").flatMap((row, i) => row.map((p, t) => p - old[i]![t]!));
      assert(Math.min(...gaps) > 0.5, "of three tokens each is likelier than of all");
      // The policy stands still: every update must see ratio 1.
      for (const ratio of run.column<number>("updates", "ratio_mean")) assert(Math.abs(ratio - 1) < 1e-5, `${ratio}`);
      assert(row(run, "metrics")["clip_fraction"] === 0);
    }
  }));

Deno.test("apply_update counts a schedule over all its updates and stores the settings of a preset", () =>
  withPolicy(async (run) => {
    const given = {
      schedule: "linear",
      schedule_updates: 4,
      updates_per_rollout: 2,
      preset: "dapo",
      weight_decay: 0.1,
    };
    await rollout(run);
    await update(run, given);
    await rollout(run);
    await update(run, given);
    assert.deepEqual(run.column("updates", "learning_rate"), [RATE / 2, RATE / 4]);
    const settings = run.settings();
    assert.deepEqual(
      ["aggregation", "clip_low", "clip_high", "weight_decay", "schedule"].map((name) => settings[name]!.value),
      ["rollout_token_mean", 0.2, 0.28, 0.1, "linear"],
    );
    await rollout(run);
    await update(run);
    const plain = run.settings();
    assert.deepEqual(
      ["aggregation", "clip_low", "clip_high"].map((name) => plain[name]!.value),
      ["token_mean", 0.2, 0.2],
      "what it is without a preset",
    );
    assert.deepEqual([plain["loss"]!.value, plain["importance_level"]!.value], ["clipped", "token"]);
    await rollout(run);
    await update(run, { preset: "gspo" });
    assert.equal(run.settings()["importance_level"]!.value, "sequence", "rules about clipping look at it");
  }));

Deno.test("apply_update checks its options before the run, and columns when it reads them", () =>
  withPolicy(async (run) => {
    const problems = (given: Record<string, unknown>) =>
      applyUpdate.check!(applyUpdate.params.parse({ learning_rate: RATE, ...given }));
    assert.deepEqual(problems({ updates_per_rollout: 4, minibatches: 2 }), []);
    assert.match(problems({ updates_per_rollout: 3, minibatches: 2 })[0]!, /Cannot split 3 updates .* 2 minibatches/);
    assert.match(problems({ schedule: "cosine" })[0]!, /schedule_updates is not set/);
    run.tables.advance();
    await run.run("sample_groups", { prompts_per_step: 2, group_size: 2, max_new_tokens: 2 });
    await assert.rejects(() => update(run), /has no column "advantage"; run the step that writes it before/);
  }));

Deno.test("apply_update has no mean ratio where no token counts, per token or per completion", () =>
  withPolicy(async (run) => {
    for (const preset of ["grpo", "gspo"]) {
      await rollout(run);
      const table = run.tables.table("completions");
      const columns = Object.fromEntries(table.columnNames().map((name) => [name, Array.from(table.array(name))]));
      const completion_mask = lists(table, "completion_mask").map((mask) => new Float32Array(mask.length));
      run.tables.write({ completions: tableOf("completions", { ...columns, completion_mask }) }, "test");
      await update(run, { preset });
      assert.equal(row(run, "metrics")["ratio_mean"], null, preset);
      assert.deepEqual(run.column("updates", "ratio_mean"), [null]);
    }
  }));
