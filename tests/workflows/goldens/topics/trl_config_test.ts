import { trlConfig } from "../../../../workflows/goldens/topics/trl_config.ts";
import { holds } from "../held.ts";

Deno.test("trl_config takes the file that TRL takes, and says that its loss is not here", () => holds(trlConfig, 1));
