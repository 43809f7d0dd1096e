import assert from "node:assert/strict";
import { isMeasured } from "../../../../data/adapters/intake/measured.ts";
import { Stage } from "../../../../data/adapters/intake/stage.ts";
import { recordsOf } from "../post/read_post.ts";
import { Intake } from "../../../../data/adapters/intake/intake.ts";
import { LogReader } from "../../../../data/adapters/text/log_reader.ts";

Deno.test("isMeasured() wants fewer metrics where there is a train step, and no option", () => {
  const stage = new Stage();
  const put = (...names: string[]) => {
    stage.reset();
    for (const name of names) stage.put(name, 0.5);
    return stage;
  };
  assert(isMeasured(put("reward"), true));
  assert(!isMeasured(put("reward", "kl"), false));
  assert(isMeasured(put("reward", "kl", "entropy"), false));
  assert(!isMeasured(put("reward", "kl", "entropy"), false, "weights"));
  assert(!isMeasured(put("lr", "epoch"), true));
  assert(!isMeasured(put("reward", "temperature"), true));
});

for (
  const [text, isRecord] of [
    ['{"step": 10, "reward": 0.62, "kl": 0.01, "entropy": 1.2}', true],
    ["{'global_step': 10, 'kl': 0.01}", true],
    ["{'reward': 0.62, 'kl': 0.01, 'entropy': 1.2}", true],
    ["step 10: {'reward': 0.62}", true],
    ["{'reward': 0.62, 'kl': 0.01}", false],
    ["{'step': 10, 'lr': 1e-6}", false],
    ["{'step': 10, 'reward': 1.0, 'completion': 'The answer is 4.'}", false],
    ["loss_weights = {'reward': 1.0, 'kl': 0.01, 'entropy': 0.1}", false],
  ] as const
) {
  Deno.test(`a log ${isRecord ? "takes" : "does not take"} ${text} for a record without a loss`, () => {
    const intake = new Intake();
    intake.openSource("a.log", "console", 1);
    const reader = new LogReader(intake, "log");
    for (let number = 1; number <= 3; number++) reader.take({ text, number, ended: true });
    reader.end();
    assert.equal(recordsOf(intake).length > 0, isRecord);
  });
}
