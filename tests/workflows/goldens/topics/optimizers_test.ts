import { optimizers } from "../../../../workflows/goldens/topics/optimizers.ts";
import { holdsTorch } from "../held.ts";

Deno.test("optimizers holds every case of it that there is an implementation of", () =>
  holdsTorch(optimizers, 7, ["adam_l2", "sgd", "sgd_momentum", "sgd_nesterov_decay"]));
