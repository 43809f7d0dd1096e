import assert from "node:assert/strict";
import { tableOf } from "../../data/tables/mod.ts";
import { fineTune } from "../../steps/fine_tune.ts";
import { ONE_LAYER, type TrainingRun, withTinyPolicy } from "./contexts/training_run.ts";
import { same } from "../same.ts";

const GIVEN = { max_updates: 4, batch_size: 8, learning_rate: 1e-3, warmup_updates: 2 };
const train = (run: TrainingRun, given: Record<string, unknown> = {}, options = {}) =>
  run.run("fine_tune", { ...GIVEN, ...given }, options);

const history = (run: TrainingRun, name: string) =>
  Array.from(run.tables.history("metrics", 10_000).array(name) as ArrayLike<number>);

Deno.test("fine_tune learns one-digit addition up to the accuracy asked for and stops there", () =>
  withTinyPolicy(async (run) => {
    const { outputs } = await train(run, {
      max_updates: 400,
      batch_size: 64,
      learning_rate: 3e-3,
      until_accuracy: 0.2,
      evaluate_every: 20,
    });
    const { updates, accuracy, loss } = outputs as Record<string, number>;
    assert(accuracy! >= 0.2 && updates! < 400 && updates! % 20 === 0, `accuracy ${accuracy} after ${updates} updates`);
    const losses = history(run, "loss");
    assert.equal(losses.length, updates);
    assert(losses[0]! > 5 && loss! < 1.2, `loss from ${losses[0]} to ${loss}`);
    const measured = history(run, "accuracy").filter((value) => value !== null);
    assert.equal(measured.length, updates! / 20);
    assert.equal(measured.at(-1), accuracy);
  }));

Deno.test("fine_tune's first loss is the cross-entropy of a uniform guess, its tokens those of the answers", () =>
  withTinyPolicy(async (run) => {
    await train(run, { max_updates: 1 });
    const row = run.tables.table("metrics").objects()[0] as Record<string, number>;
    // random weights of standard deviation 0.02: nearly uniform over 258 tokens
    assert(Math.abs(row["loss"]! - Math.log(258)) < 0.05, `${row["loss"]}, want ${Math.log(258)}`);
    assert(row["loss_tokens"]! >= 16 && row["loss_tokens"]! <= 24, "an answer of 1 or 2 digits and its end");
    assert.equal(row["phase"], "sft");
    assert.equal(row["learning_rate"], 5e-4);
  }));

Deno.test("fine_tune stopped at any update and resumed is bitwise the same", async () => {
  let want: Float32Array = new Float32Array(), losses: number[] = [], outputs: unknown;
  const given = { until_accuracy: 1, evaluate_every: 2 };
  await withTinyPolicy(async (run) => {
    outputs = (await train(run, given)).outputs;
    [want, losses] = [run.weights(), history(run, "loss")];
  });
  for (let stop = 1; stop < GIVEN.max_updates; stop++) {
    await withTinyPolicy(async (run) => {
      const safePoint = (position?: number) => {
        if (position === stop) throw new Error("stop");
      };
      await assert.rejects(() => train(run, given, { safePoint }), /stop/);
      const resumed = await train(run, given, { position: stop });
      same(run.weights(), want, `stopped after update ${stop}`);
      assert.deepEqual(history(run, "loss"), losses);
      assert.deepEqual(resumed.outputs, outputs);
    });
  }
});

Deno.test("fine_tune gives no safe point after its last update: a resume would find nothing to report", () =>
  withTinyPolicy(async (run) => {
    const points: (number | undefined)[] = [];
    await train(run, {}, { safePoint: (position: number | undefined) => points.push(position) });
    assert.deepEqual(points, [1, 2, 3]);
  }));

Deno.test("fine_tune in passes of some rows, packed or not, makes the update of one pass", async () => {
  for (const packing of [{}, { packing: 16 }]) {
    const made: (readonly [weights: Float32Array, losses: number[]])[] = [];
    for (const passes of [{}, { prompts_per_pass: 3 }]) {
      await withTinyPolicy(async (run) => {
        const { model } = run.policy, gradient = model.accumulateGradient.bind(model);
        model.accumulateGradient = (batch, settings) => {
          assert.equal(settings.promptsPerPass, passes.prompts_per_pass);
          return gradient(batch, settings);
        };
        await train(run, { ...packing, ...passes });
        made.push([run.weights(), history(run, "loss")]);
      }, ONE_LAYER);
    }
    const [[weights, losses], [inPasses, cutLosses]] = made as [typeof made[0], typeof made[0]];
    losses.forEach((loss, i) => assert(Math.abs(loss - cutLosses[i]!) < 1e-5 * loss, `${loss}, ${cutLosses[i]}`));
    weights.forEach((weight, i) => assert(Math.abs(weight - inPasses[i]!) < 2e-4, `${i}: ${weight}, ${inPasses[i]}`));
  }
});

