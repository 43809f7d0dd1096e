/** The rule coordinates_mismatch: its fault and its look-alikes. */
import { group, testRule } from "./synthetic.ts";

testRule("coordinates_mismatch", {
  fires: {
    "Qwen2.5-VL on data normalised to 1000": {
      system: "visual-rft",
      settings: {
        model_name_or_path: "Qwen/Qwen2.5-VL-3B-Instruct",
        dataset_name: "ViRFT_COCO_base65",
        script: "src/open_r1/grpo.py",
      },
    },
    "boxes that differ by one factor": {
      completions: [1, 2, 3, 4].flatMap((i) =>
        group(`find ${i}`, [`[${10 * i}, 20, ${100 * i}, 200]`], [0], { answer: `[${25 * i}, 50, ${250 * i}, 500]` })
      ),
    },
  },
  silent: {
    "Qwen2-VL on the same data": {
      system: "visual-rft",
      settings: { model_name_or_path: "Qwen/Qwen2-VL-2B-Instruct", dataset_name: "ViRFT_COCO_base65" },
    },
    "boxes in the same pixels": {
      completions: [1, 2, 3, 4].flatMap((i) =>
        group(`find ${i}`, [`[${10 * i}, 20, ${100 * i}, 200]`], [0], { answer: `[${11 * i}, 22, ${103 * i}, 190]` })
      ),
    },
  },
});
