/** The rule no_supervised_tokens: its fault and its look-alikes. */
import { flat, ramp, testRule } from "./synthetic.ts";

testRule("no_supervised_tokens", {
  fires: {
    "a data set that is empty after the cut": {
      algorithm: "sft",
      messages: ["ValueError: num_samples should be a positive integer value, but got num_samples=0"],
    },
    "loss 0 and token accuracy 0 at a finite entropy": {
      algorithm: "sft",
      columns: { loss: flat(0), grad_norm: flat(0), token_accuracy: flat(0), entropy: ramp(2, 2) },
    },
    "a response key that is not found, with the NaN that follows": {
      algorithm: "sft",
      messages: ["UserWarning: Could not find response key `### Response:` in the following instance"],
      columns: { loss: flat(0), grad_norm: flat(NaN), token_accuracy: flat(0) },
    },
  },
  silent: {
    "NaN weights": {
      algorithm: "sft",
      columns: { loss: flat(0), grad_norm: flat(NaN), token_accuracy: flat(0), entropy: flat(NaN) },
    },
    "a loss that falls to 0": {
      algorithm: "sft",
      columns: { loss: [...ramp(1, 0, 20, 0), ...flat(0, 10)], grad_norm: ramp(1, 0.01), token_accuracy: ramp(0.5, 1) },
    },
  },
});
