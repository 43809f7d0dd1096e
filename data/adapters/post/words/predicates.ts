/**
 * What people say of it, in their languages: each predicate once.
 *
 * `words` match as whole words, `signs` anywhere; `before` says that it may stand right before what it is said of, as an
 * adjective does ("zero gradient"). @module
 */
export interface Predicate {
  readonly words: string;
  readonly signs?: string;
  readonly before?: true;
  /** A denial is part of its words: "does not rise" says that it is constant. */
  readonly denies?: true;
}

export const PREDICATES = {
  not_finite: {
    words: "nans?|n\\.?a\\.?n\\.?|inf(?:inity|inite)?|not finite|non[- ]finite|not a number",
    signs: "NaN|非数|无穷|無限大|발산하여 nan",
    before: true,
  },
  zero: {
    words:
      "zeros?(?![ _-]?(?:stage|shot|offload|[123]))|nil|null|nul(?:le)?s?|cero|nulo|nula|нул[ьеюя]\\w*|(?:no|without(?: any)?|lacks?(?: a)?|never gets? (?:a|any)|doesn'?t (?:get|have|receive) (?:a|any)|(?:is|are) not (?:receiv|gett)ing) (?=grad)|vanish(?:es|ed|ing)?|aucun (?=gradient)|kein(?:en)? (?=Gradient)|sin (?=gradiente)|sem (?=gradiente)",
    signs: "为零|是零|归零|都是零|没有(?=梯度)|无(?=梯度)|ゼロ|零(?=的|。|，|$)|제로",
    before: true,
  },
  constant: {
    words:
      "flat(?:s|tens?|lines?|lined)?|dead flat|constant|stuck|pinned|glued|nailed (?:to|at)|(?:has|have|had)(?:n't| not) (?:gained|moved|budged|changed|improved|learned|learnt)[\\w ]*|(?:won't|does(?:n't| not)|do(?:n't| not)|refuses to) budge|no gains?|hovers?|hovering|wobbles?|moves? like a (?:\\w+ )?snail|stays? (?:at|around|the same|put)|stall(?:s|ed|ing)?|frozen|plateau(?:s|ed|ing)?|unchanged|stagnat\\w+|(?:does|do|did|has|have|is|are|was|were|will|would|can|could)(?:n'?t| not)(?: (?:really|even|ever|seem to|getting|get|been|any|at all))* (?:chang\\w*|mov\\w*|improv\\w*|increas\\w*|ris\\w*|go(?:ing)? up|grow\\w*|learn\\w*|climb\\w*|decreas\\w*|go(?:ing)? down|converg\\w*|better)|never (?:changes?|moves?|improves?|increases?|rises?|goes up|learns?|climbs?)|(?:shows?|with|see|saw|makes?|had|has) no (?:change|improvement|progress|increase|upward trend|trend|movement|learning)|no (?:improvement|progress|upward trend|learning)|plafonne\\w*|stagne\\w*|plates?|reste\\w* (?:plate|constante?)|n'(?:augmente|apprend|évolue|progresse) pas|ne (?:bouge|monte|change|progresse|croît) pas|stagniert|bleibt|steigt nicht|ändert sich nicht|lernt nicht|plano|estancad\\w+|no (?:mejora|sube|cambia|aumenta|aprende)|n[aã]o (?:melhora|sobe|muda|aumenta|aprende)|не (?:раст[её]т|меня\\w+|улучша\\w+|увеличива\\w+|обуча\\w+|учится)|стоит на месте|плоск\\w+",
    signs:
      "纹丝不动|钉在|趴着|原地踏步|维持(?=\\s*\\d)|不变|不涨|不升|不上升|不增长|不提升|不动|不下降|不收敛|没有?(?:任何|什么|明显)?(?:变化|提升|上升|增长|下降|改善|提高|起色)|没(?:涨|变|动)|无(?:任何|明显)?(?:变化|提升|增长)|停滞|卡在|横盘|平的|横ばい|(?:変わ|変化し|上が|増え|改善し|下が|動か|伸び|学習し)(?:らな|な|ませ|りませ)|変化なし|進まない|頭打ち|그대로|(?:오르|변하|증가하|개선되|움직이|늘|학습되|떨어지)지\\s?않|변화가?\\s?없|정체|제자리|안\\s?(?:오르|변|올라)",
    denies: true,
  },
  noisy: {
    words:
      "(?:go(?:es|ing)?|went|jumps?|moves?) up and down|up and down|all over the place|fluctuat\\w+|oscillat\\w+|noisy|jump(?:s|ing)? around|bounc\\w+|unstable|spik(?:es?|y|ing|ed)|oscille\\w*|schwank\\w*|fluct[uú]a\\w*|oscila\\w*|колебл\\w+|скач\\w+|шумн\\w+",
    signs:
      "波动|忽上忽下|时高时低|上下(?:跳|浮动)|震荡|抖动|尖峰|不稳定|不安定|振動|変動|スパイク|진동|요동|불안정|스파이크",
  },
  explodes: {
    words:
      "explod\\w+|goes? through the roof|go(?:es|ing)? crazy|goes? (?:to the moon|wild|nuts)|surg(?:es?|ed|ing)|spiral\\w*|jump(?:s|ed) to|extremely large|becomes? (?:very |extremely |really )?(?:large|huge|big)|(?:only |just )?(?:gets?|becomes?|keeps? getting|keeps? growing) (?:bigger|larger|higher)(?: and (?:bigger|larger|higher))?|blow(?:s|n|ing)? up|blew up|sky[- ]?rocket\\w*|diverg(?:es|ed|ing)|shoot(?:s|ing)? up|shot up|runs? away|goes through the roof|huge|enormous|astronomical|explos\\w+|explodi\\w+|explota\\w*|explodiert|взрыва\\w+|взлет\\w+|расходится|зашкалива\\w+",
    signs:
      "爆炸|爆掉|骤增|猛增|激增|突增|陡增|剧增|暴增|急剧(?:上升|增大|增长|增加)|急上昇|跳ね上が|急激に(?:増|上)|飙升|暴涨|飞了|发散|爆発|発散|급증|폭발|치솟|발산",
    before: true,
  },
  collapses: {
    words:
      "collaps\\w+|(?:drop(?:s|ped)?|fall(?:s|en)?|fell|goes|went|gone|down) (?:down |all the way |back )*to (?:almost |nearly |practically |close to |virtually )?(?:nothing|zero|0(?![.,]?\\d))|crash(?:es|ed|ing)?|plummet\\w*|plung\\w+|falls? off a cliff|nosediv\\w+|tank(?:s|ed|ing)|s'effondr\\w+|kollabiert|bricht ein|bricht zusammen|eingebrochen|colaps\\w+|desploma\\w*|despenca\\w*|рух(?:ает|нул)\\w*|обвал\\w*|схлоп\\w+|коллапс\\w*",
    signs: "崩(?:溃|塌|了|掉|盘)|坍塌|塌缩|骤降|暴跌|崩壊|崩れ|急落|붕괴|무너|급락|폭락",
    before: true,
  },
  worsens: {
    words:
      "worse(?:ns|ned|ning)?|getting worse|gets worse|deteriorat\\w+|degrad\\w+|empire\\w*|se d[eé]grade\\w*|schlechter|verschlechter\\w*|empeora\\w*|peor|piora\\w*|pior|ухудша\\w+|хуже",
    signs: "变差|越来越差|恶化|变坏|退化|悪化|悪くな|나빠|악화|저하",
  },
  falls: {
    words:
      "jump(?:s|ed|ing)? down|step(?:s|ped)? down|(?:creep|crept|tick|inch|edge|drift|trend|slid|slide)\\w* down\\w*|sank|sinks?|sinking|fall(?:s|ing|en)?|fell|drop(?:s|ped|ping)?|decreas(?:es|ed|ing)|declin\\w+|go(?:es|ing)? down|went down|shrink\\w*|shrank|get(?:s|ting)? (?:shorter|smaller|lower)|lower and lower|shorter and shorter|decay\\w*|chute\\w*|baisse\\w*|diminue\\w*|sinkt|fällt|gesunken|gefallen|kürzer|baja\\w*|cae\\w*|disminuye\\w*|cai\\w*|diminui\\w*|пада\\w+|упал\\w*|снижа\\w+|уменьша\\w+",
    signs:
      "往下掉|下掉|一路掉|大幅下降|下降|下跌|降低|变短|越来越(?:短|低|小)|降到|降至|掉到|跌到|减小|缩短|下滑|低下|下が(?:って|り|る|った)|減少|短くな|落ち(?:て|る|た)|떨어|감소|하락|짧아|낮아|줄어",
  },
  rises: {
    words:
      "jump(?:s|ed|ing)? (?:back )?up|step(?:s|ped)? up|(?:creep|crept|creeps|climb|shoot|tick|inch|edge|drift|trend)\\w* up\\w*|ris(?:es|ing|en)|rose|increas(?:es|ed|ing)|climb(?:s|ed|ing)|grow(?:s|ing|n)?|grew|go(?:es|ing)? up|went up|improv(?:es|ed|ing)|get(?:s|ting)? (?:better|longer|larger|higher|bigger)|longer and longer|higher and higher|augmente\\w*|monte\\w*|croît|s'améliore\\w*|steigt|gestiegen|wächst|besser|länger|sube\\w*|aumenta\\w*|crece\\w*|mejora\\w*|sobe\\w*|cresce\\w*|melhora\\w*|раст[её]т|раст(?:ут|и)|вырос\\w*|увеличива\\w+|повыша\\w+|улучша\\w+",
    signs:
      "上升|上涨|(?:一直|不断|还在|往上|持续|越来越)涨|升高|增长|增大|变长|变大|提升|提高|涨到|升到|升至|越来越(?:长|高|大|好)|上昇|増加|増え(?:て|る|た)|上が(?:って|る|った|り)|伸び(?:て|る|た)|長くな|改善|증가|상승|올라|늘어|길어|향상|개선",
  },
  negative: {
    words: "negative|below (?:zero|0)|n[eé]gativ\\w+|negativ\\w*|отрицательн\\w+",
    signs: "负(?:数|值|的)?|为负|マイナス|負(?:の|に|値)|음수|마이너스",
    before: true,
  },
  differs: {
    words:
      "differ(?:s|ed|ent|ently)?|mismatch\\w*|inconsisten\\w+|do(?:es)?(?:n't| not) (?:match|agree|coincide)|disagree\\w*|discrepanc\\w+|unreliable|distort\\w*|biased|not (?:to be )?trust\\w*|deviat\\w+|diff[eè]re\\w*|diff[eé]rent\\w*|incoh[eé]rence|abweich\\w*|unterschied\\w*|difiere\\w*|no coinciden|diferen\\w+|расход(?:ятся|ится)|отлича\\w+|не совпада\\w+",
    signs:
      "不一致|不匹配|不相等|对不上|有(?:较?大)?(?:差异|偏差|出入)|差异(?:很|较)?大|偏差(?:很|较)?大|异なる|ずれ|ズレ|一致しな|불일치|다르|차이",
  },
  slows: {
    words:
      "slow(?:s|er|ed)? (?:and slower|down)|slower (?:and|every|each|with every)(?: \\w+)?|(?:gets?|got|getting|becomes?|became) (?:much |very |really |ever |increasingly )?slow(?:er)?|(?:it|run|training|everything|job|process) (?:now )?(?:crawls|is crawling)|crawls (?:along|at)|slow(?:s|ed)? to a crawl|grind(?:s|ing)? to a halt|step times? (?:keeps?|is|are)? ?(?:growing|rising|climbing|creeping)|de plus en plus lent\\w*|ralentit|immer langsamer|wird langsamer|cada vez m[aá]s lent\\w*|cada vez mais lent\\w*|вс[её] медленнее|замедля\\w+|тормоз\\w+",
    signs: "越来越慢|变慢|越跑越慢|越训越慢|慢如蜗牛|だんだん遅く|遅くな|どんどん遅|점점\\s?느려|느려[지졌집]",
  },
  killed: {
    words:
      "oom[- ]?kill\\w*|(?:was|were|is|are|gets?|got|been) (?:sig)?killed|sigkill|exit(?:ed)?(?: with)?(?: code)? (?:137|-9)|signal 9|out[- ]of[- ](?:host|cpu|system)[- ]memory|tué par (?:le|l')\\w*|vom (?:System|OOM)[\\w-]* beendet|matad[oa] por el \\w+|morto pelo \\w+|убит\\w* (?:oom|систем)\\w*",
    signs: "被(?:系统|内核|oom)?[\\w-]{0,10}\\s?(?:杀|kill)|OOM\\s?(?:被杀|killer)|強制終了|殺され|강제\\s?종료|죽었",
  },
  overflows: {
    words:
      "overflow(?:s|ed|ing)?(?! on (?:rank|page))|(?:exceeds?|out of|leaves?|beyond) (?:the )?(?:fp16|half|float16) (?:range|max\\w*)|65504|d[eé]passe\\w* la plage|läuft über|Überlauf\\w*|desborda\\w*|estour\\w+|переполн\\w+",
    signs: "溢出|上溢|オーバーフロー|桁あふれ|오버플로",
  },
  frozen: {
    words:
      "fr(?:eez(?:e|es|ing)|oze|ozen)(?! for| at| after)|only the (?:vision|language|text|image|projector|encoder)[\\w ]{0,20} (?:is|are|was|were) trained|gelés?|eingefroren\\w*|congelad[oa]s?|заморож\\w+",
    signs: "冻结|凍結|フリーズさせ|동결",
    before: true,
  },
  memorised: {
    words:
      "memori[sz](?:es|ed|ing|ation)|(?:by|off by) heart|recit(?:es?|ed|ing)|parrot(?:s|ed|ing)?|regurgitat\\w+|word[- ]for[- ]word from (?:the )?(?:train\\w*|data\\w*)|par cœur|auswendig|de memoria|de cor|decorou|наизусть|заучи\\w+|зазубри\\w+",
    signs: "死记硬背|背(?:下来|出来?|诵|住)|记住了(?:训练|答案)|丸暗記|暗記|암기|외워|외웠",
  },
  forgets: {
    words:
      "forg(?:ets?|ot|etting|otten)|catastrophic(?:ally)?(?: forgetting)?|lost (?:its|the|all|most|general|chat)[\\w ]{0,20}(?:abilit(?:y|ies)|knowledge|skills?|capabilit\\w+)|worse than (?:the |its )?(?:base|original|pretrained|untuned|instruct|starting)[\\w ]*|below (?:the |its )?(?:base|original|untuned|instruct)[\\w ]*|oubli(?:e|é|er|ant)\\w*|verg(?:isst|essen)|verlernt|olvid\\w+|esquec\\w+|забы(?:л|ва|т)\\w*",
    signs: "遗忘|忘(?:掉|记|了)|灾难性遗忘|不如(?:原|基座|底座|base|微调前)[^，。]{0,8}|忘却|忘れ|망각|잊어|까먹",
  },
  hangs: {
    words:
      "hang(?:s|ing)?|hung|freez(?:e|es|ing)|deadlock\\w*|gets? stuck (?:at|in|on|after|during)[\\w ]*|stuck (?:at|in|on|after|during) (?:the )?(?:step|rollout|generation|\\d+ ?%|sampling|\\w+ phase)[\\w ]*|time[sd]?[- ]?out|no (?:output|progress|heartbeat|response) (?:for|after)|se bloque|bloqu[eé]e?|hängt|se cuelga|trava\\w*|завис\\w+",
    signs:
      "卡住|卡死|挂起|挂住|僵死|死锁|超时|没有反应|没反应|不动了|フリーズ|固ま|ハング|止まったまま|멈(?:춤|추|춥)|행이?\\s?걸",
  },
  cheats: {
    words:
      "hack(?:s|ed|ing)?|reward[- ]hack\\w*|short[- ]?cuts?|exploit\\w*|loop ?holes?|gam(?:es|ed|ing) (?:the )?(?:reward|metric|system)\\w*|cheat\\w*|trick(?:s|ed|ing)? the|trich\\w+|raccourci|schummel\\w*|Abkürzung|trampa\\w*|atajo|trapace\\w*|atalho|читер\\w*|жульнич\\w+|лазейк\\w+|взлом\\w*",
    signs:
      "作弊|钻空子|投机取巧|奖励黑客|骗(?:取|到)?(?:奖励|分)|刷分|交白卷|偷懒|ハック|ハッキング|チート|抜け道|ズル|해킹|꼼수|악용|편법",
  },
  same_everywhere: {
    words:
      "(?:the )?same [\\w ]{0,30}?(?:one )?(?:for|to|on|whatever|regardless|no matter|irrespective|given)[\\w ]{0,12}(?:every|all|each|any|different|whatever|the|of|what)?[\\w ]{0,12}(?:prompts?|inputs?|quer(?:y|ies)|questions?|images?|examples?|one|samples?|methods?|sentences?|documents?)\\b[\\w ]*|(?:regardless of|no matter|whatever|irrespective of)[\\w ]{0,16}(?:prompts?|inputs?|quer(?:y|ies)|questions?|images?)[\\w ]*|(?:pour|à) (?:toutes les|chaque|n'importe quelle?) (?:questions?|entrées?|prompts?)|quel(?:le)? que soit (?:la|le|l')\\w*|egal welche\\w* \\w+|(?:für|bei) (?:jede|alle)\\w* (?:Frage|Prompt|Eingabe)\\w*|para (?:todas? las|cualquier|cada) (?:preguntas?|entradas?|prompts?)|на (?:любой|каждый|все) (?:вопрос|запрос|промпт)\\w*",
    signs:
      "(?:不管|无论|不论)(?:输入|问|给|什么|是什么|哪)?[^，。]{0,8}(?:都|均)|对(?:所有|任何|每个)(?:的)?(?:问题|输入|prompt|图片|样本)[^，。]{0,6}(?:都|一样|相同)|所有(?:的)?(?:问题|输入|prompt|题|样本|图片)[^，。]{0,8}(?:一样|相同|同一)|どの(?:入力|質問|画像|プロンプト)[^。、]{0,8}(?:でも|も|に)|어떤\\s?(?:입력|질문|프롬프트)[^,.]{0,8}(?:도|든)|(?:같은|동일한)\\s?(?:답|출력|응답)[^,.]{0,4}만|모든\\s?(?:입력|질문)[^,.]{0,6}(?:같|동일)",
  },
  identical: {
    words:
      "(?:word[- ]for[- ]word |exactly |all |nearly |almost |completely |literally )*(?:the same(?! (?:\\d+ )?(?:sentences?|words?|phrases?|tokens?|lines?|notebook|script|seed|data\\w*|model|config\\w*|settings?|set-?up|hyper\\w*|code|machine|node|gpus?|time|way|thing|problem|issue|error|result|question|behaviou?r|server|ui|webui|version|template|loss|base|checkpoint|prompts?|as (?:before|above|in|you)))|identical|duplicates?|copies)|same (?:completion|output|response|answer|text|string)s?|no diversity|lack(?:s|ing)? diversity|not diverse|identiques?|(?:les|la|le) m[eê]mes?(?! (?:phrase|ligne|mot|script|mod[eè]le|code|config\\w*))|identisch\\w*|(?:die|das) ?gleichen?|immer gleich|id[eé]ntic\\w+|(?:las?|los|el) mism[ao]s?|iguais|mesm[ao]s?|одинаков\\w+|идентичн\\w+|одно и то же",
    signs:
      "(?:完全|几乎|全部|全都|都|基本)?(?:一样|相同|一致|一模一样|一字不差|雷同|重复的回答)(?!的?(?:问题|情况|现象|错误|报错|bug|疑问|代码|数据|配置|设置|模型))|没有多样性|多样性(?:很差|消失|丧失)|(?:完全に|全て|ほぼ)?(?:同じ|同一)(?!(?:句|行|个(?:词|字|token)|段话|単語|フレーズ|言葉)|文[^、。，章]{0,6}(?:繰|く[りる]|何度|延々))|多様性がな|(?:완전히|거의|모두|전부)?\\s?(?:동일|똑같|같은)(?!\\s?(?:문장|단어|말|줄|구절|webui|노트북|스크립트|코드|데이터|모델|설정|시드|문제|증상|환경|방법|방식))",
  },
  garbled: {
    words:
      'garb(?:age|led)|(?:writes?|wrote|outputs?|generates?|produces?|prints?|is|are|as|just|pure|only) (?:pure |just |only |random )*noise(?! terms?| levels?| scale| std)|"noise"|junk(?: tokens?)?|rubbish|trash|crap|soup|(?:weird|strange|odd) (?:text|output|outputs|predictions?|tokens?|characters?|symbols?)|gibberish|nonsens(?:e|ical)|incoherent|jibberish|mumbo[- ]jumbo|random (?:characters?|tokens?|symbols?|text|words|unicode|bytes)|unreadable|scrambled|word salad|meaningless|mojibake|corrupted|charabia|incoh[eé]rent\\w*|illisible|n\'importe quoi|Kauderwelsch|Unsinn|unleserlich|wirres? \\w+|Zeichensalat|galimat[ií]as|basura|ilegible|incoherente|sin sentido|sem sentido|lixo|ilegível|мусор\\w*|бессмысл\\w+|бессвязн\\w+|тарабарщин\\w*|каша|абракадабр\\w*|нечитаем\\w+',
    signs:
      "乱码|胡言乱语|不知所云|语无伦次|无意义的?(?:字符|文本|内容|输出)|不是人话|胡乱|鬼话|文字化け|意味不明|支離滅裂|でたらめ|めちゃくちゃ|깨진|깨져|횡설수설|의미\\s?없는|알\\s?수\\s?없는\\s?문자|외계어|엉망",
    before: true,
  },
  token_zero: {
    words:
      "(?:only|just|all|nothing but|full of|endless|repeated) [“\"'`]!+[”\"'`]?|(?:only|just|all|nothing but|full of|endless|repeated)? ?exclamation (?:marks?|points?)|points? d'exclamation|Ausrufezeichen|signos? de exclamaci[oó]n|exclamaç[oõ]es|восклицательн\\w+ знак\\w*|token(?: id)? 0",
    signs:
      "感叹号|叹号|(?:全(?:部|都)?|都|只有|只|仅|だけ)(?:都|是|为|输出|有|剩)*\\s?[“\"'「『`]\\s?[!！]+\\s?[”\"'」』`]|[\"“”'「『`（(]?[!！]{4,}[\"“”'」』`）)]?|感嘆符|ビックリマーク|느낌표",
  },
  empty: {
    words:
      "empty(?: strings?)?|blank|immediately (?:stops?|ends?)|only (?:an? )?(?:eos|end[- ]of[- ]sequence)(?: token)?|vides?|leere?n?|vac[ií]\\w+|vazi\\w+|пуст\\w+",
    signs: "空(?:字符串|白|的|串)|为空|直接(?:结束|eos)|空(?:文字|の|っぽ)|빈\\s?(?:문자열|응답|출력)|비어",
    before: true,
  },
  repeats: {
    words:
      "(?<!\\b(?:i|we|you|they|i've|to|be|been|can|could|was|were|and) )repeat(?:s|ed|ing|edly)?(?! (?:the |this |that |my |our )?(?:run|experiment|training|test|question)s?\\b)|repetiti(?:on|ons|ve)|loops|looping|(?:in (?:a|an)|infinite|endless) (?:\\w+ )?loop|over and over|again and again|same (?:word|token|phrase|sentence)|(?:outputs?|prints?|writes|generates?|produces) (?:only|nothing but|just) (?:backticks|commas|dots|periods|newlines|spaces|whitespace|dashes|digits|zeros|brackets|\\w+ tokens)|only (?:backticks|commas|dots|newlines|spaces|whitespace)|r[eé]p[eè]te\\w*|en boucle|wiederhol\\w*|Schleife|repite\\w*|en bucle|repetid\\w+|repete\\w*|повтор\\w+|зациклива\\w+",
    signs:
      "重复(?!实验|跑)|复读|无限循环|循环输出|車轪|繰り返|くり返|くりかえ|(?<!グ|学習|訓練|評価|改善|トレーニング)ループ(?!\\s?\\d)|반복|되풀이",
    before: true,
  },
  truncated: {
    words:
      "truncat\\w+|cut[- ]off|cut short|fill(?:s|ed|ing)? (?:up )?(?:the |their |its )?(?:whole |entire |full )?[\\w-]* ?(?:budget|window|context|length)|run(?:s|ning)? into the (?:cap|limit|max\\w*)|hit(?:s|ting)? (?:the )?(?:max(?:imum)?|length|token|cap|limit)[\\w ]*|reach(?:es|ed|ing)? (?:the )?(?:max(?:imum)?|length|token|cap|limit)[\\w ]*|at the (?:length )?(?:cap|limit)|never (?:finish\\w*|ends?|stops?|emits? (?:an? )?eos)|do(?:es)?(?:n'?t| not) (?:stop|finish|end|emit)|tronqu\\w+|abgeschnitten|truncad\\w+|cortad\\w+|обрез\\w+|обрыва\\w+",
    signs:
      "截断|被截|达到(?:最大|上限)|打满|超长|停不下来|不(?:会)?(?:停止|结束)|打ち切|途中で切|上限に達|止まらな|잘(?:려|림|리)|최대\\s?길이(?:에)?\\s?(?:도달|까지)|멈추지",
  },
  correct: {
    words: "correct(?:ly)?|right|correctes?|korrekt|richtig|correct[ao]s?|corret[ao]s?|правильн\\w+|верн(?:ый|ые|ая|о)",
    signs: "正确|答对|对的|正しい|正解(?!率|報酬)|정답(?!률)|맞는|올바른",
  },
  wrong: {
    words:
      "wrong|incorrect(?:ly)?|mistaken|fau(?:x|sses?)|falsch\\w*|incorrect[ao]s?|equivocad\\w+|errad[ao]s?|неправильн\\w+|неверн\\w+",
    signs: "错误(?!信息)|错的|答错|不对|不正确|間違|誤り|不正解|틀린|틀리|오답",
  },
  readable: {
    words:
      "readable|coherent|fluent|legible|sensible|(?:proper|good|clean|perfect|lovely|fine(?![- ]?tun)|normal) (?:English|Chinese|sentences|text|prose|language)|look(?:s|ing)? (?:good|fine(?![- ]?tun)|ok(?:ay)?|reasonable|normal|sensible|coherent)|normal|fine(?![- ]?tun)|ok(?:ay)?|reasonable|healthy|as expected|normale?s?|lisibles?|lesbar|verständlich|legibles?|normais|normal|leg[ií]ve(?:l|is)|нормальн\\w+|читаем\\w+|связн\\w+",
    signs: "正常|没问题|没有问题|合理|通顺|流畅|可读|像样|正常な|問題な|読め|自然な|정상|문제\\s?없|읽(?:을|히)|자연스",
  },
  high: {
    words:
      "(?:very|exceptionally|unusually|extremely|abnormally|insanely|ridiculously|crazy|super|way too) (?:high|large|big|long)|too (?:high|large|big)|extremely (?:high|large)|abnormally (?:high|large)|tr[eè]s (?:haut|élev)\\w*|sehr (?:hoch|groß)|muy alt\\w+|muito alt\\w+|очень (?:высок|больш)\\w+",
    signs: "很大|很高|过大|过高|太大|太高|特别大|异常大|非常に(?:大き|高)|매우\\s?(?:높|크)|너무\\s?(?:높|크)",
    before: true,
  },
  low: {
    words:
      "very (?:low|small|short)|too (?:low|small|short)|tiny|close to (?:zero|0)|near(?:ly)? (?:zero|0)|almost (?:zero|0)|practically (?:zero|0)|tr[eè]s (?:faible|bas|petit)\\w*|sehr (?:niedrig|klein|kurz)|muy baj\\w+|muito baix\\w+|очень (?:низк|мал)\\w+|почти (?:ноль|нул)\\w*",
    signs:
      "很小|很低|很短|过小|过低|过短|太小|太低|太短|几乎为\\s?[0０零]|接近(?:于)?\\s?[0０零]|非常に(?:小さ|低)|ほぼ(?:ゼロ|0)|매우\\s?(?:낮|작)|너무\\s?(?:낮|작|짧)|거의\\s?0",
    before: true,
  },
} as const satisfies Record<string, Predicate>;

export type PredicateName = keyof typeof PREDICATES;
