/** The first record that is not finite. */
import assert from "node:assert/strict";
import { firstNonFinite, locatedNonFinite } from "../../../../steps/diagnoses/view/non_finite.ts";
import { viewOf } from "../synthetic.ts";

Deno.test("firstNonFinite() finds the first record, what vanished there and what was finite before", () => {
  const first = firstNonFinite(
    viewOf({ columns: { grad_norm: [1, 2, NaN, NaN], entropy: [0.3, 0.2, null, null], loss: [0.1, 0.1, 0, 0] } }),
  );
  assert.deepEqual(first, {
    record: 2,
    columns: ["grad_norm"],
    vanished: ["entropy"],
    finiteBefore: 2,
    count: 2,
    excerpt: false,
    infinite: false,
  });
});

Deno.test("firstNonFinite() leaves a NaN in the KL alone and knows infinities and excerpts", () => {
  assert.equal(firstNonFinite(viewOf({ columns: { kl: [NaN], loss: [1] } })), null);
  assert.equal(firstNonFinite(viewOf({ columns: { loss: [1, Infinity] } }))?.infinite, true);
  assert.equal(firstNonFinite(viewOf({ steps: [83], columns: { grad_norm: [NaN] } }))?.excerpt, true);
  assert.equal(firstNonFinite(viewOf({ own: true, columns: { non_finite: [0, 3], grad_norm: [1, 1] } }))?.record, 1);
});

Deno.test("locatedNonFinite() reads the replay of our own runs only", () => {
  const messages = ["weight model.layers.0 is not finite"];
  const located = (own: boolean) => {
    const view = viewOf({ own, messages });
    Object.assign(view.messages[0]!, { kind: "non_finite" });
    return locatedNonFinite(view);
  };
  assert.equal(located(true)?.isWeight, true);
  assert.equal(located(false), null);
});
