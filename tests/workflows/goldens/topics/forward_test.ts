import { forward } from "../../../../workflows/goldens/topics/forward.ts";
import { holdsTorch } from "../held.ts";

Deno.test("forward holds every case of it", () => holdsTorch(forward, 29));
