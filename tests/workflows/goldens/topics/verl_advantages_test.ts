import { verlAdvantages, verlWhitening } from "../../../../workflows/goldens/topics/verl_advantages.ts";
import { holds } from "../held.ts";

Deno.test("verl_advantages holds every case of verl's estimators and of its GAE, those of edge.json included", () =>
  holds(verlAdvantages, 127 + 24 + 63));

Deno.test("verl_whitening holds every case, and refuses one token and none", () => holds(verlWhitening, 8 + 2));
