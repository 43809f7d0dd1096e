import { FOUND_UPDATES_ZH } from "../../../../workflows/doctor_page/language/found_updates_zh.ts";
import { checkPlaces } from "./check_places.ts";

Deno.test("FOUND_UPDATES_ZH has every place of its English once, its numbers and names, and no sentence twice", () =>
  checkPlaces(FOUND_UPDATES_ZH));
