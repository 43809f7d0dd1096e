import { visualRftRewards } from "../../../../workflows/goldens/topics/visual_rft_rewards.ts";
import { holds } from "../held.ts";

Deno.test("visual_rft_rewards holds every case of it, edges too", () => holds(visualRftRewards, 780));
