/** Words that say how a clause is meant: not as a fact of this run, denied, of another run, for how long. @module */

/** A guess, a wish, a condition, what others say: no statement of what this run does. Whole words, and signs anywhere. */
export const NOT_STATED: readonly [words: string, signs: string] = [
  "not (?:really )?sure|unsure|no idea|don'?t (?:know|remember|recall)|can'?t (?:tell|say|remember)|je ne (?:sais|suis) pas|keine Ahnung|weiß nicht|nicht sicher|no s[eé]|no estoy segur\\w+|n[aã]o sei|não tenho certeza|не (?:знаю|уверен\\w*|помню)|the internet|people online|google (?:says?|tells?)|chatgpt (?:says?|thinks?)|(?:a|my) (?:friend|colleague|coworker|boss|labmate|prof\\w*|supervisor) (?:says?|said|thinks?|thought|claims?|told)|on internet|en internet|im Netz|mein Kollege|un collègue|mi colega|meu colega|коллега|в интернете|now and then|once in a while|occasionally|rarely|every so often|maybe|perhaps|might|may be|could (?:it )?(?:be|have)|probably|possibly|suspect\\w*|i (?:think|guess|believe|assume|wonder)|wonder\\w*|my (?:guess|theory|hypothesis)|should(?:n't)?|would(?:n't)?|ideally|hop(?:e|ed|ing)|want(?:ed)?|goal|if (?:i|we|you|the|it)|whether|in theory|supposed to|expect(?:ed|ing)?|someone (?:says|said)|some (?:people )?say|people say|according to|the (?:docs?|documentation|paper) (?:says?|reports?|shows?)|in the paper|instead of|rather than|peut-être|devrait|si (?:je|on|le|la)|je (?:pense|crois|soupçonne)|vielleicht|sollte|vermut\\w+|ich (?:glaube|denke)|wenn ich|quiz[aá]s?|tal vez|deber[ií]a|sospecho|creo que|talvez|deveria|acho que|suspeito|возможно|может быть|наверное|должн\\w+|думаю|подозрева\\w+|если бы",
  "不(?:太)?(?:确定|清楚|知道|记得)|わから(?:な|ず)|分から(?:な|ず)|定かでは|모르겠|모릅|확실(?:하|치)지?\\s?않|확실치|기억이?\\s?안|网上(?:一搜|说|都说|有)?|(?:同事|朋友|主管|老板|导师|群里)[^，。]{0,4}(?:说|觉得|认为)|ネットでは|同僚(?:は|が)|인터넷에|동료(?:는|가|이)|偶尔|偶然|たまに|가끔|可能|也许|大概是|怀疑|猜测?|如果|若|假如|是不是|会不会|是否|应该|应当|期望|希望|想要|据说|有人说|听说|论文(?:里|中)|按理|理论上|難しいかも|かもしれ|もし|べき|はず(?!っと)|たぶん|おそらく|疑って|思われ|でしょうか|아마|혹시|만약|일까|것\\s?같|해야|의심|추측|생각합니다",
];

/** A denial right before or after a predicate. */
export const DENIAL: readonly [words: string, signs: string] = [
  "nothing|nada|rien|nichts|ничего|not|n't|no|never|without|neither|nor|isn't|aren't|doesn't|don't|didn't|none|hardly|pas|sans|aucune?|jamais|nicht|kein\\w*|ohne|nunca|sin|ning[uú]n\\w*|n[aã]o|sem|nenhum\\w*|не|нет|без|ни",
  "不是|不为|没有|没|并非|并不|并未|未|无|非|不|ない|ません|なし|아니|않|없",
];

/** Another run, another setting, another time: what is said there is not of the run that is reported. */
export const ELSEWHERE: readonly [words: string, signs: string] = [
  "(?:the |a |an |my |our )?(?:sister|another|control|baseline|second|reference|parallel|comparison) (?:run|cohort|experiment|job|seed|setup|config\\w*|arm)\\w*|without (?:the |any )?(?!(?:success|change|improvement|luck|error))[-\\w]+|after (?:i |we )?(?:remov\\w+|disabl\\w+|dropp\\w+|switch\\w+|chang\\w+|turn\\w+ off|upgrad\\w+|downgrad\\w+|reinstall\\w+|fix\\w+|set\\w+|replac\\w+)|when i (?:remove|disable|drop|switch|turn off)|(?:in|with) (?:the )?(?:previous|old|earlier|other) (?:version|run|experiment|model|code)|previously|used to|before (?:that|this|the (?:upgrade|update|change))|(?:the )?(?:base|sft|original|vanilla) (?:model|checkpoint)s? (?:is|are|does|works|gets?|scores?|has)|works (?:fine|well|ok)|sans (?:le |la |l')?[-\\w]+|ohne [-\\w]+|sin [-\\w]+|sem [-\\w]+|без [-\\w]+|после (?:удаления|отключения|обновления)",
  "对照组|另一(?:个|组|次)(?:实验|训练|模型)|別の(?:実験|ラン|モデル)|다른\\s?(?:실험|런)|去掉|关掉|关闭后|不加|不用|换成|改成|改回|改为|回退|降级|升级(?:到|后|之后)|重装|以前|之前的|原来的(?!(?:通用|一般|基础)?(?:能力|知识|水平|功能))|原版|旧版|别的|其他(?:的)?(?:模型|数据|任务|项目)|外すと|無効に|切ると|以前|元の|빼면|끄면|제거하|바꾸(?:면|니)|이전\\s?버전|다른\\s?모델",
];

/** All along: what is said holds for the whole run. */
export const THROUGHOUT: readonly [words: string, signs: string] = [
  "(?:over|for|on|in) all (?:the )?(?:\\d+ )?[\\w-]*(?:steps|records|updates)|always|forever|constant(?:ly)?|every (?:single )?(?:step|record|iteration|line|log|batch|update|time)|each (?:step|record|iteration)|all (?:the )?(?:time|steps|records|along|through)|the (?:whole|entire) (?:time|run|training)|throughout|(?:from|since) (?:the )?(?:very )?(?:first|start|beginning|step (?:0|1|one))[ \\w]*|right from|stays?|stayed|remain(?:s|ed|ing)?|keeps?|still|stuck|never|no matter|at all steps|consistently|à chaque (?:étape|pas|itération|ligne)|(?:bei|in) jede[mr] (?:Schritt|Step|Zeile)|en cada (?:paso|línea)|a cada (?:passo|linha)|toujours|d[eè]s le (?:premier|d[eé]but)\\w*|tout le long|reste\\w*|constamment|immer|durchgehend|von Anfang an|bleibt|st[aä]ndig|siempre|desde el (?:principio|inicio|primer)\\w*|todo el tiempo|sempre|desde o (?:in[ií]cio|come[cç]o|primeiro)|o tempo todo|всегда|постоянно|с самого начала|с первого|вс[её] время|оста[её]тся|на каждом",
  "一直|始终|从头到尾|每(?:一)?(?:步|轮|个step|次|条)|从(?:第一步|第1步|第 1 步|开始|头|step ?1|step ?0)|永远|全程|总是|都是|均为|恒为|持续|依然|还是|仍然?|ずっと|常に|最初から|毎(?:ステップ|回)|のまま|全ステップ|終始|계속|항상|처음부터|매\\s?(?:스텝|step)|내내|줄곧|여전히",
];
