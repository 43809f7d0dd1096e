/**
 * Words by which a post tells its runs apart, at the beginning of a clause: "seed 2", "the other run", "with lr 1e-4",
 * "on the H100", "fp16:". Two values of one kind are two runs. @module
 */
import { sifted } from "../words/match.ts";

/** A run as it is called: `kind` is by what the runs of a post are told apart. */
export interface RunLabel {
  readonly kind: string;
  readonly value: string;
  /** One of several tries of the same, or of what nobody chose: where it is broken, that is the complaint. */
  readonly isRepeat: boolean;
  /** It stands against the run that the post is about so far: "another run", "the second seed". */
  readonly isFurther: boolean;
  /** Where it ends in the text. */
  readonly end: number;
}

const WITH =
    "(?:with|using|at|for|on|in|under|mit|bei|unter|auf|im|avec|sous|sur|dans|con|en|com|no|na|em|на|с|со|при|во?|用|在|使用)",
  THE = "(?:the|my|our|an?|only|de[rmns]|die|das|eine?[rm]?|l[ae]|el|una?|une|os?|as?|um|uma|другой|другая|the same)",
  NUMBER = "[-+]?\\d[\\d.,]*(?:e[-+]?\\d+)?";
/** What may stand before a label: a word that joins, a lead ("GRPO:"), a preposition, an article. */
const LEAD =
  `^[^\\p{L}\\p{N}]*(?:[^:：,，]{1,24}[:：]\\s*)?(?:(?:but|and|while|whereas|however|then|yet|aber|und|während|mais|et|alors que|tandis que|pero|y|mientras que|mas|e|enquanto|но|а|и)\\s+|(?:但是?|而|不过|可是|然后|ただし?|しかし|一方(?:で|、)?|하지만|그런데)[,，、]?\\s*)?(?:${WITH}\\s*(?=[\\s\\p{Script=Han}])\\s*)?(?:${THE}\\s+)?`;
/** What is counted in a run, and no run. */
const NO_COUNT =
  "(?!\\d|[.,]\\d|\\s*(?:epochs?|steps?|updates?|iterations?|gpus?|hours?|days?|times|步|轮|个?\\s?epoch))";
const RUN =
    "(?:runs?|jobs?|experiments?|exp|trials?|variants?|config(?:uration)?s?|setups?|machines?|nodes?|boxe?s?|servers?|models?|Lauf|Läufe|Versuch|Maschine|essai|entraînement|ejecuci[oó]n|corrida|experimento|execuç[aã]o|rodada|запуск\\p{L}*|прогон\\p{L}*)",
  RUN_SIGNS = "(?:实验|模型|配置|方案|机器|任务|組|组|実験|設定|モデル|マシン|실험|런|설정|모델)";
const FIRST =
    "(?:first|1st|one|erste[rnm]?|eine[rnm]?|premi(?:er|ère)|primer[ao]?|primeir[ao]|перв(?:ый|ая|ом|ой|ого))",
  FURTHER =
    "(?:second|2nd|third|other|another|zweite[rnm]?|andere[rnm]?|second[e]?|deuxième|autre|segund[ao]|otr[ao]|outr[ao]|втор(?:ой|ая|ом|ого)|друг(?:ой|ая|ом))";

type Class = "repeat" | "setting";
interface Pattern {
  readonly kind: string;
  readonly is: Class;
  readonly words: Pick<RegExp, "exec">;
  readonly isFurther?: true;
}
const opens = (words: string) => sifted(`${LEAD}${words}`, "iu");
const fixed = (value: "first" | "further", words: string, kind = "run"): Pattern => ({
  kind,
  is: "repeat",
  words: opens(`(?<${value}>${words})`),
  ...(value === "further" ? { isFurther: true as const } : {}),
});

