/** An update that is not finite leaves everything as it was, is located, and reaches the finding. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { nonFiniteText } from "../../../steps/training/locate_non_finite.ts";
import { RECORD } from "../../workflows/engine/fake_runs.ts";
import { NonFiniteStateError, writeCheckpoint } from "../../../workflows/store/checkpoint.ts";
import { type TrainingRun, withTinyPolicy } from "../contexts/training_run.ts";

const bits = (values: Float32Array | Uint8Array) => new Uint8Array(values.buffer.slice(0));
const UPDATE = { learning_rate: 0.0003 };

/** Weights and moments, bit by bit. */
async function state(run: TrainingRun): Promise<Uint8Array[]> {
  const { moments, updates } = (await run.policy.model.optimizer()).save();
  return [bits(run.weights()), ...[...moments.values()].map(bits), Uint8Array.of(updates)];
}

function setWeight(run: TrainingRun, name: string, values: readonly number[]): void {
  const { layout, values: tensor } = run.policy.model.weights;
  const all = run.weights();
  all.set(values, layout.parameters.find((parameter) => parameter.name === name)!.offset);
  tensor.upload(all);
}

/** Replaces a column of the rollout. */
function setColumn(run: TrainingRun, name: string, change: (values: unknown[]) => unknown[]): void {
  const table = run.tables.table("completions");
  const changed = table.assign({ [name]: change(run.column("completions", name)) } as never);
  run.tables.write({ completions: changed }, "compute_advantages");
}

async function findings(run: TrainingRun) {
  const result = await run.run("diagnose");
  const rows = run.tables.table("findings").objects() as { cause: string; evidence: string; message: string }[];
  return { stop: result.stop, rows };
}

Deno.test("apply_update with a NaN weight is a bitwise no-op, named by parameter, and never a checkpoint", () =>
  withTinyPolicy(async (run) => {
    await run.rollout();
    await run.run("apply_update", UPDATE);
    const name = "model.layers.1.mlp.up_proj.weight";
    setWeight(run, name, [NaN]);
    await run.rollout();
    const before = await state(run);
    await run.run("apply_update", UPDATE);
    assert.deepEqual(await state(run), before);
    assert.deepEqual(run.column("updates", "applied"), [false]);
    const [text] = run.column<string>("messages", "text");
    assert.match(
      text!,
      /^weight model\.layers\.1\.mlp\.up_proj\.weight: 1 of \d+ values not finite, the first at 0 is NaN/,
    );
    const { stop, rows } = await findings(run);
    assert.match(stop!, /^(non_finite_weights|old_logprob_nan): /);
    assert(stop!.includes(`weight ${name}`), stop);
    assert(rows.some(({ evidence }) => evidence.includes(`"name":"non_finite","value":"weight ${name}: `)));
    const content = {
      trainStep: 2,
      update: 1,
      record: RECORD,
      best: null,
      state: {},
      tables: run.tables,
      resources: new Map([["policy", run.policy.save()]]),
    };
    assert.throws(() => writeCheckpoint(run.folder, "2.1", content), NonFiniteStateError);
    assert.throws(() => Deno.statSync(join(run.folder, "checkpoints", "2.1")), Deno.errors.NotFound);
  }));

Deno.test("apply_update with a NaN advantage blames the advantage, not the weights", () =>
  withTinyPolicy(async (run) => {
    await run.rollout();
    setColumn(run, "advantage", (values) => values.map((value, i) => i === 3 ? NaN : value));
    const before = await state(run);
    await run.run("apply_update", UPDATE);
    assert.deepEqual(await state(run), before);
    assert.match(run.column<string>("messages", "text")[0]!, /^input advantages of completion 3: /);
    const { stop, rows } = await findings(run);
    assert.match(stop!, /^nan_loss: /);
    assert(rows.every(({ cause }) => cause !== "non_finite_weights"));
  }));

Deno.test("apply_update whose finite weights overflow names the layer", () =>
  withTinyPolicy(async (run) => {
    await run.rollout();
    const { layout } = run.policy.model.weights;
    for (const part of ["gate", "up"]) {
      const name = `model.layers.0.mlp.${part}_proj.weight`;
      const { size } = layout.parameters.find((parameter) => parameter.name === name)!;
      setWeight(run, name, new Array<number>(size).fill(1e30));
    }
    const before = await state(run);
    await run.run("apply_update", UPDATE);
    assert.deepEqual(await state(run), before);
    assert.match(run.column<string>("messages", "text")[0]!, /^forward, \w+ in MLP of layer 0 .*; an overflow, /);
    const { stop } = await findings(run);
    assert.match(stop!, /^nan_loss: .*MLP of layer 0/);
  }));

Deno.test("fine_tune that is not finite says which tensor was the first", () =>
  withTinyPolicy(async (run) => {
    setWeight(run, "model.norm.weight", [Infinity]);
    await assert.rejects(
      () => run.run("fine_tune", { max_updates: 2 }),
      /first non-finite: weight model\.norm\.weight: 1 of 64/,
    );
  }));

Deno.test("apply_update that is finite writes no message", () =>
  withTinyPolicy(async (run) => {
    await run.rollout();
    await run.run("apply_update", UPDATE);
    assert.equal(run.tables.table("messages").numRows(), 0);
  }));

Deno.test("nonFiniteText() tells an overflow from a value out of range", () => {
  const value = { kind: "forward", name: "sqrt in x", op: "Sqrt", count: 1, size: 4, value: NaN, index: 2 } as const;
  assert.equal(
    nonFiniteText({ ...value, largestInput: 2 }),
    "forward, sqrt in x: 1 of 4 values not finite, the first at 2 is NaN; its inputs are finite, at most 2",
  );
  assert.match(nonFiniteText({ ...value, largestInput: 3e20 }), /; an overflow, its inputs reach 3\.0e\+20$/);
});
