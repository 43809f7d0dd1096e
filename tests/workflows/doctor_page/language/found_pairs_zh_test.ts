import { FOUND_PAIRS_ZH } from "../../../../workflows/doctor_page/language/found_pairs_zh.ts";
import { checkPlaces } from "./check_places.ts";

Deno.test("FOUND_PAIRS_ZH has every place of its English once, its numbers and names, and no sentence twice", () =>
  checkPlaces(FOUND_PAIRS_ZH));
