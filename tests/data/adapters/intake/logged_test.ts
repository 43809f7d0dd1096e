import assert from "node:assert/strict";
import { Intake } from "../../../../data/adapters/intake/intake.ts";
import { LoggedCalls } from "../../../../data/adapters/intake/logged.ts";
import { finish } from "../../../../data/adapters/run/finish.ts";
import { column, shown } from "../read_text.ts";

Deno.test("LoggedCalls takes the trainer's step, of the call before where one logs none, else the count of calls", () => {
  const read = (calls: readonly Record<string, unknown>[]) => {
    const intake = new Intake(), logged = new LoggedCalls(intake);
    intake.openSource("a", "wandb", 0);
    calls.forEach((call, i) => logged.take(Object.entries(call).map(([key, value]) => ({ key, value })), i, i + 1));
    return finish("a", intake).map(shown);
  };
  const own = read([{ loss: 1, global_step: 10 }, { entropy: 2, _step: 99 }, { loss: 3, global_step: 20 }, {
    text: "x",
  }]);
  assert.equal(own.length, 1, "the count of calls is smaller than the step: that is no restart");
  assert.deepEqual(own[0]!.metrics.train_step, [10, 20]);
  assert.deepEqual([column(own[0]!, "loss"), column(own[0]!, "entropy")], [[1, 3], [2, null]]);
  assert.deepEqual(read([{ loss: 1 }, { loss: 2 }])[0]!.metrics.train_step, [0, 1]);
});
