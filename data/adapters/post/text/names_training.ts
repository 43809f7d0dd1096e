/** Whether a text is about the training of a model: a novel speaks of a loss, a reward and an answer as well. @module */
import { expression, has } from "../words/match.ts";

/** Words that nobody uses of anything else. */
const WORDS =
  "-100|(?:response|chat|prompt)[ _]template|GPUs?|CUDA|LLMs?|VLMs?|MLLMs?|RLHF|RLVR|RFT|(?:q?lora)|fine-?tun\\w*|epochs?|batch[ _-]?sizes?|Batch-?größe|taille de (?:batch|lot)|tamaño de (?:batch|lote)|tamanho d[eo] (?:batch|lote)|train[_-]?loss|loss[ _](?:curves?|spikes?)|[AH]100|H200|V100|RTX ?\\d{4}|(?:llama|qwen|mistral|gemma|chatglm|internlm|deepseek|bert|gpt|phi|t5)-?\\d*(?:\\.\\d+)?|checkpoints?|hugging ?face|pytorch|torch|transformers|tokeni[sz]ers?|tokens?|learning[ _]rates?|grad(?:ient)?s?|grad(?:ient)?[_ -]?norms?|gnorm|Gradienten?\\w*|KL|entropy|log[-_ ]?probs?|logits?|rollouts?|completions?|data ?sets?|hyper-?param\\w*|NaNs?|(?:eval(?:uation)?|validation|train(?:ing)?|policy|value)[ _](?:loss|set|accuracy|steps?|runs?|scripts?|rewards?)|(?:format|accuracy|correctness|iou|mean|group|binary)[ _]rewards?|reward (?:models?|functions?|std|curves?|hacking)|vllm|sglang|deepspeed|fsdp|bf16|fp16|float16|reinforcement learning|(?:my|our) (?:models?|training|runs?)|the model (?:has|had|is|was|does|did|outputs?|generates?|memori[sz]\\w+|learn\\w*|forgets?|repeats?)|\\d+B|entraîn\\w+|apprentissage|modèles?|entrena\\w*|modelos?|aprendizaje|treina\\w*|aprendizado|trainier\\w*|Modells?|обуч\\w+|pass@\\d+|(?:response|completion)_length|(?:clip|clipped)_ratio|reward_std|test ?sets?|dev ?sets?|jeu de (?:validation|test)|en validaci[oó]n|na validaç[aã]o|Testgenauigkeit|Validierungs\\w+|на (?:валидации|отложенн\\w+)|градиент\\w*|модел\\w+|нейросет\\w+";
const SIGNS =
  "训练|验证集|测试集|检证|検証(?:データ|セット|正解率)|검증\\s?(?:세트|셋|데이터|정확도)|模型|梯度|学习率|显存|微调|强化学习|奖励函数|权重|学習率|学習し|学習が|モデル|勾配|ファインチューニング|강화\\s?학습|학습|모델|파인튜닝";
const NAMED = expression(WORDS, SIGNS);

/** True of a line that names what only training has. */
export const namesTraining = (text: string): boolean => has(NAMED, text);
