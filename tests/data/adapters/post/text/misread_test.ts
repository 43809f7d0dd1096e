import assert from "node:assert/strict";
import { mendedWords } from "../../../../../data/adapters/post/text/misread.ts";

for (
  const [misread, meant] of [
    ["the comp1etions are trunc4ted", "the completions are trunc4ted"],
    ["al1 gr0ups are identica1", "al1 groups are identica1"],
    ["The m0del co11apses", "The model co11apses"],
    ["grad_ norm is 0", "grad_norm is 0"],
    ["frac_reward_ zero_std = 1", "frac_reward_zero_std = 1"],
    ["completions/ mean_length is 20", "completions/mean_length is 20"],
    ["the loss/ reward curves", "the loss/ reward curves"],
    ["_only_ here", "_only_ here"],
    ["r1zero and f1score, t0pp, layer1x, fp16, step1", "r1zero and f1score, t0pp, layer1x, fp16, step1"],
    ["num_gen=co1d path/to1d k1nd", "num_gen=co1d path/to1d k1nd"],
  ] as const
) Deno.test(`mendedWords() reads "${misread}"`, () => assert.equal(mendedWords(misread), meant));
