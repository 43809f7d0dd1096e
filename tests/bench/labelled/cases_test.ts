/** The reader of labelled cases: their order, what is none, and a folder without any. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { accepts, type Label, labelledCases } from "./cases.ts";

const LABEL: Label = {
  system: "trl",
  algorithm: "grpo",
  verdict: "faulty",
  primary: "a",
  causes: ["a", "b"],
  must_not: [],
  confidence: "gold",
};

Deno.test("labelledCases() reads labels in order of the names, leaves out what has none, and refuses a folder without", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(join(folder, "notes"));
    assert.throws(() => labelledCases(folder), /^UsageError: Cannot read cases of ".*": it holds none/);
    for (const name of ["b", "a"]) {
      await Deno.mkdir(join(folder, name));
      await Deno.writeTextFile(join(folder, name, "label.json"), JSON.stringify(LABEL));
    }
    assert.deepEqual(
      labelledCases(folder),
      ["a", "b"].map((name) => ({ name, path: join(folder, name), label: LABEL })),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("accepts() takes every cause of a faulty run, and none of another", () => {
  assert.deepEqual(["a", "b", "c", undefined].map((cause) => accepts(LABEL, cause)), [true, true, false, false]);
  assert.equal(accepts({ ...LABEL, verdict: "benign" }, "a"), false);
});
