import { opo } from "../../../steps/advantages/opo.ts";
import { assertClose } from "./golden_cases.ts";

Deno.test("opo.advantages() weighs the group's mean by length", () => {
  const batch = { rewards: [1, 0, null, 5, 5], groups: [0, 0, 0, 1, 1], lengths: [1, 3, 9, 2, 4] };
  assertClose(opo.advantages({ group_of_one: "refuse" }, batch), [0.75, -0.25, 0, 0, 0], "hand");
});
