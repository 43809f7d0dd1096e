import assert from "node:assert/strict";
import { PolicyOptimizer } from "../../../steps/resources/optimizer.ts";
import { type TrainingRun, withTinyPolicy } from "../contexts/training_run.ts";
import { same } from "../../same.ts";

const train = (run: TrainingRun, id: string, max_updates: number, options = {}) =>
  run.run("fine_tune", { max_updates, batch_size: 4 }, { id, ...options });

const moments = async (run: TrainingRun) => (await run.policy.model.optimizer()).save().m;

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
    const state = await optimizer.save(), saved = await moments(run);
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
