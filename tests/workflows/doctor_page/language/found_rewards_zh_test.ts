import { FOUND_REWARDS_ZH } from "../../../../workflows/doctor_page/language/found_rewards_zh.ts";
import { checkPlaces } from "./check_places.ts";

Deno.test("FOUND_REWARDS_ZH has every place of its English once, its numbers and names, and no sentence twice", () =>
  checkPlaces(FOUND_REWARDS_ZH));
