import { trlRlooLoss } from "../../../../workflows/goldens/topics/trl_rloo_loss.ts";
import { holds } from "../held.ts";

Deno.test("TRL's loss of RLOO is that of its preset: one summed ratio per completion", async () => {
  await holds(trlRlooLoss, 12);
});
