import { trlKto } from "../../../../workflows/goldens/topics/trl_kto.ts";
import { holds } from "../held.ts";

Deno.test("kto is TRL's: loss, gradient and metrics, 66 cases and 3 of edge", async () => {
  await holds(trlKto, 69);
});
