/** The rule no_trainable_parameters: its fault and its look-alikes. */
import { healthyBut, testRule } from "./synthetic.ts";

testRule("no_trainable_parameters", {
  fires: {
    "a printed count of 0": { messages: ["trainable params: 0 || all params: 7,655,986,688 || trainable%: 0.0000"] },
    "target modules that match nothing": {
      messages: ["ValueError: Target modules {'qkv'} not found in the base model."],
    },
    "an adapter that is frozen": healthyBut({}, {
      own: true,
      settings: { parameters: 1_000_000, adapter_parameters: 20_000, trainable_parameters: 0 },
    }),
  },
  silent: {
    "an adapter of rank 1 on a large model, all of which trains": healthyBut({}, {
      own: true,
      settings: { parameters: 494_000_000, adapter_parameters: 135_000, trainable_parameters: 135_000 },
    }),
    "a small adapter": healthyBut({}, {
      messages: ["trainable params: 1,024 || all params: 7,655,986,688 || trainable%: 0.00001"],
    }),
    "a count that begins with 0 after a point": healthyBut({}, { messages: ["Number of trainable parameters = 0.5M"] }),
  },
});
