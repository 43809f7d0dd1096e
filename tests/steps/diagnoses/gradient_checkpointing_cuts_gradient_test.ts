/** The rule gradient_checkpointing_cuts_gradient: its fault and its look-alikes. */
import { healthyBut, testRule } from "./synthetic.ts";

testRule("gradient_checkpointing_cuts_gradient", {
  fires: {
    "the error of backward": {
      messages: ["RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn"],
    },
  },
  silent: {
    "the warning alone": healthyBut({}, {
      messages: ["UserWarning: None of the inputs have requires_grad=True. Gradients will be None"],
    }),
  },
});
