import { klControllers } from "../../../../workflows/goldens/topics/kl_controllers.ts";
import { holds } from "../held.ts";

Deno.test("kl_controllers hold every case of verl and OpenRLHF", () => holds(klControllers, 34));
