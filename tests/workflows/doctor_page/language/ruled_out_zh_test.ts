import { RULED_OUT_ZH } from "../../../../workflows/doctor_page/language/ruled_out_zh.ts";
import { checkPlaces } from "./check_places.ts";

Deno.test("RULED_OUT_ZH has every place of its English once, its numbers and names, and no sentence twice", () =>
  checkPlaces(RULED_OUT_ZH));
