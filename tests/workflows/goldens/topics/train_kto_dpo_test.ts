import { trainKtoDpo } from "../../../../workflows/goldens/topics/train_kto_dpo.ts";
import { holdsTorch } from "../held.ts";

Deno.test("KTO, its vanilla form and DPO on a model: loss, gradients and metrics of TRL, 9 cases", async () => {
  await holdsTorch(trainKtoDpo, 9);
});
