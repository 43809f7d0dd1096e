import { openrlhfKlLoss, openrlhfPolicyLoss } from "../../../../workflows/goldens/topics/openrlhf_policy_loss.ts";
import { holds } from "../held.ts";

Deno.test("OpenRLHF's ppo and gspo are those of their presets, with every correction and at the edges", async () => {
  await holds(openrlhfPolicyLoss, 108);
});

Deno.test("OpenRLHF's KL loss is that of its preset", async () => {
  await holds(openrlhfKlLoss, 18);
});