Deno.test("fine_tune with a non-finite weight stops, leaves the weights bitwise and says where", () =>
  withTinyPolicy(async (run) => {
    const weights = run.weights();
    weights.fill(NaN, 0, 258 * 64); // the embedding
    run.policy.model.weights.values.upload(weights);
    await assert.rejects(() => train(run), /loss NaN and gradient norm NaN at train step 1, want finite numbers/);
    same(run.weights(), weights);
    assert.equal(run.column("metrics", "non_finite")[0], 1);
    assert.deepEqual(run.column("updates", "applied"), [false]);
    assert.match(run.column<string>("messages", "text").join(), /^weight model\.embed_tokens\.weight/);
    assert.deepEqual(run.column("messages", "train_step"), [1]);
  }));

Deno.test("fine_tune needs train prompts, and validation prompts to stop at an accuracy", () =>
  withTinyPolicy(async (run) => {
    const prompts = run.tables.table("prompts");
    const columns = Object.fromEntries(prompts.columnNames().map((name) => [name, Array.from(prompts.array(name))]));
    const all = (split: string) =>
      run.tables.write({
        prompts: tableOf("prompts", { ...columns, split: Array(prompts.numRows()).fill(split) }),
      }, "test");
    all("held_out");
    await assert.rejects(() => train(run), /no row of split "train"/);
    all("train");
    await assert.rejects(() => train(run, { until_accuracy: 0.5 }), /no row of split "validation"/);
    await train(run, { max_updates: 1 });
    const problems = fineTune.check!(fineTune.params.parse({ max_updates: 1, schedule: "linear" }));
    assert.match(problems[0]!, /schedule_updates is not set/);
  }));

Deno.test("fine_tune's learning rate grows over the warm-up and then follows its schedule", () =>
  withTinyPolicy(async (run) => {
    const given = { max_updates: 4, batch_size: 2, learning_rate: 1e-3, warmup_updates: 2 };
    await run.run("fine_tune", { ...given, schedule: "linear", schedule_updates: 4 });
    const want = [5e-4, 1e-3, 2e-3 / 3, 1e-3 / 3];
    history(run, "learning_rate").forEach((rate, i) => assert(Math.abs(rate - want[i]!) < 1e-12, `${i}: ${rate}`));
  }));

Deno.test("fine_tune measures its accuracy on samples of the policy as it is, at temperature 1 and without filters", () =>
  withTinyPolicy(async (run) => {
    const { policy } = run, { sampler } = policy, asked: unknown[] = [];
    policy.sampler = {
      sample(prompts, request) {
        asked.push({ ...request.values, group: request.group });
        return sampler.sample(prompts, request);
      },
    };
    await train(run, { max_updates: 1, until_accuracy: 1 });
    assert.deepEqual(asked, [{ temperature: 1, top_k: 0, top_p: 1, min_p: 0, repetition_penalty: 1, group: 1 }]);
  }));

Deno.test("fine_tune on chosen completions in the table's order: the loss of its first rows as plain arithmetic", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_preferences", { task: "addition", digits: 1 });
    const rows = (run.tables.table("preferences").objects() as Record<"prompt" | "chosen" | "split", string>[])
      .filter(({ split }) => split === "train").slice(0, 3);
    const { policy } = run;
    const logprobs = await policy.logprobs({
      prompts: rows.map(({ prompt }) => policy.encodePrompt(prompt, 0)),
      group: 1,
      completions: rows.map(({ chosen }) => policy.encodeAnswer(chosen)),
    }, 1);
    const all = logprobs.flatMap((row) => Array.from(row));
    await train(run, { table: "preferences", order: "table", batch_size: 3, max_updates: 1 });
    const row = run.tables.table("metrics").objects()[0] as Record<string, number>;
    assert(Math.abs(row["loss"]! + all.reduce((a, b) => a + b, 0) / all.length) < 1e-4, `${row["loss"]}`);
    assert.equal(row["loss_tokens"], all.length);
    assert(row["token_accuracy"]! >= 0 && row["token_accuracy"]! <= 1);
    await train(run, { loss_on: "all", max_updates: 1 });
    assert(run.column<number>("metrics", "loss_tokens")[0]! > row["loss_tokens"]!);
    await assert.rejects(
      () => train(run, { max_length: 2, max_updates: 1 }),
      /prompts leave no room for a completion, want fewer than 2 tokens/,
    );
  }));

Deno.test("fine_tune packs rows: the same loss as the rows by themselves, in fewer rows", () =>
  withTinyPolicy(async (run) => {
    await run.run("load_prompts", { task: "addition", digits: 1, limit: 20 });
    const rows = run.column<string>("prompts", "split").filter((split) => split === "train").length;
    const losses: number[] = [];
    for (const given of [{ batch_size: rows }, { packing: 200, batch_size: 1 }]) {
      await train(run, { order: "table", learning_rate: 0, max_updates: 1, ...given });
      losses.push(run.column<number>("metrics", "loss")[0]!);
    }
    assert(Math.abs(losses[0]! - losses[1]!) < 1e-5, `${losses}`);
  }));
