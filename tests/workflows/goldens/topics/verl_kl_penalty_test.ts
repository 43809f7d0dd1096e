import { verlKlPenalty } from "../../../../workflows/goldens/topics/verl_kl_penalty.ts";
import { holds } from "../held.ts";

Deno.test("verl_kl_penalty holds every case of KL in the reward, fixed and adaptive", () => holds(verlKlPenalty, 30));
