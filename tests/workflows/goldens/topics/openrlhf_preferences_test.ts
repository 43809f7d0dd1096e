import { openrlhfPreferences } from "../../../../workflows/goldens/topics/openrlhf_preferences.ts";
import { holds } from "../held.ts";

Deno.test("dpo, kto and kto_vanilla are OpenRLHF's: 18 cases of pairs, 57 of labels and 2 of edge", async () => {
  await holds(openrlhfPreferences, 77);
});
