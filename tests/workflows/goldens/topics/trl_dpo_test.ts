import { trlDpo } from "../../../../workflows/goldens/topics/trl_dpo.ts";
import { holds } from "../held.ts";

Deno.test("dpo is TRL's: loss, gradients and metrics of every loss_type, 217 cases and 30 of edge", async () => {
  await holds(trlDpo, 247);
});
