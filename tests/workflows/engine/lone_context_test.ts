import assert from "node:assert/strict";
import { loneContext } from "../../../workflows/engine/lone_context.ts";

Deno.test("loneContext() has no rows and keeps none, and says what cannot be done in it", async () => {
  const context = loneContext({
    runId: "r",
    seed: 7,
    device: "cpu",
    backend: "ffi",
    threads: 1,
    deterministic: false,
    stepId: "load",
    folders: { project: "/p", workflow: "/w", run: "/r" },
  });
  context.write({ prompts: context.table("prompts") });
  context.emit({ event: "message", text: "heard by nobody" });
  await context.safePoint(1);
  assert.deepEqual([context.trainStep, context.table("metrics").numRows(), context.history("metrics", 9).numRows()], [
    0,
    0,
    0,
  ]);
  assert.throws(() => context.resource("policy"), /Cannot run step "load" alone: it needs resource "policy"/);
  assert.throws(() => context.advance(), /alone: it counts train steps/);
});
