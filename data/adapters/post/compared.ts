/**
 * Two runs in one paragraph: "With lr 1e-3 the loss becomes NaN. With lr 1e-6 the reward rises."
 *
 * Where one goes well and the other does not, nothing says which of them is asked about: neither is taken for the run. @module */

const WITH = "(?:with|using|at|for|on|in|under|mit|bei|unter|avec|sous|con|en|com|no|на|с|при|в|用|在)";
/** "GRPO: …" before the first of them. */
const LEAD = "(?:[^:：]{1,24}[:：]\\s*)?";
/** What a sentence opens with: an option and its value, a model, a system and its version. */
const OPENERS: readonly RegExp[] = [
  new RegExp(
    `^\\s*${LEAD}(?:${WITH}\\s*)?(?:an? |the |einer |une? )?(?<name>lr|learning[ _]rate|学习率|学習率|학습률|Lernrate|beta|β|kl_coef|temperature|top_p|num_generations|batch[ _]size|seed|epsilon|max_grad_norm|G)\\s*(?:=|:|of|von|de|是|为|が|을|를)?\\s*(?<value>[-+]?\\d[\\d.,]*(?:e[-+]?\\d+)?)(?![\\d])`,
    "iu",
  ),
  new RegExp(
    `^\\s*${LEAD}(?:${WITH}\\s*)?(?:the )?(?<value>(?:Qwen|Llama|Gemma|Mistral|Phi|SmolLM|DeepSeek|InternVL|Yi|GLM|Baichuan|ChatGLM|MiniCPM|Falcon|OLMo)[\\w.-]{0,30}?\\d[\\w-]{0,20}(?:\\.\\d[\\w-]{0,20}){0,3})(?![\\w])`,
    "iu",
  ),
  new RegExp(
    `^\\s*${LEAD}${WITH}\\s*(?<name>trl|verl|vllm|torch|pytorch|transformers|unsloth|openrlhf|deepspeed|peft|accelerate|ms-swift|llama-?factory|cuda|flash-attn)\\s*(?:version |v)?(?<value>\\d+(?:\\.\\d+)+\\w*)`,
    "iu",
  ),
];
const ILL =
    /(?<![\p{L}])(?:inf|stuck|flat|explo\p{L}*|collaps\p{L}*|crash\p{L}*|diverg\p{L}*|garb\p{L}*|gibber\p{L}*|hangs?|kollabier\p{L}*|effondr\p{L}*|colaps\p{L}*|взрыва\p{L}*|рушится)(?![\p{L}])|(?:always|is|stays|to|immer|bleibt|siempre|sempre|toujours|всегда)\s(?:at )?0(?![.,]?\d)|(?<![a-z])nan(?![a-z])|崩|爆|发散|乱码|一直是 ?0|発散|崩壊|발산|붕괴/iu,
  WELL =
    /(?<![\p{L}])(?:works?|worked|fine|well|stable|healthy|normal|rises?|rose|climbs?|increases?|goes up|learns?|steigt|läuft|funktioniert|stabil|gut|monte|marche|fonctionne|sube|funciona|sobe|раст[её]т|работает|стабильно)(?![\p{L}])|涨|上升|正常|稳定|上が|安定|正常|올라|오르|정상|안정/iu,
  NUMBERS = /(?<from>\d+(?:[.,]\d+)?)\s*(?:->|→|=>)\s*(?<to>\d+(?:[.,]\d+)?)/gu;

const number = (text: string) => Number(text.replace(",", "."));

/** Reward that rises in numbers, or a word for what goes well, and no word for what does not. */
function isWell(sentence: string): boolean {
  const rises = [...sentence.matchAll(NUMBERS)].some(({ groups }) => number(groups!.to!) > number(groups!.from!));
  return !ILL.test(sentence) && (rises || WELL.test(sentence));
}

/** What a sentence opens with, as a kind and a value. */
function openerOf(sentence: string): { readonly kind: string; readonly value: string } | null {
  for (const [i, pattern] of OPENERS.entries()) {
    const found = pattern.exec(sentence)?.groups;
    if (found !== undefined) {
      return { kind: `${i} ${found.name?.toLowerCase() ?? ""}`, value: found.value!.toLowerCase() };
    }
  }
  return null;
}

/** For each sentence of a paragraph, whether it tells of one of several runs that are set side by side and end differently. */
export function comparedIn(sentences: readonly string[]): readonly boolean[] {
  const openers = sentences.map(openerOf), first = openers.findIndex((one) => one !== null);
  if (first < 0) return sentences.map(() => false);
  const { kind } = openers[first]!;
  const runs = sentences.flatMap((sentence, i) => openers[i]?.kind === kind ? [{ sentence, i, ...openers[i]! }] : []);
  const differ = new Set(runs.map(({ value }) => value)).size > 1,
    isMixed = runs.some(({ sentence }) => ILL.test(sentence)) && runs.some(({ sentence }) => isWell(sentence));
  // What stands between two of them goes on about the one before.
  return sentences.map((_, i) => differ && isMixed && i >= first && i <= runs.at(-1)!.i);
}
