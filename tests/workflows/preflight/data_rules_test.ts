/** Rules on data: what they must speak of, and the look-alikes at which they are silent. */
import { testRules } from "./rule_cases.ts";

const NO_VALIDATION = { splits: { train: 0.8, validation: 0, held_out: 0.2 } };

testRules(["prompts", "reward_file", "splits"], [
  {
    rule: "prompts",
    what: "a prompt file that is not there",
    severity: "error",
    refuses: true,
    fires: { prompts: { file: "absent.jsonl" } },
    says: /absent\.jsonl/,
    at: "absent.jsonl",
    silent: { prompts: { file: "sums.jsonl", answer_column: "sum" } },
  },
  {
    rule: "prompts",
    what: "an answer column that is not there",
    severity: "error",
    refuses: true,
    fires: { prompts: { file: "sums.jsonl", answer_column: "summ" } },
    says: /it has no column "summ" \(option answer_column\); did you mean "sum"/,
    at: "summ",
    silent: { prompts: { file: "sums.jsonl", answer_column: "sum" } },
  },
  {
    rule: "reward_file",
    what: "a reward file that is not there",
    severity: "error",
    refuses: true,
    fires: { reward: "./absent.ts" },
    says: /there is no reward file \.\/absent\.ts/,
    at: "./absent.ts",
    silent: { reward: "./reward.ts" },
  },
  {
    rule: "splits",
    what: "an accuracy to stop at without validation prompts",
    severity: "error",
    refuses: true,
    fires: { prompts: NO_VALIDATION, tune: { max_updates: 3, until_accuracy: 0.5 } },
    says: /until_accuracy is measured on validation prompts and there are none/,
    at: "0.5",
    silent: { tune: { max_updates: 3, until_accuracy: 0.5 } },
  },
  {
    rule: "splits",
    what: "an evaluation of an empty split",
    severity: "error",
    refuses: true,
    fires: { prompts: NO_VALIDATION, evaluate: { split: "validation" } },
    says: /split "validation" has no prompts/,
    silent: { prompts: NO_VALIDATION, evaluate: { split: "held_out" } },
  },
]);
