import assert from "node:assert/strict";
import { askedCategories } from "../../../../data/datasets/detection/asked_categories.ts";
import type { DetectionOptions } from "../../../../data/datasets/detection/detection_options.ts";

const plain = ["dog", "cat", "bus"].map((name, id) => ({ id, name, frequency: null, synonyms: [] }));
const lvis = plain.map((one, i) => ({
  ...one,
  frequency: (["r", "c", "f"] as const)[i]!,
  synonyms: [`other ${one.name}`],
}));

const asked = (options: DetectionOptions, of: typeof lvis | typeof plain = lvis) =>
  [...askedCategories(of, options)].map(([at, kind]) => `${of[at]!.name} ${kind}`).join(", ");

for (
  const [options, wanted] of [
    [{}, "dog base, cat base, bus base"],
    [{ categories: ["bus", "dog"] }, "dog base, bus base"],
    [{ categories: ["bus"], held_out_categories: ["dog"] }, "dog novel, bus base"],
    [{ held_out_categories: ["dog"] }, "dog novel, cat base, bus base"],
    [{ categories: ["bus", "dog"], held_out_categories: ["dog"] }, "dog novel, bus base"],
    [{ frequency: ["c", "f"] }, "cat base, bus base"],
    [{ frequency: ["c"], categories: ["cat", "bus"] }, "cat base"],
    [{ held_out_frequency: ["r"] }, "dog novel, cat base, bus base"],
    [{ frequency: ["f"], held_out_frequency: ["r"] }, "dog novel, bus base"],
    [{ categories: ["bus"], held_out_frequency: ["r"] }, "bus base"],
    [{ frequency: ["f"], held_out_categories: ["dog"] }, "dog novel, bus base"],
  ] as const
) {
  Deno.test(`askedCategories() of ${JSON.stringify(options)}`, () => assert.equal(asked(options), wanted));
}

Deno.test("askedCategories() names what the file does not have", () => {
  const refused = (options: DetectionOptions, problem: RegExp, of: typeof lvis | typeof plain = lvis) =>
    assert.throws(() => asked(options, of), problem);
  refused({ categories: ["dgo"] }, /no category "dgo" \(option detection.categories\).*"dog"/);
  refused({ held_out_categories: ["other cat"] }, /detection.held_out_categories\); it calls it "cat"/);
  refused({ frequency: ["r"] }, /its categories have no frequency/, plain);
  refused({ held_out_frequency: ["r"] }, /its categories have no frequency/, plain);
  const long = [{ id: 1, name: "x".repeat(5e6), frequency: null, synonyms: ["y"] }];
  for (const name of ["z", "y", "x".repeat(5e6 - 1)]) {
    refused({ categories: [name] }, /^RangeError: (?=.{1,500}$).*it has no category/, long as unknown as typeof plain);
  }
  refused({ categories: ["dog"], frequency: ["f"] }, /none of its 3 categories is asked/);
});
