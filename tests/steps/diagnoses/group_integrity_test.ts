/** The rule group_integrity: its fault and its look-alikes. */
import { group, HEALTHY, testRule } from "./synthetic.ts";

testRule("group_integrity", {
  fires: {
    "two prompts in one group": {
      own: true,
      columns: HEALTHY.columns,
      completions: [...group("a", ["x", "y"], [1, 0], { promptId: 4 }), ...group("b", ["z"], [1], { promptId: 4 })],
    },
    "advantages that do not sum to 0": {
      own: true,
      columns: HEALTHY.columns,
      completions: group("a", ["x", "y"], [1, 0], { advantage: 0.7 }),
    },
  },
  silent: {
    "a group whose advantages cancel": {
      own: true,
      columns: HEALTHY.columns,
      completions: group("a", ["x", "y"], [1, 0]).map((row, i) => ({ ...row, advantage: i ? -0.7 : 0.7 })),
    },
  },
});
