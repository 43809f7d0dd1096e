import { trlGrpoLosses } from "../../../../workflows/goldens/topics/trl_grpo_losses.ts";
import { holds } from "../held.ts";

Deno.test("every loss of TRL's GRPO is that of its preset: value, gradient and metrics", async () => {
  await holds(trlGrpoLosses, 439);
});
