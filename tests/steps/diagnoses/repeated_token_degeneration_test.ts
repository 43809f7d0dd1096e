/** The rule repeated_token_degeneration: its fault and its look-alikes. */
import { flat, group, ramp, testRule } from "./synthetic.ts";

testRule("repeated_token_degeneration", {
  fires: {
    "one tag over and over": {
      columns: { reward: ramp(0.2, 0.3), loss: ramp(0.1, 0.2) },
      completions: group("7+8=", Array(8).fill("<think>".repeat(16)), flat(0, 8)).map((row, i) => ({
        ...row,
        text: `${i}${row.text}`,
      })),
    },
  },
  silent: {
    "ordinary prose": {
      completions: group(
        "why?",
        Array(8).fill("Because the sky scatters short waves more than long ones, as Rayleigh found in 1871."),
        flat(0, 8),
      ),
    },
    "a short run of one digit": { completions: group("1111111*9=", Array(8).fill("9999999"), flat(1, 8)) },
  },
});
