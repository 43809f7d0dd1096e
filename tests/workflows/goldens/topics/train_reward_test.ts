import { trainReward } from "../../../../workflows/goldens/topics/train_reward.ts";
import { holdsTorch } from "../held.ts";

Deno.test("a reward model has TRL's scores, loss, metrics and gradients: plain, with margins, centred, with both", async () => {
  await holdsTorch(trainReward, 4);
});
