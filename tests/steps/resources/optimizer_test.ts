import assert from "node:assert/strict";
import { PolicyOptimizer } from "../../../steps/resources/optimizer.ts";
import { type TrainingRun, withTinyPolicy } from "../contexts/training_run.ts";
import { same } from "../../same.ts";

const train = (run: TrainingRun, id: string, max_updates: number, given = {}) =>
  run.run("fine_tune", { max_updates, batch_size: 4, ...given }, { id });

const moments = async (run: TrainingRun) => (await run.policy.model.optimizer()).save().moments.get("m")!.slice();

Deno.test("PolicyOptimizer forgets the moments when another step trains, and keeps them for the same", () =>
  withTinyPolicy(async (run) => {
    const optimizer = run.resources.optimizer!;
    await train(run, "first", 3);
    assert.equal(await optimizer.updates(), 3);
    const kept = await moments(run);
    await optimizer.begin("first");
    same(await moments(run), kept);
    await optimizer.begin("second");
    assert.equal(await optimizer.updates(), 0);
    assert((await moments(run)).every((value) => value === 0));
  }));

Deno.test("PolicyOptimizer.save() and restore() are bitwise, owner included", () =>
  withTinyPolicy(async (run) => {
    const optimizer = run.resources.optimizer!;
    assert.deepEqual((await optimizer.save()).json, { owner: null, updates: 0 });
    await train(run, "first", 2);
    const state = structuredClone(await optimizer.save()), saved = await moments(run);
    await train(run, "second", 1);
    await optimizer.restore(state);
    same(await moments(run), saved);
    assert.equal(await optimizer.updates(), 2);
    await optimizer.begin("first");
    assert.equal(await optimizer.updates(), 2, "the owner is the one that was saved");
  }));

Deno.test("PolicyOptimizer.restore() of one that nobody used starts from nothing", () =>
  withTinyPolicy(async (run) => {
    const fresh = new PolicyOptimizer(run.policy);
    await fresh.restore({ json: { owner: null, updates: 0 }, arrays: new Map() });
    await fresh.begin("any");
    assert.equal(await fresh.updates(), 0);
  }));

Deno.test("a step goes on bitwise from a checkpoint of int8 moments, also where the optimizer was another's meanwhile", () =>
  withTinyPolicy(async (run) => {
    const optimizer = run.resources.optimizer!, { policy } = run, given = { optimizer_state: "int8" };
    await train(run, "first", 3, given);
    const [weights, saved] = structuredClone([policy.save(), await optimizer.save()] as const);
    assert.equal(saved.json["optimizer_state"], "int8");
    const goOn = async () => {
      const { model } = policy, batch = { prompts: [[5, 6]], group: 1, completions: [[7, 8]] };
      await model.accumulateGradient(batch, {
        loss: { objective: "cross_entropy" },
        aggregation: "token_mean",
        temperature: 1,
      });
      await model.applyUpdate({
        learningRate: 1e-3,
        beta1: 0.9,
        beta2: 0.95,
        epsilon: 1e-8,
        weightDecay: 0,
        maxNorm: 1,
      });
      return run.weights();
    };
    const straight = await goOn();
    await train(run, "second", 1);
    policy.restore(weights);
    await optimizer.restore(saved);
    assert.equal(await optimizer.updates(), 3);
    same(await goOn(), straight);
  }));

Deno.test("fine_tune learns with int8 moments as far as with float32 ones, over three seeds", async () => {
  const last = async (optimizer_state: string, seed: number) => {
    let rows: number[] = [];
    await withTinyPolicy(
      async (run) => {
        await train(run, "first", 100, { batch_size: 16, optimizer_state, learning_rate: 3e-3 });
        rows = run.tables.history("metrics", 999).objects().map((row) => (row as { loss: number }).loss);
      },
      {},
      { seed },
    );
    return { first: rows[0]!, end: rows.slice(-30).reduce((a, b) => a + b, 0) / 30 };
  };
  let plain = 0, coded = 0;
  for (const seed of [1, 2, 3]) {
    const [float, int] = [await last("float32", seed), await last("int8", seed)];
    assert.equal(int.first, float.first);
    assert.notEqual(int.end, float.end);
    assert(float.end < 0.3 * float.first, `${float.end} of ${float.first}`);
    [plain, coded] = [plain + float.end / 3, coded + int.end / 3];
  }
  // Seeds differ by 15 % among themselves.
  assert(Math.abs(coded - plain) < 0.1 * plain, `${coded}, want ${plain}`);
});

Deno.test("an optimizer's state that nobody knows is refused", () =>
  withTinyPolicy((run) =>
    assert.rejects(
      run.resources.optimizer!.restore({
        json: { owner: "a", updates: 1, optimizer_state: "int2" },
        arrays: new Map(),
      }),
      /^RangeError: Cannot restore the optimizer: its state is int2, want float32 or int8$/,
    )
  ));
