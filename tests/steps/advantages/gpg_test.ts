import { gpg } from "../../../steps/advantages/gpg.ts";
import { assertClose } from "./golden_cases.ts";

Deno.test("gpg.advantages() is louder where few rewards are not 0, among those that are scored", () => {
  const batch = { rewards: [1, 0, null, 0, 0], groups: [0, 0, 0, 1, 1], lengths: [] };
  assertClose(gpg.advantages({ f_norm: 2, group_of_one: "refuse" }, batch), [1, -1, 0, 0, 0], "4 / 1 · ±0.5 / 2");
  assertClose(gpg.advantages({ f_norm: 1, group_of_one: "refuse" }, { ...batch, rewards: [0, 0, 0, 0, 0] }), [
    0,
    0,
    0,
    0,
    0,
  ], "");
});
