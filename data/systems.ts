/** The systems whose logs and configurations we read, the one whose mark decides before others' first. @module */

interface System {
  /** What a line of its log holds and no other system's. */
  readonly marks: readonly string[];
  /** The system whose options it takes over, with its own in addition. */
  readonly descendsFrom?: "trl";
  /** Its trainer hands transformers a temperature of 1, whatever it is told, and nothing else: the model's folder has the say. */
  readonly samplesAsFolder?: true;
  /** Methods that it does not train by, of those that logs are told apart by. */
  readonly lacks?: readonly string[];
}

const BUT_GRPO = ["sft", "dpo", "kto", "ppo", "rloo", "reinforce"] as const;

export const SYSTEMS = {
  nonzero: { marks: [] },
  torchforge: { marks: ["torchforge", "grpo_loss/"] },
  "nemo-rl": { marks: ["nemo_rl", "NeMo-RL"] },
  mlx: { marks: ["mlx_lm", "mlx-lm"] },
  "deepspeed-chat": { marks: ["DeepSpeed-Chat", "step3_rlhf_finetuning"] },
  "ms-swift": {
    marks: ["swift rlhf", "swift/llm", "[INFO:swift]", "--rlhf_type", "train_speed("],
    descendsFrom: "trl",
  },
  unsloth: { marks: ["Unsloth", "unsloth"], descendsFrom: "trl" },
  llamafactory: { marks: ["llamafactory", "LLaMA-Factory", "src/train_bash.py"], descendsFrom: "trl" },
  "visual-rft": { marks: ["virft", "ViRFT"], descendsFrom: "trl", samplesAsFolder: true, lacks: BUT_GRPO },
  "vlm-r1": { marks: ["VLM-R1", "open-r1-multimodal"], descendsFrom: "trl", samplesAsFolder: true, lacks: BUT_GRPO },
  "r1-v-family": { marks: ["r1-v", "R1-V"], descendsFrom: "trl", samplesAsFolder: true, lacks: BUT_GRPO },
  openrlhf: { marks: ["openrlhf"] },
  verl: { marks: ["verl.trainer", "(TaskRunner pid=", "(main_task pid="], lacks: ["dpo", "kto"] },
  trl: { marks: [] },
} as const satisfies Record<string, System>;

export type SystemName = keyof typeof SYSTEMS;

/** The same, in that order. */
export const SYSTEM_LIST = Object.entries(SYSTEMS) as [SystemName, System][];

/** True if sampling options of a system's command line do nothing where transformers generates. */
export function samplesAsFolder(system: string | null): boolean {
  const entry: System | undefined = system === null
    ? undefined
    : Object.entries(SYSTEMS).find(([name]) => name === system)?.[1];
  return entry?.samplesAsFolder === true;
}

/** True if a system trains by a method, as far as that is known. */
export function trainsBy(system: SystemName, method: string): boolean {
  const entry: System = SYSTEMS[system];
  return entry.lacks?.includes(method) !== true;
}
