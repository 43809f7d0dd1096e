/** What preference training shows: margins, held-out courses and levels. */
import assert from "node:assert/strict";
import { course, errorOf } from "../../../../steps/diagnoses/view/course.ts";
import {
  heldOutCourse,
  heldOutTurn,
  latest,
  latestError,
  levelNear,
  marginCourse,
  marginsOf,
  pairsOf,
} from "../../../../steps/diagnoses/view/pairs.ts";
import { longPairs } from "../long_pairs.ts";
import { viewOf } from "../synthetic.ts";

Deno.test("marginsOf() takes the printed margin, else the difference of the rewards where both are there", () => {
  const columns = { chosen_reward: [1, 2, null], rejected_reward: [-1, null, 3] };
  assert.deepEqual(marginsOf(viewOf({ columns })), { name: "reward_margin", margins: [2, null, null] });
  const printed = viewOf({ columns: { ...columns, reward_margin: [5, 6, 7] } });
  assert.deepEqual(marginsOf(printed), { name: "reward_margin", margins: [5, 6, 7] });
});

Deno.test("courses of margins and of held-out columns are none below their least values", () => {
  const run = longPairs({ seed: 1 });
  assert.equal(marginCourse(viewOf(run))!.values.length, 300);
  assert.equal(marginCourse(viewOf(longPairs({ seed: 1, records: 15 }))), null);
  assert.equal(heldOutCourse(viewOf(run), "loss")!.values.length, 15);
  assert.equal(heldOutCourse(viewOf({ ...run, evaluations: { loss: [1, 2, 3, 4] } }), "loss"), null);
});

Deno.test("latest() is the mean of the last two levels, levelNear() of those around a train step", () => {
  const line = course("loss", Array.from({ length: 240 }, (_, i) => i))!,
    steps = line.records.map((record) => 10 * record);
  assert.equal(latest(line), (line.levels[22]!.value + line.levels[23]!.value) / 2);
  assert.equal(latest(line), 229.5);
  assert.equal(levelNear(line, steps, 1200), 119.5, "the four levels of the records 100 to 139");
  assert.equal(levelNear(line, steps, -5), 19.5);
  assert.equal(levelNear(line, steps, 1e9), line.end);
  const saw = course("loss", Array.from({ length: 24 }, (_, i) => i % 2))!;
  assert.equal(saw.width, 2);
  assert.equal(latestError(saw), errorOf(saw, 2));
  assert.equal(latestError({ ...line, noise: 1 }), Math.sqrt(1 / 4 + 1 / 2));
});

Deno.test("heldOutTurn() is where a held-out loss has left its best, beyond chance", () => {
  const of = (loss: number[], errors = 3) => heldOutTurn(viewOf({ evaluations: { loss } }), errors);
  const turned = of([0.9, 0.7, 0.6, 0.5, 0.6, 0.7, 0.8, 0.9])!;
  assert.equal(turned.rise, turned.held.end - turned.best.value);
  assert(turned.rise > 0.2 && turned.best.value < 0.6, JSON.stringify(turned));
  assert.equal(of([0.9, 0.8, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45]), null);
  assert.equal(of([0.5, 0.6, 0.5, 0.6, 0.5, 0.6, 0.5, 0.6]), null, "chance");
  assert.equal(of([0.5, 0.9]), null);
});

Deno.test("pairsOf() are those of a device's batch by the passes of an update; null where the batch is not told", () => {
  const of = (settings: Record<string, unknown>) =>
    pairsOf(viewOf({ algorithm: "dpo", settings, columns: { loss: [0.69] } }));
  assert.equal(of({}), null);
  assert.equal(of({ per_device_train_batch_size: 8 }), 8);
  assert.equal(of({ per_device_train_batch_size: 8, gradient_accumulation_steps: 4 }), 32);
});
