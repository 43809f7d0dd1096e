import { trlVllm } from "../../../../workflows/goldens/topics/trl_vllm.ts";
import { holds } from "../held.ts";

Deno.test("trl_vllm holds every case, of the mask of truncated completions too", () => holds(trlVllm, 77));
