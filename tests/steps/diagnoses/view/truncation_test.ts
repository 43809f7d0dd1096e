/** The truncated share from what a log prints. */
import assert from "node:assert/strict";
import { capOf, truncation } from "../../../../steps/diagnoses/view/truncation.ts";
import { flat, group, viewOf } from "../synthetic.ts";

Deno.test("truncation() reads the share, equal lengths, the cap, or the completions", () => {
  assert.equal(truncation(viewOf({ columns: { truncated_fraction: [0.2, 0.9, 1] } }))?.median, 0.9);
  const equal = {
    completion_length: flat(64, 3),
    completion_length_min: flat(64, 3),
    completion_length_max: flat(64, 3),
  };
  assert.equal(truncation(viewOf({ columns: equal }))?.median, 1);
  assert.equal(
    truncation(viewOf({ columns: { completion_length: [255, 256] }, settings: { max_completion_length: 256 } }))
      ?.median,
    1,
  );
  assert.equal(
    truncation(viewOf({ columns: { completion_length: [150, 200] }, settings: { max_completion_length: 256 } }))
      ?.median,
    0,
  );
  assert.equal(truncation(viewOf({ columns: { completion_length: [255, 256] } })), null);
  const completions = group("a", ["x", "y", "z", "w"], flat(0, 4)).map((row, i) => ({ ...row, truncated: i > 0 }));
  assert.equal(truncation(viewOf({ completions }))?.median, 0.75);
});

Deno.test("capOf() is the longest completion of every record with cut ones, where it is one", () => {
  const of = (truncated_fraction: number[], completion_length_max: number[]) =>
    capOf(viewOf({ columns: { truncated_fraction, completion_length_max } }));
  assert.equal(of([0, 0.1, 0.2, 0.3], [700, 1024, 1024, 1024]), 1024);
  assert.equal(of([0, 0.1, 0.2, 0.3], [700, 1024, 1024, 1000]), null, "no cap is two lengths");
  assert.equal(of([0, 0, 0.2, 0.3], [1024, 1024, 1024, 1024]), null, "too few");
});
