import { sampling } from "../../../../workflows/goldens/topics/sampling.ts";
import { holdsTorch } from "../held.ts";

Deno.test("sampling holds every case of it", () => holdsTorch(sampling, 35));
