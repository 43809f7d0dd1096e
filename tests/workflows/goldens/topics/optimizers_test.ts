import { optimizers } from "../../../../workflows/goldens/topics/optimizers.ts";
import { holdsTorch } from "../held.ts";

Deno.test("optimizers holds every case of it", () => holdsTorch(optimizers, 7));
