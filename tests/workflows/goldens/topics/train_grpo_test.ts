import { trainGrpo } from "../../../../workflows/goldens/topics/train_grpo.ts";
import { holdsTorch } from "../held.ts";

Deno.test("train_grpo holds every case of it", () => holdsTorch(trainGrpo, 26));
