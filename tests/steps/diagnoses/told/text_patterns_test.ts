/** Each cause of what is sampled is named from a post that shows it, and not from its twin. */
import { TEXT_PATTERNS } from "../../../../steps/diagnoses/told/text_patterns.ts";
import { type Pairs, testPatterns } from "./diagnosed.ts";

const POSTS: Pairs = {
  greedy_sampling: [
    [
      "I run GRPO with temperature=0.01. All completions of a group are identical. Why?",
      "I run GRPO with temperature=1.0. The completions of a group differ. Is this right?",
    ],
    [
      "GRPO 训练，每组的回答完全一样，优势全是 0，loss 一直是 0，请问为什么？",
      "GRPO 训练，每组的回答各不相同，loss 一直是 0，请问正常吗？",
    ],
  ],
  garbled_generation: [
    [
      "I run GRPO with vLLM. The outputs are gibberish from the very first step, before any update. Why?",
      "I run GRPO with vLLM. The outputs are gibberish after 300 steps. The loss is NaN. Why?",
    ],
    [
      "GRPO: the completions are gibberish and the reward is always 0. Why?",
      "GRPO: the completions are gibberish and the KL explodes. Why?",
    ],
  ],
  old_logprob_nan: [
    [
      "GRPO: the outputs are only exclamation marks and the KL is NaN. Why?",
      "GRPO: the outputs are short and the reward is NaN. Why?",
    ],
    [
      "GRPO : les log-probs sont NaN. La KL est NaN aussi. Pourquoi ?",
      "GRPO : les log-probs sont stables. La KL est 0.01. Pourquoi ?",
    ],
    [
      "GRPO 训练几步之后，模型输出全是感叹号，请问为什么？",
      "GRPO 训练几步之后，模型输出很短，请问为什么？",
    ],
  ],
  repeated_token_degeneration: [[
    "I do SFT with LLaMA-Factory. The loss falls, and the completions repeat the same sentence over and over. Why?",
    "I do SFT, the completions repeat the same sentence. I forgot the chat template at inference. Why?",
  ], [
    "Ich trainiere mit GRPO. Das Modell schreibt in einer Endlosschleife, es wiederholt immer denselben Satz. Warum?",
    "GRPO: the completions of a group are identical, and they repeat the same phrase over and over. Why?",
  ]],
  mode_collapse: [[
    "GRPO: the model gives the same answer for every prompt. Why?",
    "GRPO: the model gives the same answer for every prompt, only exclamation marks. Why?",
  ]],
  truncated_completions: [[
    "GRPO: all completions are cut off at the length limit and the reward is always 0. Why?",
    "GRPO: all completions are cut off at the length limit, the reward is always 0 and the KL explodes. Why?",
  ]],
};

testPatterns("TEXT_PATTERNS", TEXT_PATTERNS, POSTS);
