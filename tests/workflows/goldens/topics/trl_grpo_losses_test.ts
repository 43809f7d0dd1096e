import assert from "node:assert/strict";
import { trlGrpoLosses } from "../../../../workflows/goldens/topics/trl_grpo_losses.ts";
import { verdictsOf } from "../held.ts";

Deno.test("trl_grpo_losses evaluates loss and gradient before its metrics are compared", async () => {
  const verdicts = await verdictsOf(trlGrpoLosses);
  const plain = verdicts.filter(({ name }) => /^(?:grpo|dr_grpo)\/token\//.test(name));
  assert(plain.length > 10);
  for (const { name, failure } of plain) assert.match(failure ?? "metrics", /^metrics/, name);
});
