/** The rule coordinates_mismatch: its fault and its look-alikes. */
import assert from "node:assert/strict";
import { DIAGNOSES } from "../../../steps/diagnoses/mod.ts";
import { group, testRule, viewOf } from "./synthetic.ts";

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
    "Qwen2.5-VL on classes, started from a folder virft": {
      system: "visual-rft",
      settings: {
        model_name_or_path: "Qwen/Qwen2.5-VL-7B-Instruct",
        dataset_name: "oxford_flowers/base_train",
        script: "/app/src/virft/src/open_r1/grpo_classification.py",
      },
    },
    "Qwen2.5-VL on Visual-RFT's classes": {
      system: "visual-rft",
      settings: { model_name_or_path: "Qwen/Qwen2.5-VL-7B-Instruct", dataset_name: "ViRFT_CLS_flower_4_shot" },
    },
    "Qwen2.5-VL on data of its own, started from a folder virft": {
      system: "visual-rft",
      settings: {
        model_name_or_path: "Qwen/Qwen2.5-VL-7B-Instruct",
        dataset_name: "./boxes_in_pixels",
        script: "/app/src/virft/src/open_r1/grpo.py",
      },
    },
    "boxes in the same pixels": {
      completions: [1, 2, 3, 4].flatMap((i) =>
        group(`find ${i}`, [`[${10 * i}, 20, ${100 * i}, 200]`], [0], { answer: `[${11 * i}, 22, ${103 * i}, 190]` })
      ),
    },
  },
});

Deno.test("coordinates_mismatch cites the lines that name the model and the data, not their variables", () => {
  const found = DIAGNOSES.coordinates_mismatch.check(viewOf({
    system: "visual-rft",
    settings: {
      CKPT: "Qwen2.5-VL-3B-Instruct",
      DATA: "ViRFT_COCO_base65",
      model_name_or_path: "${CKPT}",
      dataset_name: "${DATA}",
    },
  }));
  assert(found !== null && "evidence" in found);
  assert.deepEqual(found.evidence.map(({ value }) => value), ["Qwen2.5-VL-3B-Instruct", "ViRFT_COCO_base65"]);
});
