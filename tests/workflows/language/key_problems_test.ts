import assert from "node:assert/strict";
import { misplaced, ourWord, withoutEchoes } from "../../../workflows/language/key_problems.ts";

Deno.test("withoutEchoes() drops a missing key that is there under a misspelt name, in the same place only", () => {
  const missing = { path: ["steps", 0, "uses"], message: 'missing key "uses" in "steps"' };
  const unknown = { path: ["steps", 0, "use"], message: 'unknown key "use"; did you mean "uses"? Known: uses' };
  const elsewhere = { ...unknown, path: ["steps", 1, "use"] };
  assert.deepEqual(withoutEchoes([missing, unknown]), [unknown]);
  assert.deepEqual(withoutEchoes([missing, elsewhere]), [missing, elsewhere]);
});

Deno.test("ourWord() knows the words of other systems where ours can stand", () => {
  assert.deepEqual([ourWord("jobs", ["steps"]), ourWord("jobs", ["seed"]), ourWord("sede", ["seed"])], [
    "steps",
    "jobs",
    "sede",
  ]);
});

Deno.test("misplaced() says where a key of a step stands, and where a parameter", () => {
  const known = ["name", "with", "continue-on-error"];
  assert.match(misplaced("timeout-minutes", ["steps", 0, "with"], {}, [])!, /stands beside "with"/);
  assert.match(misplaced("timeout_minutes", [], {}, ["seed"])!, /a step has it/);
  assert.match(misplaced("group_size", ["steps", 0], { uses: "x" }, known)!, /stand in "with"/);
  assert.equal(misplaced("matrix", [], {}, ["strategy"]), "; write strategy: { matrix: … }");
  assert.equal(misplaced("max_parallel", [], {}, ["strategy"]), "; write strategy: { max-parallel: … }");
  assert.equal(misplaced("matrix", ["strategy"], {}, ["max-parallel"]), null, "only beside the block");
  assert.equal(misplaced("wiht", ["steps", 0], { uses: "x" }, known), null, "a typo of a known key");
  assert.equal(misplaced("patern", ["with", "rewards", 0], { uses: "x" }, ["name", "weight"]), null, "no step");
});
