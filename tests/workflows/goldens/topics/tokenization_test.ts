import { tokenization } from "../../../../workflows/goldens/topics/tokenization.ts";
import { holdsTorch } from "../held.ts";

Deno.test("tokenization holds every case of it", () => holdsTorch(tokenization, 91));
