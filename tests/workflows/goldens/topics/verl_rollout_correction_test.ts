import { verlRolloutCorrection } from "../../../../workflows/goldens/topics/verl_rollout_correction.ts";
import { holds } from "../held.ts";

Deno.test("verl_rollout_correction holds every case, those that raise too", () => holds(verlRolloutCorrection, 118));
