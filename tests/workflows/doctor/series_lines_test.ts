import assert from "node:assert/strict";
import { endsText, seriesLines } from "../../../workflows/doctor/series_lines.ts";

const PLAIN = { style: (text: string) => text, columns: 80 };
const trainSteps = Array.from({ length: 20 }, (_, i) => i + 1);
const reward = { name: "reward", trainSteps, values: trainSteps.map((step) => step / 20) };
const held = { name: "eval_rewards/exact_match/mean", trainSteps: [5, 10, 15, 20], values: [0.3, 0.4, 0.1, 0] };

Deno.test("seriesLines() are over the same train steps, with both ends and one mark for all", () => {
  const [first, second, mark] = seriesLines([reward, held], 5, PLAIN, {});
  assert.match(first!, /^ {2}reward {24}▁▁▁▂▂▃▃▃▄▄▅▅▆▆▆▇▇███ {2}0\.05 → 1$/);
  assert.match(second!, /^ {2}eval_rewards\/exact_match\/mean {5}▆ {4}█ {4}▃ {4}▁ {2}0\.3 → 0$/);
  assert.equal(mark, `${" ".repeat(36)}▲ train step 5`);
});

Deno.test("seriesLines() stay within the terminal: names lose their middle, a late mark has its train step before it", () => {
  const long = { ...held, name: "val-core/openai/gsm8k_with_a_long_name/reward/mean@1" };
  const lines = seriesLines([reward, long], 20, PLAIN, {});
  for (const line of lines) assert(line.length <= 80, line);
  assert.match(lines[1]!, /^ {2}val-core\/openai\/….*reward\/mean@1 /);
  assert.match(lines[2]!, /train step 20 ▲$/);
  assert.equal(lines[2]!.indexOf("▲"), lines[0]!.lastIndexOf("█"));
});

Deno.test("seriesLines() have no mark where no train step is known, and are none without a series", () => {
  assert.equal(seriesLines([reward], null, PLAIN, {}).length, 1);
  assert.equal(seriesLines([reward], 350, PLAIN, {}).length, 1, "the records are counted otherwise");
  assert.deepEqual(seriesLines([], 5, PLAIN, {}), []);
  const still = { name: "learning_rate", trainSteps, values: trainSteps.map(() => 0.004) };
  assert.deepEqual(seriesLines([still], 5, PLAIN, {}), [], "a constant has nothing to be drawn");
  assert.equal(seriesLines([still, reward], 5, PLAIN, {}).length, 2);
  assert.match(seriesLines([reward], 5, PLAIN, { counts: "records" }).at(-1)!, /▲ record 5$/);
});

Deno.test("endsText() leaves out what is absent", () => {
  assert.equal(endsText({ name: "reward", values: [null, 0.25, null, 1, null] }), "0.25 → 1");
});

Deno.test("endsText() gives times their unit", () => {
  assert.equal(endsText({ name: "step_ms", values: [48650, 226000] }), "48.6 s → 226 s");
  assert.equal(endsText({ name: "eval_step_time", column: "step_ms", values: [500, 1500] }), "500 ms → 1.5 s");
});

Deno.test("seriesLines() clean a name of what moves a terminal's cursor", () => {
  const name = "eval_\u001b]0;a title\u0007\u001b[2J_accuracy";
  const [line] = seriesLines([{ ...reward, name }], null, PLAIN, {});
  // deno-lint-ignore no-control-regex
  assert.doesNotMatch(line!, /[\u0000-\u001f]/);
  assert.match(line!, /a title.+▁.+█/);
});
