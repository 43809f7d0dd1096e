/**
 * Phrases that say at once what is spoken of and what of it: "nothing is learned from the answer, all labels are -100".
 *
 * A clause needs no other subject beside them. @module
 */
import type { PredicateName } from "./predicates.ts";
import type { SubjectName } from "./subjects.ts";

interface Idiom {
  readonly subject: SubjectName;
  readonly predicate: PredicateName;
  readonly words: string;
  readonly signs?: string;
}

export const IDIOMS: readonly Idiom[] = [
  {
    subject: "labels",
    predicate: "zero",
    words:
      "(?:all|every|only) (?:of )?(?:the |my |your |our )?(?:labels?|targets?|tokens?)(?: (?:tokens?|ids?|entries))?(?: (?:in|of) (?:the |my |your |our |this |a )?[\\w ]{1,20}?)? (?:is|are|were|was|became|become|turn(?:s|ed)?(?: out)?(?: to be)?|end(?:s|ed)? up)(?: all| as| set to)* -100|labels? (?:is|are|were|was|contains?|consists? of)(?: all| only| nothing but| entirely| full of| just)+ -100|(?:no|zero|0|not a single|not one) (?:label|supervised|trainable|target|unmasked|assistant) tokens?|everything (?:is|was|gets|got) masked|(?:all|every) (?:tokens?|labels?) (?:is|are|was|were|get|gets) (?:masked|ignored)|tous les labels (?:sont|valent) (?:à )?-100|alle Labels (?:sind|stehen auf) -100|todas las etiquetas (?:son|valen) -100|todos os (?:labels|rótulos) (?:são|valem) -100|все (?:метки|labels) (?:равны )?-100",
    signs:
      "(?:labels?|标签)\\s?(?:全部?|都|全都|全部都|均)(?:是|为|被|变成|被置为|被设为)?\\s?-100|全(?:部)?(?:是|为)\\s?-100|(?:ラベル|labels?)\\s?(?:が|は)?\\s?(?:すべて|全て|全部)\\s?-100|(?:라벨|레이블|labels?)\\s?(?:이|가|은|는)?\\s?(?:전부|모두|다)\\s?-100|没有(?:一个|任何)?(?:监督|标签|有效)\\s?(?:token|标签)",
  },
  {
    subject: "adapter",
    predicate: "constant",
    words:
      "(?:adapters?|lora|weights?|safetensors|checkpoints?)\\b[^.,;]{0,60}\\b(?:byte|bit)[- ]?(?:for[- ](?:byte|bit)[- ])?(?:wise )?(?:equal|identical|same)|(?:same|identical|equal) (?:md5|sha256|sha1|hash|checksum)\\w*|(?:byte|bit)[- ]for[- ](?:byte|bit) (?:the same|equal|identical)|(?:weights?|adapters?|lora\\w*|parameters?)\\b[^.,;]{0,30}\\b(?:untouched|never (?:move|change|updated?)\\w*|(?:did|do|does)(?:n't| not) (?:move|change|update)\\w*|not (?:been )?updated|unchanged)|(?:poids|adaptateurs?) (?:inchangés?|identiques?)|Gewichte (?:sind )?(?:unverändert|gleich)|pesos (?:sin cambios|idénticos|iguais|inalterados)|веса (?:не (?:меня\\w+|изменил\\w+)|совпада\\w+)",
    signs:
      "(?:权重|参数|lora|adapter|适配器)[^，。]{0,16}(?:没有?(?:任何)?(?:更新|变化|变|动)|完全(?:一样|相同|一致)|逐字节|未更新|md5\\s?(?:一样|相同))|逐(?:字节|位)(?:相同|一致)|(?:重み|アダプタ)[^、。]{0,12}(?:変わ(?:ら|っていな)|更新されな|同一|バイト単位)|(?:가중치|어댑터)[^,.]{0,12}(?:변하지|안\\s?변|그대로|동일|업데이트되지)",
  },
  {
    subject: "adapter",
    predicate: "empty",
    words:
      "adapter(?:[_.-]\\w+)*(?: files?)? (?:is|are|has|have|weighs?|comes? out|was|were)\\b[^.,;]{0,16}\\b(?:\\d{1,4} ?(?:bytes?|b|kb|ko)|empty|almost nothing)|(?:empty|tiny) adapter(?:[_.-]\\w+)*",
    signs:
      "adapter[\\w.]*\\s?(?:文件)?(?:只有|仅|才)\\s?(?:\\d{1,4}\\s?(?:字节|bytes?|[kK]B?)|几\\s?(?:KB?|字节))|adapter[\\w.]*\\s?(?:が|は)\\s?\\d{1,4}\\s?(?:バイト|KB?)",
  },
  {
    subject: "completion_length",
    predicate: "rises",
    words:
      "(?:(?:two|three|four|five|\\d+(?:\\.\\d+)?)(?: times|x|×)|twice|double|triple) (?:as long|longer|the length)|(?:has |have )?(?:doubled|tripled|quadrupled) in length|lengths? (?:has |have )?(?:doubled|tripled|quadrupled)|(?:deux|trois|\\d) fois plus longues?|(?:doppelt|dreimal|\\d-mal) so lang|(?:el doble|el triple|\\d veces más) de? ?larg[oa]s?|в \\d раза? длиннее",
    signs:
      "(?:长度|回答|回复|输出)[^，。]{0,8}(?:翻了?[一两三四几\\d.]*(?:倍|番)|(?:变|长)[长了]*\\s?[一两三四几\\d.]+\\s?倍)|長さが[^、。]{0,4}倍|길이가[^,.]{0,4}배",
  },
  {
    subject: "parameters",
    predicate: "not_finite",
    words:
      "(?:nans?|infs?|infinit(?:y|ies)|non-?finite(?: values?| weights?| parameters?)?|not finite) (?:in|among|inside) (?:the |its |my |our |merged |base )*(?:weights?|checkpoints?|state[_ ]dicts?|parameters?|tensors?|safetensors|embeddings?|lm_head)|(?:weights?|checkpoints?|parameters?|(?<!probability )tensors?|state[_ ]dict|lm_head|embeddings?)\\b[^.,;]{0,30}\\b(?:contains?|holds?|has|have|had|full of|already|become|became|turn(?:ed)? into) (?:a few |some |only |all |already )?(?:nans?|infs?|non-?finite)|(?:NaN|inf) dans les poids|NaN in den Gewichten|NaN en los pesos|NaN nos pesos|NaN в весах",
    signs:
      "(?:权重|参数|checkpoint)(?:里|中|本身)?(?:就)?(?:有|含有?|存在|出现了?|变成了?|全是)\\s?(?:nan|inf)|重みに\\s?(?:nan|inf)|가중치에\\s?(?:nan|inf)",
  },
  {
    subject: "logprobs",
    predicate: "not_finite",
    words:
      "probability tensor contains either|(?:nan|inf(?:inite)?) logits?|logits? (?:is|are|were|go|goes|went|become|becomes|became|turn|turned|all) (?:all |to |into )*(?:nan|inf)\\w*",
    signs: "logits?\\s?(?:全|都|变成|出现|为|是)+\\s?(?:nan|inf)",
  },
  {
    subject: "parameters",
    predicate: "zero",
    words:
      "(?:no|zero|0) (?:trainable|learnable) (?:params?|parameters|weights|layers)|nothing (?:is |to be )?trainable|trainable (?:params?|parameters)\\s*(?:is|are|=|:|of)?\\s*0(?![\\d.,]*[1-9])|(?:everything|all (?:layers|parameters|weights)) (?:is|are|was|were|stays?) frozen|requires_grad (?:is|was|=|==) false (?:for|on|everywhere)|aucun paramètre entraînable|keine trainierbaren Parameter|ning[uú]n parámetro entrenable|nenhum parâmetro treinável|нет обучаемых параметров",
    signs:
      "(?:可训练|trainable)\\s?(?:的)?(?:参数|params?)(?:量|数)?(?:是|为|:|：)?\\s?0(?![\\d.,]*[1-9])|没有(?:任何)?可训练(?:的)?参数|学習可能(?:な)?パラメータが?(?:\\s?0|ない|ゼロ)|학습\\s?가능한?\\s?파라미터가?\\s?(?:0|없)",
  },
  {
    subject: "completion_length",
    predicate: "high",
    words:
      "(?:responses?|completions?|outputs?|answers?|generations?)\\b[^.,;]{0,30}\\b(?:exceptionally|unusually|extremely|abnormally|very|too|much|way too|far too) long(?:er)?|(?:réponses?|sorties?) (?:trop|très) longues|Antworten (?:viel )?zu lang|respuestas demasiado largas|respostas (?:muito|demasiado) longas|ответы слишком длинн\\w+",
    signs:
      "(?:回复|输出|回答|生成)[^，。]{0,8}(?:特别|非常|异常|过|太|极)长|(?:応答|出力|回答)が(?:非常に|異常に|とても)?長(?:い|すぎ)|(?:응답|출력|답변)이?\\s?(?:너무|매우|비정상적으로)\\s?길",
  },
  {
    subject: "completions",
    predicate: "repeats",
    words:
      "(?:одн[ауои]|одни) и т[ауоеи] же (?:фраз|слов|предложени|строк|токен)\\w*|по кругу|заика\\w+|залипа\\w+|(?:toujours )?la même (?:phrase|ligne) (?:en boucle|sans fin|encore et encore)|(?:immer )?(?:der|den) ?selben? Satz|derselbe Satz|la misma frase|a mesma frase|(?:keeps?|just|only) (?:saying|repeating|printing|writing|generating) the same (?:line|sentence|phrase|word|thing)|stutter\\w*",
    signs:
      "(?:同一|一)(?:句|个词|行|段)(?:话|内容)?[^，。]{0,6}(?:反复|重复|来回|不停)|同じ(?:行|文|単語|フレーズ)[^、。]{0,6}(?:くり返|繰り返|何度も|延々)|같은\\s?(?:문장|말|단어|줄)[^,.]{0,8}(?:반복|계속|되풀이)",
  },
  {
    subject: "policy",
    predicate: "memorised",
    words:
      "train(?:ing)? (?:questions?|data|set|examples?|samples?|rows?|answers?)\\b[^.;]{0,24}\\b(?:word[- ]for[- ]word|verbatim|letter by letter)|(?:word[- ]for[- ]word|verbatim)\\b[^.;]{0,30}\\btrain(?:ing)? (?:questions?|data|set|examples?|samples?|rows?|answers?)",
    signs:
      "训练(?:集|数据)[^，。]{0,12}(?:一字不差|原样|逐字)|学習データ[^、。]{0,10}(?:そのまま|一字一句)|학습\\s?데이터[^,.]{0,10}그대로",
  },
  {
    subject: "evaluation",
    predicate: "low",
    words:
      "(?:fails?|useless|bad|terrible|hopeless|lost|wrong) (?:on|for|with|at) (?:anything|everything|all|any|every)?\\s?(?:that is |that's )?(?:new|unseen|else|other|outside|held[- ]out)[\\w ]*|(?:new|unseen|other|rephrased|reworded) (?:questions?|prompts?|inputs?|examples?|samples?)[^.;]{0,20}(?:fail|wrong|nonsense|bad|hallucinat)\\w*|échoue sur (?:tout ce qui est )?nouve\\w+|versagt bei (?:allem Neuen|neuen)\\w*|falla (?:con|en) (?:lo|preguntas) nuev\\w+|falha em (?:perguntas|coisas) nov\\w+|не справляется с новыми",
    signs:
      "换(?:个|一种|种)?(?:问法|说法|题)[^。]{0,10}(?:不对|不会|胡|错|答不)|没见过的[^，。]{0,8}(?:不会|不对|错|差)|(?:新しい|未知の|別の)(?:質問|入力)[^、。]{0,10}(?:答えられ|間違|だめ|できな)|새로운\\s?(?:질문|입력)[^,.]{0,10}(?:못|틀|안)",
  },
  {
    subject: "training",
    predicate: "slows",
    words:
      "slower (?:than|every)[^.,;]{0,30}(?:step|iteration|hour|epoch)|from \\d[\\d.]* ?(?:s|sec|seconds) to \\d[\\d.]* ?(?:s|sec|seconds|min|minutes)(?: (?:per|a|each) (?:step|iteration|it))",
  },
];
