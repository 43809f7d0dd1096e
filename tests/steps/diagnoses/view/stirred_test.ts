/** When a policy of pairs counts as moved. */
import assert from "node:assert/strict";
import { stirOf } from "../../../../steps/diagnoses/view/stirred.ts";
import { flat, viewOf } from "../synthetic.ts";

const of = (reward: number, loss = Math.LN2, more = {}) =>
  stirOf(
    viewOf({
      algorithm: "dpo",
      columns: { chosen_reward: flat(reward), rejected_reward: flat(0), loss: flat(loss) },
      ...more,
    }),
  );

Deno.test("stirOf() sees a policy that moved by its rewards, in nats where beta is known, or by its loss", () => {
  assert.deepEqual(of(0.004), { moved: false, reward: 0.004 });
  assert.equal(of(-0.02)!.moved, true);
  assert.equal(of(0.004, Math.LN2, { settings: { beta: 0.01 } })!.moved, true, "0.4 nats");
  assert.equal(of(0.004, 0.71)!.moved, true, "of an even loss");
  assert.equal(of(0.004, Math.LN2, { decimals: { chosen_reward: 1, rejected_reward: 1 } }), null, "too coarse");
  assert.equal(stirOf(viewOf({ algorithm: "dpo", columns: { loss: flat(0.69) } })), null);
});
