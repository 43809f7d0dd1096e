import { trainSft } from "../../../../workflows/goldens/topics/train_sft.ts";
import { holdsTorch } from "../held.ts";

Deno.test("train_sft holds every case of it that there is an implementation of", () =>
  holdsTorch(trainSft, 4, ["lora_completion_only"]));
