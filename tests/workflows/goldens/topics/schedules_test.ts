import { schedules } from "../../../../workflows/goldens/topics/schedules.ts";
import { holdsTorch } from "../held.ts";

Deno.test("schedules holds every case of it", () => holdsTorch(schedules, 30));
