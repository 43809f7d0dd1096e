import { schedules } from "../../../../workflows/goldens/topics/schedules.ts";
import { holdsTorch } from "../held.ts";

Deno.test("schedules holds every case of it that there is an implementation of", () =>
  holdsTorch(schedules, 30, [
    "cosine/8",
    "cosine/9",
    "cosine_with_restarts/10",
    "cosine_with_restarts/11",
    "cosine_with_min_lr/12",
    "cosine_with_min_lr/13",
    "cosine_with_min_lr/14",
    "cosine_with_min_lr/15",
    "polynomial/16",
    "polynomial/17",
    "polynomial/18",
    "polynomial/19",
    "inverse_sqrt/20",
    "inverse_sqrt/21",
    "inverse_sqrt/22",
    "inverse_sqrt/23",
    "warmup_stable_decay/24",
    "warmup_stable_decay/25",
    "warmup_stable_decay/26",
    "warmup_stable_decay/27",
    "warmup_stable_decay/28",
    "warmup_stable_decay/29",
  ]));
