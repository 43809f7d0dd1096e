import {
  openrlhfAdvantages,
  openrlhfNormalize,
  openrlhfReturns,
  openrlhfTokenRewards,
} from "../../../../workflows/goldens/topics/openrlhf_advantages.ts";
import { holds } from "../held.ts";

Deno.test("openrlhf_advantages holds every case, those of edge.json included", () =>
  holds(openrlhfAdvantages, 84 + 25));
Deno.test("openrlhf_token_rewards holds every case", () => holds(openrlhfTokenRewards, 30));
Deno.test("openrlhf_returns holds every case", () => holds(openrlhfReturns, 6));
Deno.test("openrlhf_normalize holds every case", () => holds(openrlhfNormalize, 3));
