import { trainPreferences } from "../../../../workflows/goldens/topics/train_preferences.ts";
import { holdsTorch } from "../held.ts";

Deno.test("KTO, its vanilla form and DPO on a model: loss, gradients and metrics of TRL, 9 cases", async () => {
  await holdsTorch(trainPreferences, 9);
});
