/** The truncated share from what a log prints. */
import assert from "node:assert/strict";
import { truncation } from "../../../../steps/diagnoses/view/truncation.ts";
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
