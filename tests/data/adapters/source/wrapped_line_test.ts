import assert from "node:assert/strict";
import { WrappedLine } from "../../../../data/adapters/source/wrapped_line.ts";
import { column, readText } from "../read_text.ts";

const RECORD = (step: number) =>
  `step:${step} - actor/pg_loss:0.0123${step} - actor/entropy:0.32${step} - critic/score/mean:0.5${step} - ` +
  `actor/grad_norm:1.25${step} - response_length/mean:256.5 - actor/lr:0.00000${step}`;

const wrap = (text: string, width: number) =>
  text.split("\n").flatMap((line) => line.match(new RegExp(`.{1,${width}}`, "g")) ?? [""]).join("\n");

Deno.test("WrappedLine joins what a window of any width has cut, within names and numbers", async () => {
  const log = `starting\nstep:0 - val-core/openai/gsm8k/reward/mean@4:0.258 - val-aux/n:5\n${RECORD(1)}\n${
      RECORD(2)
    }\n\nTraining Progress: 2/3\n${RECORD(3)}\n`,
    whole = await readText(log);
  for (let width = 60; width < RECORD(1).length; width++) {
    const run = await readText(wrap(log, width));
    assert.deepEqual(run.metrics.train_step, [1, 2, 3], `width ${width}`);
    for (const name of ["policy_loss", "entropy", "reward", "grad_norm", "completion_length", "learning_rate"]) {
      assert.deepEqual(column(run, name), column(whole, name), `${name} at width ${width}`);
    }
    assert.deepEqual([...run.unmapped.keys()], [...whole.unmapped.keys()], `width ${width}`);
  }
});

Deno.test("WrappedLine keeps no line back once lines turn out to be whole", () => {
  const lines = new WrappedLine(),
    text = RECORD(1),
    line = (text: string, number: number) => ({ text, number, ended: true });
  for (let i = 0; i < 3; i++) {
    assert.equal(lines.keep(line(text, i)), true, "the first may be wrapped");
    assert.equal(lines.join(line("saving model to out/", i)), null);
    assert.equal(lines.take()?.text, text);
  }
  assert.equal(lines.keep(line(RECORD(2), 3)), false);
  assert.equal(lines.keep(line(`${RECORD(3)} - a:1`, 4)), true, "a longer one may be wrapped all the same");
});

Deno.test("WrappedLine keeps no line that the file's end may have cut", () => {
  assert.equal(new WrappedLine().keep({ text: RECORD(1), number: 1, ended: false }), false);
});
