import assert from "node:assert/strict";
import { trlAdvantages } from "../../../../workflows/goldens/topics/trl_advantages.ts";
import { verdictsOf } from "../held.ts";

Deno.test("trl_advantages holds every case of one reward", async () => {
  const verdicts = await verdictsOf(trlAdvantages);
  const single = verdicts.filter(({ name }) =>
    /^sum_then_normalize\/(?:group|none)\/(?:one_reward|binary|constant_group)/.test(name)
  );
  assert(single.length > 20);
  for (const { name, failure } of single) assert.equal(failure, null, name);
});
