import assert from "node:assert/strict";
import { REWARDS } from "../../../steps/rewards/mod.ts";
import { METHOD_DIFFERENCES } from "../../../workflows/cli/method_differences.ts";

Deno.test("every difference has a name of its own, what the systems do and what is done here", () => {
  assert(METHOD_DIFFERENCES.length > 20);
  assert.equal(new Set(METHOD_DIFFERENCES.map(({ name }) => name)).size, METHOD_DIFFERENCES.length);
  for (const { name, systems, ours } of METHOD_DIFFERENCES) assert(name && systems && ours, name);
  const { ours } = METHOD_DIFFERENCES.at(-1)!;
  for (const [, reward] of ours.matchAll(/`((?:detection|class|box)_\w+)`/g)) {
    assert(Object.hasOwn(REWARDS, reward!), reward);
  }
});
