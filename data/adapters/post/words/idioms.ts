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
      "(?:all|every|only) (?:of )?(?:the )?(?:labels?|targets?|tokens?)(?: (?:tokens?|ids?|entries))? (?:is|are|were|was|became|become|turn(?:s|ed)?(?: out)?(?: to be)?|end(?:s|ed)? up)(?: all| as| set to)* -100|labels? (?:is|are|were|was|contains?|consists? of)(?: all| only| nothing but| entirely| full of| just)+ -100|(?:no|zero|0|not a single|not one) (?:label|supervised|trainable|target|unmasked|assistant) tokens?|everything (?:is|was|gets|got) masked|(?:all|every) (?:tokens?|labels?) (?:is|are|was|were|get|gets) (?:masked|ignored)|tous les labels (?:sont|valent) (?:à )?-100|alle Labels (?:sind|stehen auf) -100|todas las etiquetas (?:son|valen) -100|todos os (?:labels|rótulos) (?:são|valem) -100|все (?:метки|labels) (?:равны )?-100",
    signs:
      "(?:labels?|标签)\\s?(?:全部?|都|全都|全部都|均)(?:是|为|被|变成|被置为|被设为)?\\s?-100|全(?:部)?(?:是|为)\\s?-100|(?:ラベル|labels?)(?:が|は)?(?:すべて|全て|全部)\\s?-100|(?:라벨|레이블|labels?)(?:이|가|은|는)?\\s?(?:전부|모두|다)\\s?-100|没有(?:一个|任何)?(?:监督|标签|有效)\\s?(?:token|标签)",
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
    subject: "parameters",
    predicate: "not_finite",
    words:
      "(?:nans?|infs?|infinit(?:y|ies)|non-?finite(?: values?| weights?| parameters?)?|not finite) (?:in|among|inside) (?:the |its |my |our |merged |base )*(?:weights?|checkpoints?|state[_ ]dicts?|parameters?|tensors?|safetensors|embeddings?|lm_head)|(?:weights?|checkpoints?|parameters?|tensors?|state[_ ]dict|lm_head|embeddings?)\\b[^.,;]{0,30}\\b(?:contains?|holds?|has|have|had|full of|already|become|became|turn(?:ed)? into) (?:a few |some |only |all |already )?(?:nans?|infs?|non-?finite)|(?:NaN|inf) dans les poids|NaN in den Gewichten|NaN en los pesos|NaN nos pesos|NaN в весах",
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
    subject: "training",
    predicate: "slows",
    words:
      "slower (?:than|every)[^.,;]{0,30}(?:step|iteration|hour|epoch)|from \\d[\\d.]* ?(?:s|sec|seconds) to \\d[\\d.]* ?(?:s|sec|seconds|min|minutes)(?: (?:per|a|each) (?:step|iteration|it))",
  },
];