/** In the order in which they are tried; `name` is a part of the kind, `value` tells two of a kind apart. */
const PATTERNS: readonly Pattern[] = [
  {
    kind: "seed",
    is: "repeat",
    words: opens(
      "(?:random |随机)?(?:seeds?|graines?|semillas?|сид\\p{L}*|种子|シード|시드)\\s*(?:no\\.?|#|=|:|是|为|が)?\\s*(?<value>\\d+(?:\\s?(?:,|and|und|et|y|e|и|和|、|/)\\s?\\d+)*)(?![\\d.])",
    ),
  },
  {
    kind: "run",
    is: "repeat",
    words: opens(`${RUN}\\s*(?:no\\.?|#|=)?\\s*(?<value>\\d{1,3}|[A-H](?![\\p{L}\\d]))${NO_COUNT}`),
  },
  {
    kind: "run",
    is: "repeat",
    words: opens(`${RUN_SIGNS}\\s*(?<value>\\d{1,3}|[A-H一二三四五])(?![\\p{Script=Latin}\\d])`),
  },
  { kind: "letter", is: "repeat", words: /^\W{0,4}(?<value>[A-D])(?:\)|\s?[:：])\s/u },
  fixed(
    "first",
    `${FIRST} (?:${RUN}|seed|graine|semilla|of (?:them|the (?:runs|seeds|two))|davon|d'eux|de ell[ao]s|deles)(?![\\p{L}])`,
  ),
  fixed("further", `${FURTHER} (?:${RUN}|seeds?|graine|semilla|ones?(?= )|из них)(?![\\p{L}])`),
  // "I started a second run with another seed": it need not stand first.
  {
    kind: "run",
    is: "repeat",
    isFurther: true,
    words: new RegExp(
      `(?<![\\p{L}])(?<further>(?:another|a second|eine[nm]? zweite[nrm]?|une? (?:second|deuxième|autre)|un[oa]? (?:segund[ao]|otr[ao])|uma? (?:segund[ao]|outr[ao])|втор(?:ой|ом)|друг(?:ой|ом)) (?:${RUN}|seed|graine|semilla)(?![\\p{L}])|另一(?:个|次|组)(?:实验|训练|种子)|別の(?:実験|ラン|シード)|다른\\s?(?:실험|런|시드))`,
      "iu",
    ),
  },
  fixed("first", `(?:в|во) ${FIRST}(?= (?!шаг|эпох|этап|час|раз|сло))`),
  fixed(
    "first",
    "第一(?:次|组|个实验|个种子|个模型)|1回目|1つ目|一つ目|片方|첫\\s?번째(?:\\s?(?:런|시드|실험|학습))?[은는]|하나는",
  ),
  fixed(
    "further",
    "第[二三](?:次|组|个实验|个种子|个模型)|另一?(?:次|组|个(?:实验|种子|模型|任务)?)|[2２]回目|2つ目|二つ目|もう(?:一方|片方|一つ)|두\\s?번째(?:\\s?(?:런|시드|실험|학습))?[은는]|다른\\s?(?:하나|런|시드|실험)[은는]",
  ),
  fixed("further", `(?:во?) ${FURTHER}(?= (?!шаг|эпох|этап|час|раз|сло))`),
  {
    kind: "machine",
    is: "repeat",
    words: opens(
      "(?:\\d+\\s?x?\\s*)?(?<value>A100|A800|H100|H800|H200|B200|V100|T4|[34]090|L40S?|A6000|MI\\d{3}X?|TPU|GPU ?\\d)s?(?![\\p{L}\\d])",
    ),
  },
  {
    kind: "line",
    is: "repeat",
    words: opens(
      "(?:(?<value>blue|orange|red|green|purple|gr[ae]y|black|yellow|pink|brown)(?: (?:run|line|curve|one))?(?![\\p{L}-])(?!\\s*=)|(?<sign>[蓝橙红绿紫灰黑黄粉])(?:色)?(?:的)?(?:线|曲线))",
    ),
  },
  {
    kind: "setting",
    is: "setting",
    words: opens(
      `(?<name>lr|learning[ _]rate|学习率|学習率|학습률|Lernrate|taux d'apprentissage|tasa de aprendizaje|taxa de aprendizado|beta|β|kl_coef|temperature|temp|温度|top_[pk]|num_generations|group[ _]size|batch[ _]size|epsilon|max_grad_norm|rank|epochs|G|r)\\s*(?:=|:|of|von|de|是|为|が|을|를)?\\s*(?<value>${NUMBER})(?!\\d)`,
    ),
  },
  {
    kind: "precision",
    is: "setting",
    words: opens("(?:pure |full )?(?<value>bf16|bfloat16|fp16|float16|half precision|fp32|float32|tf32|fp8)(?![\\w])"),
  },
  { kind: "pair", is: "setting", words: opens("`?(?<name>[A-Za-z]\\w*_\\w+)\\s?=\\s?(?<value>[\\w.+-]+)") },
  {
    kind: "model",
    is: "setting",
    words: opens(
      "(?<value>(?:Qwen|Llama|Gemma|Mistral|Phi|SmolLM|DeepSeek|InternVL|Yi|GLM|Baichuan|ChatGLM|MiniCPM|Falcon|OLMo)[\\w.-]{0,30}?\\d[\\w-]{0,20}(?:\\.\\d[\\w-]{0,20}){0,3})(?!\\w)",
    ),
  },
  { kind: "size", is: "setting", words: opens("(?<value>\\d+(?:\\.\\d+)?B)(?![\\w])") },
  {
    kind: "method",
    is: "setting",
    words: opens(
      "(?<value>full[ -](?:parameter |param )?(?:fine-?tun\\w*|FT)|LoRA|QLoRA|DoRA|全参(?:数)?(?:微调|训练)?)(?![\\w])",
    ),
  },
  {
    kind: "version",
    is: "setting",
    words: opens(
      "(?<name>trl|verl|vllm|torch|pytorch|transformers|unsloth|openrlhf|deepspeed|peft|accelerate|ms-swift|llama-?factory|cuda|flash-attn)\\s*(?:version |v)?(?<value>\\d+(?:\\.\\d+)+\\w*)",
    ),
  },
];
/** "with lr 1e-4 …, with 1e-5 …": the value alone. */
const VALUE_ALONE = new RegExp(
  `^[^\\p{L}\\p{N}]*(?:(?:but|and|while|whereas|aber|und|mais|et|pero|y|mas|e|но|а|и)\\s+|但是?|而)?(?:with|using|at|mit|bei|avec|con|com|с|при|用)\\s*(?<value>${NUMBER})(?![\\d%\\p{L}])${NO_COUNT}(?=\\s|[,，:：])`,
  "iu",
);
const OF_NUMBER = /^setting /;
const MAX_HEAD = 120; // Characters in which a label stands.

/** The run that a clause opens with; `last` is the one before it in the paragraph. Null where it opens with none. */
export function labelOf(text: string, last: RunLabel | null): RunLabel | null {
  const head = text.slice(0, MAX_HEAD);
  for (const { kind, is, words, isFurther = false } of PATTERNS) {
    const found = words.exec(head), groups = found?.groups;
    if (found === null || groups === undefined) continue;
    const value = groups.first !== undefined ? "1" : groups.further !== undefined ? "2" : groups.value ?? groups.sign!;
    return {
      kind: groups.name === undefined ? kind : `${kind} ${groups.name.toLowerCase()}`,
      value: value.toLowerCase(),
      isRepeat: is === "repeat",
      isFurther,
      end: found[0].length,
    };
  }
  const alone = last !== null && OF_NUMBER.test(last.kind) ? VALUE_ALONE.exec(head) : null;
  return alone === null ? null : { ...last!, value: alone.groups!.value!, end: alone[0].length };
}
