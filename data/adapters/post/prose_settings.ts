/** Options that a sentence names with their values: "temperature=0.01 and top_p=0.001", "lr 5e-7", "温度 0.01". @module */
import { findOption, normaliseOption, type OptionName } from "../../options.ts";
import type { Intake } from "../intake/intake.ts";
import { writtenValue } from "../prose/flags.ts";
import { bareRate } from "./numbers/bare_rate.ts";
import type { Clause } from "./clauses.ts";
import { presentOf, wasSet } from "./stance/now_with.ts";
import { writtenNumber } from "./numbers/numbers.ts";
import { rateOwner } from "./rate_owner.ts";
import { isExpectedBreak } from "./stance/expected_break.ts";
import { expression, has } from "./words/match.ts";
import { ELSEWHERE, NOT_STATED } from "./words/stance.ts";

/** `name=value`, `name: value` and `--name value` in a sentence. */
const PAIR =
  /(?<![\w.-])(?:--)?([A-Za-z_][\w.-]*[A-Za-z\d])\s*(?:=(?!=)|:\s|：)\s*("[^"]*"|'[^']*'|\[[^\]]*\]|\d+,\d+(?![\d,])|[^\s,，;；。、()（）]+)/g;
const FLAG = /(?<![\w-])--([A-Za-z_][\w.-]*)(?:[ =]([^\s,，;；。、()（）-][^\s,，;；。、()（）]*))?/g;
const NUMBER = "[-+]?\\d[\\d.,]*(?:[eE][-+]?\\d+)?";
/** A number format that is named alone. */
const DTYPE = /(?<![\w-])(fp16|f16|float16|half precision|半精度|bf16|bfloat16|fp32|float32)(?![\w-])/i;
/** "It isn't fp16", "not in fp16": the one that is denied is not set. */
const NO_DTYPE =
    /(?:(?<![\p{L}])(?:not|isn't|wasn't|not (?:about|due to|because of|from|caused by)|(?:do(?:es)?(?:n't| not)|not) (?:use|using|train(?:ed|ing)?(?: in)?)|never (?:use|used)|without|no|nicht|nicht (?:an|am|wegen|in|mit)|kein|ohne|pas|pas (?:à cause )?d[ue]|pas en|sans|no (?:es|por|uso|usamos|en)|sin|não (?:é|por|uso|usamos|em)|sem|не|не (?:в|из-за|использу\p{L}+)|без) (?:the |le |la |el |o )?|不是|并非|没(?:有)?(?:用|开|使用)|不是因为)\s?$/iu,
  NO_DTYPE_BEHIND =
    /^\s?(?:ではな|じゃな|が原因ではな|のせいではな|は使っていま?せん|は使っていない|(?:[이가은는을를])?\s?(?:때문(?:이|은)?\s?)?(?:아니|아닙|쓰지\s?않|사용하지\s?않))/u;
function dtypeIn(text: string): RegExpExecArray | null {
  const found = [...text.matchAll(new RegExp(DTYPE, "gi"))];
  return found.find(({ index, 0: name }) =>
    !NO_DTYPE.test(text.slice(Math.max(0, index - 30), index)) && !NO_DTYPE_BEHIND.test(text.slice(index + name.length))
  ) ?? null;
}
/** It is switched on where it is used, and named with an adapter. */
const CHECKPOINTING =
  /(?<![\p{L}])(?:with|us(?:e|es|ing)|enabl(?:e|es|ed|ing)|turn(?:ed|ing)? on|avec|activ\p{L}+|mit|con|com|с)\s(?:the |le |la |el |o )?(?:gradient|activation)[ _-]checkpoint(?:ing|s)?|(?:打开|开启|启用|使用|用)(?:了)?\s?(?:gradient[ _-]checkpoint(?:ing)?|梯度检查点)|gradient[ _-]checkpoint(?:ing)?\s?(?:と|を(?:使|有効|オン))|gradient[ _-]checkpoint(?:ing)?\s?(?:을|를)?\s?(?:켜|사용|쓰)/iu;
/** Words for options, with the number right behind. */
const WORDS: readonly (readonly [OptionName, words: string, signs: string])[] = [
  [
    "learning_rate",
    "learning[ _]rate|lr|LR|taux d'apprentissage|Lernrate|tasa de aprendizaje|taxa de aprendizado|скорост[ьи] обучения",
    "学习率|学習率|학습률",
  ],
  ["temperature", "temperature|temp|température|Temperatur|temperatura|температур[аы]", "温度(?:パラメータ)?|온도"],
  ["top_p", "top[_ -]?p", ""],
  ["top_k", "top[_ -]?k", ""],
  [
    "group_size",
    "num_generations|group[ _]size|rollout\\.n|n_samples_per_prompt",
    "组大小|采样数|グループサイズ|그룹\\s?크기",
  ],
  [
    "kl_coef",
    "kl[ _-](?:(?:loss|penalty|div(?:ergence)?)[ _])?(?:coef(?:ficient)?|beta|weight)|beta|β|coefficient (?:de |du )?KL|KL-?Koeffizient|coeficiente (?:de )?KL|коэффициент KL",
    "KL\\s?(?:散度|惩罚|损失|ペナルティ|페널티)?(?:的|の)?\\s?(?:系数|係数|权重|계수)",
  ],
  [
    "max_new_tokens",
    "max[_ ](?:completion|new|response)[_ ](?:length|tokens)|(?:token |length |completion |generation |response |output )?(?:limit|cap|budget|límite|limite|лимит)(?= (?:of |is |was |at |von |de |= ?)?\\d+[ -]?to[kc]ens?(?![\\p{L}]))|maximum(?= of \\d{2,5}(?!\\d|[.,]\\d| ?(?:steps|epochs|samples|gpus)))",
    "最大(?:生成|回复|输出)?长度|(?:长度|生成)?上限(?=\\s?(?:是|为|设为)?\\s?\\d{2,5}(?![\\d.%步]))|上限(?:の|は)(?=\\s?\\d{2,5}\\s?トークン)|최대\\s?길이(?=\\s?\\d{2,5})",
  ],
  ["device_batch_size", "micro[_ ]batch(?:[_ ]size)?|per[_ -]device[_ ](?:train[_ ])?batch(?:[_ ]size)?", ""],
];
const VALUE = new RegExp(
  `^\\s*(?:of|(?:is|was) set (?:to|at)|is|was|at|to|=|:|：|为|是|被?(?:设置?|调整?|改|开|写|给|取|定)(?:成|为|到|的是|的|了)?了?(?:是)?|用(?:的是|的|了)|を|は|가|는|를|est(?: de| à| (?:réglée?|fixée?|mise?) (?:à|sur))?|de|ist(?: auf)?|beträgt|auf|von|en|es(?: de)?|está(?: (?:puest|fijad|definid|configurad)[ao])?(?: en| em| a)|(?:foi|fue) (?:definid|fijad|configurad|ajustad)[ao] (?:como|em|en|para|a)|é(?: de)?|равн[ао]|установлен[ао]? (?:в|на)|стоит)?\\s*(?:about |around |约|大约)?(${NUMBER})(?![\\d%])`,
  "iu",
);
/** "learning rate of the critic is 1e-3", and the second of two: "actor/critic lr 1e-6/5e-6". */
const OF_CRITIC = /^ (?:of|for) (?:the |our |my )?(?:critic|value (?:head|function|network|model))\b/i;
const SECOND = new RegExp(`^\\s?(?:/|,|and|和|、)\\s?(${NUMBER})(?![\\d%])`, "u");
const CRITIC_RATE = /^critic[_.-](?:lr|learning[_-]rate)$/i;
/** Which parts of a model are trained. */
const PART = /^(?:finetune|freeze|train)_[a-z]\w*$/;
/** A checkpoint is tried out: how it samples there is no option of the run. */
const TESTED =
  /(?:when|if|once) i (?:sample|test|try|generate|evaluate|prompt|run inference)|\b(?:at|for|during|in) (?:inference|eval(?:uation)?|test(?:ing)?)\b|\bcheckpoint at\b|推理时|测试时|评测时|推論時|評価時|추론\s?시|평가\s?시|à l'inférence|bei der (?:Inferenz|Auswertung)|en inferencia|na inferência|при (?:инференсе|оценке)/iu;
/** "eval temperature": the same, of one number. */
const TESTED_WORD =
  /(?:\b(?:eval(?:uation)?|test(?:ing)?|inference|val(?:idation)?|greedy|Auswertungs|Inferenz)[\s_-]?|(?:评测|测试|推理|評価|推論)(?:の|的)?|(?:평가|추론)\s?)$/iu;
const TESTED_BEHIND =
  /^\s*(?:(?:d'|de l'|de |da |für |при )?(?:évaluation|éval|inférence|test|evaluaci[oó]n|avaliaç[aã]o|inferencia|inferência|prueba|оценке|инференсе)|(?:for|at|during) (?:eval\w*|test\w*|inference))/iu;
const SAMPLES: ReadonlySet<OptionName> = new Set<OptionName>(["temperature", "top_p", "top_k"]);
const words = WORDS.map(([option, list, signs]) => [option, expression(list, signs)] as const);
const [notStated, elsewhere] = [expression(...NOT_STATED), expression(...ELSEWHERE)];

export function readProseSettings(intake: Intake, { text, line, sentence }: Clause): void {
  if (has(elsewhere, text) || wasSet(text) || isExpectedBreak(sentence)) return;
  const present = presentOf(sentence), isPast = present !== null && sentence.indexOf(text) < present.at;
  const isTest = TESTED.test(text);
  const taken = new Set<string>();
  const set = (name: string, raw: string | undefined, at: number) => {
    if (taken.has(name) || isPast && taken.size > 0) return;
    taken.add(name);
    if (isPast && raw !== undefined && /^[-+]?[.\d]/.test(raw)) raw = present.raw;
    // A decimal comma; and a rate of 0, or a NaN, is what a log showed: nobody asks for it.
    if (raw !== undefined && /^\d+,\d+$/.test(raw)) raw = raw.replace(",", ".");
    if (raw !== undefined && (/^nan\b/i.test(raw) || findOption(name, null) === "learning_rate" && Number(raw) === 0)) {
      return;
    }
    const { value, type } = raw === undefined
      ? { value: true, type: "boolean" }
      : writtenValue(raw.replace(/[.,;:!?]+$/, ""));
    intake.setting(normaliseOption(name), value, type, line, at + 1);
  };
  /** A name with its value; the rate of another part is no option of the policy. */
  const setOwned = (name: string, raw: string | undefined, at: number, whole: string) => {
    const isRate = findOption(name, null) === "learning_rate" || CRITIC_RATE.test(name);
    const owner = !isRate ? "policy" : CRITIC_RATE.test(name) ? "critic" : rateOwner(text, at, at + whole.length);
    if (owner === "other") return;
    set(owner === "critic" ? "critic_learning_rate" : name, raw, at);
  };
  for (const { index, 0: whole, 1: name, 2: value } of text.matchAll(FLAG)) {
    setOwned(name!, !whole.includes("=") && isWord(value) ? undefined : value, index, whole);
  }
  for (const { index, 0: whole, 1: name, 2: value } of text.matchAll(PAIR)) {
    const isOption = findOption(name!, null) !== null || PART.test(name!) || CRITIC_RATE.test(name!);
    if (isOption) setOwned(name!, value, index, whole);
  }
  const checkpointing = CHECKPOINTING.exec(text);
  if (checkpointing !== null && !taken.has("gradient_checkpointing")) {
    set("gradient_checkpointing", undefined, checkpointing.index);
  }
  if (has(notStated, text)) return;
  const dtype = dtypeIn(text);
  if (dtype !== null && !taken.has("torch_dtype")) set("torch_dtype", dtype[1]!, dtype.index);
  for (const [option, pattern] of words) {
    for (const { at: index, end: wordEnd } of pattern.in(text)) {
      const word = text.slice(index, wordEnd), behind = text.slice(wordEnd);
      const between = option === "learning_rate" ? OF_CRITIC.exec(behind)?.[0] ?? "" : "";
      const found = VALUE.exec(behind.slice(between.length));
      if (found === null || SAMPLES.has(option) && (isTest || isTestOnly(text, index, wordEnd))) continue;
      if (option === "learning_rate" && Number(found[1]) === 0) continue;
      const end = index + word.length + between.length + found[0].length;
      const owner = option !== "learning_rate" ? "policy" : between !== "" ? "critic" : rateOwner(text, index, end);
      const own = owner === "critic" ? "critic_learning_rate" : option;
      if (
        owner === "other" || taken.has(own) ||
        owner !== "critic" && taken.has(normaliseOption(word.replaceAll(" ", "_")))
      ) {
        continue;
      }
      // Of several settings nobody knows which one is another now.
      if (isPast && taken.size > 0) return;
      taken.add(own);
      const put = (name: string, value: string) =>
        intake.setting(name, writtenNumber(value.replace(/[.,]$/, "")).value, "number", line, index + 1);
      put(findOption(word, null) === own ? word : own, isPast ? present.raw : found[1]!);
      const second = owner === "both" ? SECOND.exec(text.slice(end))?.[1] : undefined;
      if (second !== undefined) put("critic_learning_rate", second);
    }
  }
  const bare = isPast || taken.has("learning_rate") ? null : bareRate(text, sentence);
  if (bare !== null) intake.setting("learning_rate", writtenNumber(bare.raw).value, "number", line, bare.at + 1);
}

const isTestOnly = (text: string, at: number, end: number) =>
  TESTED_WORD.test(text.slice(Math.max(0, at - 20), at)) || TESTED_BEHIND.test(text.slice(end, end + 24));

/** True of a clause that gives a setting a number. */
export const setsOption = (text: string): boolean =>
  words.some(([, pattern]) => [...pattern.in(text)].some(({ end }) => VALUE.test(text.slice(end))));

/** A flag in a sentence has the next word of the sentence behind it: "--vanilla_loss makes it NaN". */
const isWord = (value: string | undefined) =>
  value === undefined ||
  /^\p{L}{2,}$/u.test(value) &&
    !/^(?:true|false|none|null|auto|bf16|fp16|fp32|sdpa|eager|flash\w*|grpo|dpo|kto|ppo)$/i.test(value) ||
  /[^\x21-\x7e]/.test(value);
