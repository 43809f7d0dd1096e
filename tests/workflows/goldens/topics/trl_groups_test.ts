import { trlGroups } from "../../../../workflows/goldens/topics/trl_groups.ts";
import { holds } from "../held.ts";

Deno.test("trl_groups refuses what TRL's configuration refuses", () => holds(trlGroups, 2));
