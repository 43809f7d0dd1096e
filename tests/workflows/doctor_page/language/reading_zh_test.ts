import { READING_ZH } from "../../../../workflows/doctor_page/language/reading_zh.ts";
import { checkPlaces } from "./check_places.ts";

Deno.test("READING_ZH has every place of its English once, its numbers and names, and no sentence twice", () =>
  checkPlaces(READING_ZH));
