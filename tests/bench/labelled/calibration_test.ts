/** The bins of stated probabilities. */
import assert from "node:assert/strict";
import { calibration } from "./calibration.ts";

Deno.test("calibration() counts a probability in the bin that it begins, certainty in the last", () => {
  const said = [[0.1, false], [0.5, true], [0.95, true], [1, false]] as const;
  const bins = calibration(said.map(([probability, isRight]) => ({ probability, isRight })));
  assert.deepEqual(bins.map(({ from, to, findings, right }) => [from, to, findings, right]), [
    [0, 0.5, 1, 0],
    [0.5, 0.7, 1, 1],
    [0.7, 0.85, 0, 0],
    [0.85, 0.95, 0, 0],
    [0.95, 1, 2, 1],
  ]);
  assert.deepEqual(bins.map(({ stated }) => stated), [0.1, 0.5, 0, 0, 0.975]);
});
