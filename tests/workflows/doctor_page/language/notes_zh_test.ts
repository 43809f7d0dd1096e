import { NOTES_ZH } from "../../../../workflows/doctor_page/language/notes_zh.ts";
import { checkPlaces } from "./check_places.ts";

Deno.test("NOTES_ZH has every place of its English once, its numbers and names, and no sentence twice", () =>
  checkPlaces(NOTES_ZH));
