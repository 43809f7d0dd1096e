/** The rule reward_task_mismatch: its fault and its look-alikes. */
import { testRule } from "./synthetic.ts";

testRule("reward_task_mismatch", {
  fires: {
    "detection data with the classification script": {
      system: "visual-rft",
      settings: { dataset_name: "laolao77/ViRFT_COCO_base65", script: "src/open_r1/grpo_classification.py" },
    },
    "sums scored by boxes": { settings: { dataset_name: "openai/gsm8k", reward_funcs: "accuracy_iou" } },
  },
  silent: {
    "detection data with the detection script": {
      system: "visual-rft",
      settings: { dataset_name: "laolao77/ViRFT_COCO_base65", script: "src/open_r1/grpo.py" },
    },
    "pictures with another repository's open_r1/grpo.py": {
      settings: { dataset_name: "imagenet_subset", script: "src/open_r1/grpo.py" },
    },
    "grounding data with an IoU reward": { settings: { dataset_name: "refcoco_lisa", reward_funcs: "iou_reward" } },
  },
});
