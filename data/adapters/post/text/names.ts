/** The system and the algorithm that a post is about, by the words that name them; the earlier they stand, the surer. @module */
import type { Intake } from "../../intake/intake.ts";
import type { AlgorithmName } from "../../run/imported_run.ts";
import type { SystemName } from "../../../systems.ts";

/** What people call a system, where the marks of its log are not that. */
const SYSTEM_WORDS: readonly (readonly [SystemName, RegExp])[] = [
  ["visual-rft", /\bvisual-?rft\b/i],
  ["vlm-r1", /\bvlm-?r1\b/i],
  ["r1-v-family", /\br1-v\b|\bvideo-r1\b|open-r1-multimodal/i],
  ["ms-swift", /\bms-?swift\b|(?<![A-Za-z])swift (?:rlhf|sft|grpo|dpo|kto)\b|modelscope.{0,20}swift/i],
  ["llamafactory", /\bllama-?factory\b/i],
  ["unsloth", /\bunsloth\b/i],
  ["openrlhf", /\bopen-?rlhf\b/i],
  ["nemo-rl", /\bnemo-?(?:rl|aligner)\b/i],
  ["deepspeed-chat", /\bdeepspeed-?chat\b|step3_rlhf/i],
  ["torchforge", /\btorchforge\b/i],
  ["mlx", /\bmlx(?:-lm)?(?:-lora)?\b/i],
  ["verl", /(?<![A-Za-z])verl(?![A-Za-z])|\bvolcengine\b/i],
  ["trl", /(?<![A-Za-z])trl(?![A-Za-z])|\b(?:GRPO|DPO|KTO|SFT|PPO|RLOO|ORPO|CPO|Reward)(?:Trainer|Config)\b/i],
];
const ALGORITHM_WORDS: readonly (readonly [AlgorithmName, RegExp])[] = [
  [
    "grpo",
    /(?<![A-Za-z])(?:gr?po|gspo|dapo|dr\.? ?grpo|gdpo|grpotrainer|cispo|sapo|rlvr)(?![A-Za-z])|GRPO(?:Trainer|Config)/i,
  ],
  ["rloo", /(?<![A-Za-z])rloo(?![A-Za-z])|RLOOTrainer/i],
  ["kto", /(?<![A-Za-z])kto(?![A-Za-z])|KTOTrainer/i],
  ["dpo", /(?<![A-Za-z])(?:dpo|simpo|orpo|cpo|ipo)(?![A-Za-z])|(?:DPO|ORPO|CPO)(?:Trainer|Config)/i],
  // verl calls metrics, options and its program so whatever it trains by: `actor/ppo_kl`, `main_ppo`.
  ["ppo", /(?<![A-Za-z_]|\w[/.])(?:ppo|rlhf)(?![A-Za-z]|_\w)|PPOTrainer/i],
  ["reinforce", /(?<![A-Za-z])reinforce(?:\+\+|_plus_plus)?(?![A-Za-z])/i],
  [
    "sft",
    /(?<![A-Za-z])(?:sft|fine-?tun\w*|lora|qlora|instruction tuning)(?![A-Za-z])|SFTTrainer|微调|ファインチューニング|파인튜닝|미세\s?조정/i,
  ],
];
/** Rows of two texts, and no sampling: to the rules it is a supervised run, whatever the model is for afterwards. */
const REWARD_MODEL =
  /RewardTrainer|(?:^|[^\w])(?:reward model(?:l?ing)?|RM) (?:training|trainer|stage|run)|^\W*reward model\s*:|train(?:ing|ed)? (?:a|the|my|our|this|that) reward model|reward[_ ]model (?:eval\w*|accuracy|loss|finetuning)|训练(?:奖励|RM|reward)\s?模型|奖励模型(?:的)?(?:训练|.{0,6}收敛)|報酬モデルの(?:学習|訓練)|보상\s?모델(?:을|를)?\s?학습|Reward-?Modell? trainier\w*|обуча\w+ (?:модель наград\w*|reward-?модель)/i;
/** Weights of a mention, of one that can be of nothing else (a stage that others follow counts half), and of one aside. */
const NAMED = 1, NAMED_FOR_SURE = 1.9, ASIDE = 0.5;
/** Words of a run that comes first, of data, or of what is compared: "SFT checkpoint", "after SFT". */
const BEFORE = /(?:after|then|先|之后|经过|从|from (?:an? )?|my |the )\s*$/i;

/** Projects that train on rewards alone. */
const ON_REWARDS =
  /(?<![A-Za-z])(?:deepscaler|deepcoder|skyrl|rllm|prime-rl|areal|open-?reasoner-?zero|simplerl(?:-?zoo)?|tinyzero|logic-rl|search-r1|ragen)(?![A-Za-z])/i;
/** Systems that train by nothing else. */
const GRPO_ALONE: ReadonlySet<SystemName> = new Set<SystemName>(["visual-rft", "vlm-r1", "r1-v-family"]);
const LOOKED_AT = 2000, NEAR = 24; // Characters of a line, and before a name.

/** What names a line of the author holds. */
export function readNames(intake: Intake, line: string): void {
  const text = line.slice(0, LOOKED_AT);
  for (const [system, words] of SYSTEM_WORDS) {
    if (!words.test(text)) continue;
    intake.mark(system, text.trim());
    if (GRPO_ALONE.has(system)) intake.speak("grpo", ASIDE);
  }
  for (const [name, words] of ALGORITHM_WORDS) {
    const found = words.exec(text);
    if (found === null) continue;
    const isStage = name === "sft" &&
      (BEFORE.test(text.slice(Math.max(0, found.index - NEAR), found.index)) ||
        /^\s*(?:checkpoint|model|stage|阶段|模型|之后|后)/i.test(text.slice(found.index + found[0].length)));
    intake.speak(name, isStage ? ASIDE : NAMED);
  }
  if (ON_REWARDS.test(text)) intake.speak("grpo", ASIDE);
  if (REWARD_MODEL.test(text)) intake.speak("sft", NAMED_FOR_SURE);
}
