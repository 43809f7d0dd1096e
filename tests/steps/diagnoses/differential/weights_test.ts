/** The weights of evidence: their signs and their order, whatever the fit says. */
import assert from "node:assert/strict";
import { WEIGHTS } from "../../../../steps/diagnoses/differential/weights.ts";

Deno.test("a more severe finding weighs no less, and an alarm more than what is not known", () => {
  const { fatal, error, warning, info, nothing } = WEIGHTS;
  assert.ok(fatal >= error && error >= warning && warning > nothing && info <= nothing);
});

Deno.test("what explains weighs for, what follows, comes later or is in doubt against", () => {
  assert.ok(WEIGHTS.first > 0 && WEIGHTS.explains > 0);
  assert.ok(WEIGHTS.follows < 0 && WEIGHTS.later < 0 && WEIGHTS.doubt < 0);
});
