import assert from "node:assert/strict";
import { CommaNumbers } from "../../../../data/adapters/source/comma_numbers.ts";

Deno.test("CommaNumbers reads decimals and thousands as the table writes them", () => {
  const semicolons = new CommaNumbers(";");
  assert.deepEqual(["0,62", "-1,5e-6", "1.200,5", "1,200", "x", "1,2,3"].map((text) => semicolons.read(text)), [
    0.62,
    -1.5e-6,
    1200.5,
    1.2,
    null,
    null,
  ]);
  const quoted = new CommaNumbers(",");
  quoted.look(["1,200", "run"]);
  assert.deepEqual(["1,200", "0,62"].map((text) => quoted.read(text)), [1200, null]);
  quoted.look(["1,200", "0,62"]);
  assert.deepEqual(["1,200", "0,62"].map((text) => quoted.read(text)), [1.2, 0.62]);
});
