import assert from "node:assert/strict";
import { withPoint } from "../../data/with_point.ts";

Deno.test("withPoint() writes a number with a point and a signed exponent, where PyYAML takes it for text", () => {
  assert.equal(withPoint("1e-6"), "1.0e-6");
  assert.equal(withPoint("-2E5"), "-2.0e+5");
  assert.equal(withPoint("1.5e3"), "1.5e+3");
  for (const written of ["1.0e-6", "0.001", "10", "one", "1e", ""]) assert.equal(withPoint(written), null);
});
