/** Which causes are taken for each other. */
import assert from "node:assert/strict";
import { areLookAlikes } from "../../../../steps/diagnoses/differential/look_alikes.ts";

Deno.test("areLookAlikes() holds both ways, of causes that a rule tells apart", () => {
  assert(areLookAlikes("entropy_collapse", "greedy_sampling"));
  assert(areLookAlikes("greedy_sampling", "entropy_collapse"));
  assert(areLookAlikes("constant_reward", "greedy_sampling") && areLookAlikes("greedy_sampling", "constant_reward"));
  assert(!areLookAlikes("entropy_collapse", "kto_single_class"));
  assert(!areLookAlikes("entropy_collapse", "nothing_we_know"));
});
