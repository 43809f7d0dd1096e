/** The rule on units of boxes: what it must speak of, and the look-alikes at which it is silent. */
import assert from "node:assert/strict";
import { preflight } from "../../../workflows/preflight/preflight.ts";
import { testRules } from "./rule_cases.ts";
import { type Settings, smallPlan, withFiles } from "./small_plans.ts";

const BOXES = { file: "thousandths.jsonl", verifier: "none" };
const made = (to: string) => ({ ...BOXES, box_unit: { from: "thousandths", to } });

testRules(["box_units"], [
  {
    rule: "box_units",
    what: "answers that load_prompts converts and a reward reads in another unit",
    severity: "error",
    fires: { prompts: made("thousandths"), reward: "visual/iou, with: { answer_unit: pixels }" },
    says:
      /^load_prompts writes boxes of answers in thousandths \(box_unit\.to\), and reward "visual\/iou" of score_rewards takes them to be in pixels; set answer_unit: thousandths of the reward, or box_unit\.to: pixels of load_prompts$/,
    at: "pixels",
    silent: { prompts: made("thousandths"), reward: "visual/iou, with: { box_unit: pixels }" },
  },
  {
    rule: "box_units",
    what: "answers in pixels with completions converted from pixels to the default",
    severity: "error",
    fires: { prompts: made("pixels"), reward: "visual/giou, with: { box_unit: pixels }" },
    says: /writes boxes of answers in pixels .* takes them to be in thousandths; set answer_unit: pixels/,
    at: "visual/giou",
    silent: { prompts: made("pixels"), reward: "visual/giou, with: { box_unit: pixels, answer_unit: pixels }" },
  },
  {
    rule: "box_units",
    what: "answers that detection writes in another unit",
    severity: "error",
    fires: {
      prompts: { ...BOXES, detection: { negatives: 0 } },
      reward: "visual/iou, with: { answer_unit: pixels, box_unit: pixels }",
    },
    says: /in thousandths \(detection\.box_unit\).* or detection\.box_unit: pixels of load_prompts$/,
    silent: { prompts: { ...BOXES, detection: { negatives: 0 } }, reward: "visual/iou" },
  },
  {
    rule: "box_units",
    what: "two rewards that read the same answers in two units",
    severity: "error",
    fires: {
      prompts: BOXES,
      reward: "visual/iou, with: { answer_unit: pixels } }, { uses: visual/giou, with: { box_unit: pixels }",
    },
    says:
      /^reward "visual\/giou" of score_rewards takes .* thousandths, and reward "visual\/iou" .* in pixels; give both/,
    silent: { prompts: BOXES, reward: "visual/iou, with: { box_unit: pixels } }, { uses: visual/giou" },
  },
  {
    rule: "box_units",
    what: "boxes that are beyond their images in the unit that a reward reads",
    severity: "warning",
    fires: { prompts: BOXES, reward: "visual/iou, with: { answer_unit: pixels, box_unit: pixels }" },
    says:
      /^reward "visual\/iou" takes boxes of answers to be in pixels, and 60 of 60 answers cannot be: box \[0, 0, \d+, 1000\] is not within its image \(1 × 1 pixels\); set/,
    silent: { prompts: BOXES, reward: "visual/iou" },
  },
]);

Deno.test("preflight() says nothing of units where Visual-RFT's own form or words are scored", () =>
  withFiles(async (folder) => {
    const silent: Settings[] = [
      { prompts: made("pixels"), reward: "visual/iou, with: { compat: true }" },
      { prompts: made("pixels"), reward: "visual/iou" },
      { prompts: made("pixels"), reward: "./reward.ts, with: { answer_unit: thousandths }" },
      { prompts: { file: "pictures.jsonl" }, reward: "visual/iou, with: { answer_unit: pixels }" },
    ];
    for (const settings of silent) {
      const found = await preflight(smallPlan(settings, folder));
      assert.deepEqual(found.filter(({ rule }) => rule === "box_units").map(({ message }) => message), []);
    }
  }));
