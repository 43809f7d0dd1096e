/** The rule irreproducible_step: its fault and its look-alikes. */
import { HEALTHY, healthyBut, testRule } from "./synthetic.ts";

testRule("irreproducible_step", {
  fires: {
    "a replay that differs": {
      own: true,
      columns: HEALTHY.columns,
      messages: ["replay of train step 12 differs bitwise"],
    },
  },
  silent: {
    "the same words in a foreign log": healthyBut({}, { messages: ["replay of train step 12 differs bitwise"] }),
  },
});
