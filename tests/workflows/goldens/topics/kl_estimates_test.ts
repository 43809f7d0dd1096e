import { klEstimates } from "../../../../workflows/goldens/topics/kl_estimates.ts";
import { holds } from "../held.ts";

Deno.test("every KL estimate of verl and OpenRLHF is that of our preset: value and gradient, at 40 nats too", async () => {
  await holds(klEstimates, 115);
});
