import { valueLoss } from "../../../../workflows/goldens/topics/value_loss.ts";
import { holds } from "../held.ts";

Deno.test("value_loss is verl's and OpenRLHF's: loss, gradient and clip fraction, 60 and 12 cases", async () => {
  await holds(valueLoss, 72);
});
