import assert from "node:assert/strict";
import { mlflowRun, takeParam } from "../../../../data/adapters/intake/mlflow_run.ts";

Deno.test("takeParam() reads what Python printed: numbers, booleans, None, and texts as they are", () => {
  const taken: unknown[] = [];
  const intake = { setting: (name: string, value: unknown, type: string) => void taken.push([name, value, type]) };
  for (const text of ["1e-06", "True", "None", "1 2", "", "constructor"]) takeParam("x", text, intake);
  assert.deepEqual(taken, [
    ["x", 1e-6, "number"],
    ["x", true, "boolean"],
    ["x", null, "null"],
    ["x", "1 2", "string"],
    ["x", "", "string"],
    ["x", "constructor", "string"],
  ]);
});

Deno.test("mlflowRun() is the name with the beginning of the id, or the id", () => {
  assert.deepEqual([mlflowRun("a", "0123456789"), mlflowRun("", "01"), mlflowRun(null, "01")], [
    "a (01234567)",
    "01",
    "01",
  ]);
});
