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
    "the same of an estimator that nobody knows by its name": {
      own: true,
      algorithm: "mine",
      columns: HEALTHY.columns,
      settings: { compares_groups: true, sums_to_zero: true },
      completions: group("a", ["x", "y"], [1, 0], { advantage: 0.7 }),
    },
    "a better completion with less, of an estimator whose groups do not sum to 0": {
      own: true,
      algorithm: "mine",
      columns: HEALTHY.columns,
      settings: { compares_groups: true, sums_to_zero: false },
      completions: group("a", ["x", "y"], [1, 0]).map((row, i) => ({ ...row, advantage: i ? 0.9 : 0.2 })),
    },
  },
  silent: {
    "an estimator whose groups do not sum to 0": {
      own: true,
      algorithm: "mine",
      columns: HEALTHY.columns,
      settings: { compares_groups: true, sums_to_zero: false },
      completions: group("a", ["x", "y"], [1, 0]).map((row, i) => ({ ...row, advantage: i ? 0.2 : 0.9 })),
    },
    "a better completion with less, of an estimator that adds rewards up after it normalised each": {
      own: true,
      algorithm: "mine",
      columns: HEALTHY.columns,
      settings: { compares_groups: true, sums_to_zero: false, follows_rewards: false },
      completions: group("a", ["x", "y"], [1, 0]).map((row, i) => ({ ...row, advantage: i ? 0.9 : 0.2 })),
    },
    "a group whose advantages cancel": {
      own: true,
      columns: HEALTHY.columns,
      completions: group("a", ["x", "y"], [1, 0]).map((row, i) => ({ ...row, advantage: i ? -0.7 : 0.7 })),
    },
  },
});
