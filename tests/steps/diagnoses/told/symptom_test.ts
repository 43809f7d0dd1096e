import assert from "node:assert/strict";
import { claims, each, GOALS, PAID, WRITTEN } from "../../../../steps/diagnoses/told/symptom.ts";
import { viewOfPost } from "./view_of_post.ts";

Deno.test("each() pairs every subject with every predicate", () => {
  assert.deepEqual(each(["loss", "kl"], ["zero", "rises"]), ["loss.zero", "loss.rises", "kl.zero", "kl.rises"]);
  assert.deepEqual(each([], ["zero"]), []);
});

Deno.test("what is paid is a goal as well, and texts are no goal", () => {
  assert.deepEqual(PAID.filter((name) => !GOALS.includes(name)), []);
  assert(GOALS.includes("evaluation"));
  assert.deepEqual(WRITTEN.filter((name) => (GOALS as readonly string[]).includes(name)), []);
});

Deno.test("claims() shows at most two claims of those that pass, and null where none does", async () => {
  const view = await viewOfPost(
    "I run GRPO. The reward falls at step 10. The reward falls at step 20. The reward falls at step 30. Why?",
  );
  const steps = (test: Parameters<typeof claims>[1]) =>
    claims(each(PAID, ["falls"]), test)(view)?.map(({ train_step }) => train_step) ?? null;
  assert.deepEqual(steps(() => true), [10, 20]);
  assert.deepEqual(steps(({ from }) => from === 30), [30]);
  assert.equal(steps(() => false), null);
  assert.equal(claims(each(PAID, ["rises"]), () => true)(view), null);
});
