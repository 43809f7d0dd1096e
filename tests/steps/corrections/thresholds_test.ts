import assert from "node:assert/strict";
import { parseRejection, parseWeightThreshold } from "../../../steps/corrections/thresholds.ts";

Deno.test("parseWeightThreshold() reads verl's numbers and texts", () => {
  assert.deepEqual(parseWeightThreshold(2), [null, 2]);
  assert.deepEqual(parseWeightThreshold("1.5"), [null, 1.5]);
  assert.deepEqual(parseWeightThreshold("0.5_2.0"), [0.5, 2]);
  assert.throws(() => parseWeightThreshold(true), TypeError);
  for (const wrong of ["abc", "", 0, -1, "2_1", "0_2", "a_2"]) {
    assert.throws(() => parseWeightThreshold(wrong), RangeError, String(wrong));
  }
});

Deno.test("parseRejection() reads criteria with one threshold for all or one each, doubles once", () => {
  assert.deepEqual(parseRejection("token_k1, seq_mean_k3", "0.9_1.1,0.05"), [
    ["token_k1", [0.9, 1.1]],
    ["seq_mean_k3", 0.05],
  ]);
  assert.deepEqual(parseRejection("seq_sum_k2,seq_max_k3", 0.3).map(([, most]) => most), [0.3, 0.3]);
  assert.deepEqual(parseRejection("token_k1", 2), [["token_k1", [0.5, 2]]]);
  assert.equal(parseRejection("token_k1,token_k1", "0.9_1.1").length, 1);
});

Deno.test("parseRejection() names what it cannot use", () => {
  assert.throws(() => parseRejection("token_k4", 1.1), /Cannot reject by "token_k4": want one of token_k1, /);
  assert.throws(() => parseRejection("seq_max_k1", 1.1), /Cannot reject by "seq_max_k1"/);
  assert.throws(() => parseRejection("token_k1", undefined), /rollout_rs_threshold is missing/);
  assert.throws(() => parseRejection("token_k3", "0.1_0.2"), /it is "0.1_0.2", want one upper bound/);
  assert.throws(() => parseRejection("token_k1,token_k2,token_k3", "1.1,0.1"), /it has 2 thresholds, want 1 or 3/);
  assert.throws(() => parseRejection("", 1), /it is empty/);
});
