import assert from "node:assert/strict";
import { optionsIn } from "../../../workflows/run/step_options.ts";

Deno.test("optionsIn() has the options of every step, in blocks too, with parameters answered", () => {
  const text = "params: { t: 0.7 }\nsteps:\n  - { uses: a, with: { x: 1 } }\n  - repeat: 2\n    steps:\n" +
    '      - { uses: b, with: { y: "${{ params.t }}" } }\n  - { uses: c }\n';
  assert.deepEqual(optionsIn(text), [{ x: 1 }, { y: 0.7 }, {}]);
  for (const none of ["", "steps: 3", "steps: [", "[1]"]) assert.deepEqual(optionsIn(none), [], none);
});
