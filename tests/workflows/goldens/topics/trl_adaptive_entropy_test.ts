import { trlAdaptiveEntropy } from "../../../../workflows/goldens/topics/trl_adaptive_entropy.ts";
import { holds } from "../held.ts";

Deno.test("trl_adaptive_entropy holds every case, step after step", () => holds(trlAdaptiveEntropy, 3));
