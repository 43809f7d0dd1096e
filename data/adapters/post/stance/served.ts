/**
 * What answers is not what was trained: the base is served, the adapter not loaded or merged, another template set around
 * prompts. The numbers of training may be fine then, and the run is none that is called healthy for them. @module */

const word = (words: readonly string[]) => `(?<![\\p{L}])(?:${words.join("|")})(?![\\p{L}])`;
const MAX = 600; // Characters of a sentence that are looked at.

/** The base answers, or as the base does. */
const AS_BASE = word([
  "(?:answers?|outputs?|behav\\p{L}*|respon\\p{L}*|generat\\p{L}*|predict\\p{L}*|repl(?:y|ies)|acts|talks)[^.;]{0,40}? (?:same|identical|exactly|just|no different|no difference|indistinguishable)(?: \\p{L}+){0,3} (?:as|to|like|of|from)(?: \\p{L}+){0,2} (?:base|original|untuned|untrained|vanilla)(?: model)?",
  "as if (?:it|I|we|the model)(?: \\p{L}+){0,2} (?:never|not) (?:been )?(?:trained|fine-?tuned|tuned)",
  "(?:inference|serving|server|vllm|eval(?:uation)?|demo|deployment|script)(?: \\p{L}+){0,4} (?:loads?|uses?|targets?|points? (?:at|to)|started with|runs?)(?: only| still| just)* (?:the |my |a )?(?:plain )?base(?: model)?",
  "genau (?:so )?wie (?:vorher|zuvor|das Basismodell|das Original)",
  "lade(?:n)? (?:ich|wir) nur das Basismodell",
  "(?:identiques?|exactement|pareil\\w*|comme)(?: \\p{L}+){0,3} (?:le |au |du )?modèle de base",
  "(?:igual|idéntic[oa]s?|idêntic[oa]s?)(?: \\p{L}+){0,3} (?:modelo (?:base|original))",
  "(?:так же,? как|точно как|не отличается от|как у) (?:у )?(?:базов|исходн)\\p{L}+",
]);
const AS_BASE_SIGNS =
  "(?:和|跟|与)(?:原|基座|底座|基础|微调前的?|base)\\s?模型(?:的)?[^，。]{0,6}(?:一样|一致|一模一样|没区别|没有区别)|加载的?(?:还|仍)?(?:是|为)(?:基座|原始?|底座|base)|(?:ベース|元の)モデルと(?:全く|まったく|完全に)?(?:同じ|変わら)|(?:베이스|원본|기본)\\s?모델과\\s?(?:완전히\\s?)?(?:똑같|동일|차이가\\s?없)";
/** The adapter is left out. */
const LEFT_OUT = word([
  "(?:never|not|n't|forgot to|without)(?: \\p{L}+){0,2} (?:call(?:ed|ing)?|load(?:ed|ing)?|merg(?:e|ed|ing)|appl(?:y|ied|ying)|attach(?:ed|ing)?|pass(?:ed|ing)?)(?: \\p{L}+){0,3} [`\"']?(?:the )?(?:adapters?|lora|peft\\w*|trained weights|checkpoint)[\\w.]*",
  "adapters? (?:is|was|are|were|has|have)(?: \\p{L}+)? ?(?:not|never|n't)(?: \\p{L}+)? (?:merged|loaded|applied|attached|used|active)",
  "Adapter (?:wird|wurde|ist)(?: \\p{L}+)? nicht (?:geladen|gemerg\\p{L}+|angewandt|aktiv)",
  "adaptateur n'(?:est|a) (?:pas|jamais)(?: été)? (?:chargé|fusionné)",
  "(?:no|n[aã]o)(?: \\p{L}+){0,2} (?:cargado|cargué|fusion\\p{L}+|carreg\\p{L}+|mescl\\p{L}+)(?: \\p{L}+){0,2} adapta?dor",
  "адаптер не (?:загруж|подключ|слит|смержен)\\p{L}*",
]);
const LEFT_OUT_SIGNS =
  "(?:没有?|忘了?|未)(?:去)?(?:加载|合并|挂载|merge)[^，。]{0,6}(?:adapter|lora|适配器|权重)|(?:adapter|LoRA|アダプタ(?:ー)?)を?(?:ロード|マージ)し(?:ていな|忘れ)|어댑터(?:를|가)?\\s?(?:로드|병합)(?:하지|되지)\\s?않";
/** Another template than in training. */
const TEMPLATE = word([
  "train\\p{L}*(?: \\p{L}+){0,3} with[^.;]{1,40}template[^.;]{0,20}(?:serv|infer|deploy|evaluat|test|generat|sampl)\\p{L}*[^.;]{1,30}template",
  "(?:different|another|other|wrong)(?: chat)? template (?:at|in|for|during) (?:inference|serving|generation|deployment|test\\p{L}*)",
]);
const TEMPLATE_SIGNS = "训练[^。]{0,12}模板[^。]{0,8}(?:推理|部署|测试)[^。]{0,12}模板";
const AT = "(?:at|in|for|during) (?:inference|serving|generation|deployment|test\\p{L}*)";
/** In training a template, where it answers none. */
const BARE = word([
  `${AT}[^.;]{0,40}?(?:not|n't|never|without|forg[eo]t|no)(?: \\p{L}+){0,3} (?:chat |prompt |the same )?template`,
  `(?:not|n't|never|without|forg[eo]t|no)(?: \\p{L}+){0,3} (?:chat |prompt )?template[^.;]{0,20}? ${AT}`,
  "(?:inference|sampling|generation|we sample|I sample|we generate|I generate)[^.;]{0,24}? without(?: \\p{L}+){0,3} template",
  "Bei der (?:Inferenz|Generierung)[^.;]{0,30}? (?:kein(?:e|en)?|ohne) (?:Chat-?)?(?:Template|Vorlage)",
  "(?:à|pendant|lors de) l'inférence[^.;]{0,30}?(?:pas|sans)(?: \\p{L}+){0,2} (?:chat )?template",
  "(?:en|durante|na|em|al)(?: la| a)? (?:inferencia|inferência|inferir)[^.;]{0,30}?(?:no|não|sin|sem)(?: \\p{L}+){0,3} (?:plantilla|template|modelo de chat)",
  "при (?:инференсе|генерации)[^.;]{0,30}?(?:не|без)(?: \\p{L}+){0,2} (?:шаблон|chat[ -]template)\\p{L}*",
]);
const BARE_SIGNS =
  "(?<!训练(?:时|和|与|、)?(?:都|及|以及)?)(?:推理|部署|测试|生成)[^。，]{0,6}(?:没有?|忘了?|未|不|漏了?)(?:加上?|套用?|用|使用|带上?|应用|拼)[^。，]{0,8}(?:template|模板)|推論[^。、]{0,8}(?:テンプレート|template)[^。、]{0,8}(?:せず|ていな|ませ|忘れ)|추론[^.]{0,16}(?:템플릿|template)[^.]{0,8}(?:않|안 |없이|빼)";

const SERVED = new RegExp(
  [AS_BASE, AS_BASE_SIGNS, LEFT_OUT, LEFT_OUT_SIGNS, TEMPLATE, TEMPLATE_SIGNS, BARE, BARE_SIGNS].join("|"),
  "iu",
);
const QUESTION = /[?？]\s*$/;

/** True of a sentence that says that something else answers than what was trained. */
export const isServedOtherwise = (sentence: string): boolean =>
  SERVED.test(sentence.slice(0, MAX)) && !QUESTION.test(sentence);
