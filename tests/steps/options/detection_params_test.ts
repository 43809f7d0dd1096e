import assert from "node:assert/strict";
import { detection } from "../../../steps/options/detection_params.ts";

const problems = (given: unknown) =>
  (detection.safeParse(given).error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);

Deno.test("detection takes its options, with none absent and thousandths where nothing says it", () => {
  assert.deepEqual(detection.parse({}), { negatives: 0, box_unit: "thousandths" });
  assert.equal(detection.parse(undefined), undefined);
  assert.deepEqual(problems({ categories: ["a"], held_out_categories: ["b"], frequency: ["r"], negatives: 3 }), []);
});

for (
  const [given, problem] of [
    [{ categories: [] }, /categories/],
    [{ categories: "dog" }, /categories/],
    [{ frequency: ["x"] }, /frequency/],
    [{ held_out_frequency: [] }, /held_out_frequency/],
    [{ negatives: -1 }, /negatives/],
    [{ negatives: 0.5 }, /negatives/],
    [{ box_unit: "shares" }, /box_unit/],
    [{ prompt_template: "Where is it?" }, /prompt_template: it has no \{category\}/],
    [{ classes: ["dog"] }, /classes/],
  ] as const
) {
  Deno.test(`detection refuses ${JSON.stringify(given)}`, () => assert.match(problems(given)[0] ?? "", problem));
}
