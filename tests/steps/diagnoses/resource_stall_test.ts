/** The rule resource_stall: its fault and its look-alikes. */
import { flat, healthyBut, ramp, testRule } from "./synthetic.ts";

testRule("resource_stall", {
  fires: {
    "steps that take five times as long": healthyBut({
      step_ms: [9000, ...ramp(1000, 1000, 14), ...ramp(5000, 5200, 15)],
    }),
    "a full disk": { messages: ["OSError: [Errno 28] No space left on device"] },
  },
  silent: {
    "milliseconds that a busy machine stretches": healthyBut({ step_ms: [...flat(43, 15), ...flat(174, 15)] }),
    "a slow first step": healthyBut({ step_ms: [60_000, ...ramp(1000, 1100, 29)] }),
    "longer completions": healthyBut({ step_ms: ramp(1000, 6000), completion_length: ramp(100, 900) }),
  },
});
