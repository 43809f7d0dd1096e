import assert from "node:assert/strict";
import { headOf } from "../../../../../data/adapters/post/tables/table_head.ts";

const names = (cells: string[], groups: string[] = []) =>
  headOf(cells, groups)?.columns.map(({ name, pair, isSecond }) => isSecond ? "second" : pair?.join("+") ?? name) ??
    null;

Deno.test("headOf() names each column, one of groups by both rows", () => {
  assert.deepEqual(names(["step", "loss", "KL"]), [null, "loss", "KL"]);
  assert.deepEqual(names(["step", "loss", "acc", "loss", "acc"], ["", "Train", "", "Eval", ""]), [
    null,
    "loss",
    "acc",
    "eval_loss",
    "eval_accuracy",
  ]);
  assert.deepEqual(names(["", "loss", "grad norm"], ["Step", "Train", ""]), [null, "loss", "grad norm"]);
});

Deno.test("headOf() knows columns of two metrics, and those of a second run", () => {
  assert.deepEqual(names(["step", "reward/kl", "loss / grad_norm"]), [null, "reward+kl", "loss+grad_norm"]);
  assert.deepEqual(names(["step", "reward (lr 1e-6)", "reward (lr 1e-5)"]), [null, "reward", "second"]);
  assert.deepEqual(names(["step", "reward", "reward (mean)"]), [null, "reward", null]);
});

Deno.test("headOf() is null of a head without train steps, and of one of several runs", () => {
  assert.equal(names(["loss", "KL"]), null);
  assert.equal(names(["model", "step", "loss"]), null);
  assert.equal(names(["step", "model size", "remark"]), null);
});

Deno.test("headOf() takes a head that comes again for a second column, and another form of it for the same", () => {
  assert.deepEqual(names(["step", "reward", "reward", "loss"]), [null, "reward", "second", "loss"]);
});
