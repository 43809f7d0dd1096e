/** The rule on answers that rewards read: what it must speak of, and the look-alikes at which it is silent. */
import { testRules } from "./rule_cases.ts";

const NUMBERS = { file: "pictures.jsonl", verifier: "exact", image_column: [] };
const BOXES = { file: "boxes.jsonl", verifier: "none" };

testRules(["answers"], [
  {
    rule: "answers",
    what: "numbers for a reward of boxes",
    severity: "error",
    refuses: true,
    fires: { prompts: NUMBERS, reward: "visual/iou" },
    says:
      /^reward "visual\/iou" cannot read the answer "\d+" of prompt "Which \d+\?" \(and \d+ more\): it has no boxes, want/,
    at: "visual/iou",
    silent: { prompts: BOXES, reward: "visual/iou" },
  },
  {
    rule: "answers",
    what: "numbers for a reward of one box, whose form of Visual-RFT reads everything",
    severity: "error",
    refuses: true,
    fires: { prompts: NUMBERS, reward: "visual/grounding" },
    says: /^reward "visual\/grounding" cannot read/,
    silent: { prompts: NUMBERS, reward: "visual/grounding, with: { compat: true }" },
  },
  {
    rule: "answers",
    what: "numbers for the reward of an evaluation",
    severity: "error",
    refuses: true,
    fires: { prompts: NUMBERS, evaluate: { split: "held_out", rewards: [{ uses: "visual/confidence" }] } },
    says: /^reward "visual\/confidence" cannot read/,
    at: '"visual/confidence"',
    silent: { prompts: BOXES, evaluate: { split: "held_out", rewards: [{ uses: "visual/confidence" }] } },
  },
  {
    rule: "answers",
    what: "boxes where class names are compared",
    severity: "warning",
    fires: { prompts: BOXES, reward: "visual/classification" },
    says:
      /^(\d+) of \1 answers for reward "visual\/classification" are boxes, where class names are wanted; .*"\[1, 2, 3, \d+\]"/,
    at: "visual/classification",
    silent: { prompts: NUMBERS, reward: "visual/classification" },
  },
]);
