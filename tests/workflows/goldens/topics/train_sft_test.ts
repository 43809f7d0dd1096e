import { trainSft } from "../../../../workflows/goldens/topics/train_sft.ts";
import { holdsTorch } from "../held.ts";

Deno.test("train_sft holds every case of it", () => holdsTorch(trainSft, 4));
