/** The rule fp16_overflow: its fault and its look-alikes. */
import { flat, healthyBut, testRule } from "./synthetic.ts";

testRule("fp16_overflow", {
  fires: {
    "overflow at loss scale 1": {
      messages: Array(4).fill("[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 1, reducing to 1"),
    },
    "the scaler's own word": {
      messages: ["Exception: Current loss scale already at minimum - cannot decrease scale anymore. Exiting run."],
    },
  },
  silent: {
    "a scale of 1 all along, as bf16 prints it": healthyBut({ loss_scale: flat(1) }),
    "a falling scale at the start": healthyBut({}, {
      messages: [
        "OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 4294967296, reducing to 2147483648",
        "OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 2147483648, reducing to 1073741824",
      ],
    }),
  },
});
