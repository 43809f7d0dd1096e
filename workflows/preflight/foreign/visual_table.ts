/** The rules on launch scripts of Visual-RFT, VLM-R1 and R1-V, as entries of the table. @module */
import type { RunRule } from "./rule.ts";
import { VISUAL_CHECKS } from "./visual_rules.ts";

const ALL = ["visual-rft", "vlm-r1", "r1-v-family"] as const;

export const VISUAL_RULES = {
  greedy_model_folder: {
    systems: ALL,
    severity: "error",
    about: "The model's folder on this machine has a temperature near 0, which this trainer does not overrule.",
    change: "generation_config.json of the folder, or --use_vllm",
    source: "Liuziyu77/Visual-RFT#122, trl#5783",
    run: VISUAL_CHECKS.greedy_model_folder,
  },
  script_of_other_rewards: {
    systems: ["visual-rft"],
    severity: "error",
    about: "The entry script's rewards are for another task than the data, or it is not there.",
    change: "the script: grpo.py, grpo_classification.py, grpo_lisa.py",
    source: "Visual-RFT, src/virft/src/open_r1, 94866331",
    run: VISUAL_CHECKS.script_of_other_rewards,
  },
  rewards_not_read: {
    systems: ["visual-rft"],
    severity: "warning",
    about: "Rewards by --reward_funcs, which none of its scripts reads.",
    change: "the list in the script",
    source: "Visual-RFT, grpo.py, main",
    run: VISUAL_CHECKS.rewards_not_read,
  },
  image_beyond_prompt: {
    systems: ["visual-rft", "r1-v-family"],
    severity: "error",
    about: "An image's tokens are more than the prompt may have, or vLLM takes.",
    change: "--max_pixels, --max_prompt_length, --max_completion_length",
    source: "Visual-RFT, grpo_trainer.py; TRL 0.14",
    run: VISUAL_CHECKS.image_beyond_prompt,
  },
  images_of_other_prompts: {
    systems: ["visual-rft"],
    severity: "error",
    about: "More than one prompt on a device: completions get the images of others.",
    change: "--per_device_train_batch_size",
    source: "Visual-RFT, grpo_trainer.py, compute_loss",
    run: VISUAL_CHECKS.images_of_other_prompts,
  },
  flash_attention_of_images: {
    systems: ALL,
    severity: "error",
    about: "Flash attention in full precision, or on prompts padded on the right.",
    change: "--bf16, --attn_implementation, padding_side",
    source: "Visual-RFT, R1-V and VLM-R1, grpo_trainer.py, __init__",
    run: VISUAL_CHECKS.flash_attention_of_images,
  },
  debug_without_path: {
    systems: ALL,
    severity: "error",
    about: "DEBUG_MODE without LOG_PATH: the first reward stops the run.",
    change: "LOG_PATH",
    source: "Visual-RFT, grpo.py, accuracy_reward_iou",
    run: VISUAL_CHECKS.debug_without_path,
  },
  groups_over_devices: {
    systems: ["vlm-r1"],
    severity: "error",
    about: "A group that the completions of all devices do not divide.",
    change: "--num_generations",
    source: "VLM-R1, grpo_trainer.py, __init__",
    run: VISUAL_CHECKS.groups_over_devices,
  },
  images_in_fp16: {
    systems: ALL,
    severity: "warning",
    about: "float16 for Qwen2-VL, whose activations overflow it.",
    change: "--bf16, --torch_dtype",
    source: "Qwen2-VL, model card: bfloat16",
    run: VISUAL_CHECKS.images_in_fp16,
  },
} as const satisfies Record<keyof typeof VISUAL_CHECKS, RunRule>;
