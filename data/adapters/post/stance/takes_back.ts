/** What the rest of a sentence, or the next one, takes back: it was said in jest, is somebody else's, or is answered by no. @module */

/** "… just kidding": what stands before it is no report. */
const JEST =
    /(?<!\b(?:not|no|n't) )(?<![\p{L}])(?:(?:just |only |I'm )+(?:kidding|joking)|j\/k|jk|kidding|war (?:nur )?(?:ein )?(?:Scherz|Spaß|Witz)|nur Spaß|Scherz beiseite|je (?:plaisante|rigole)|c'est une blague|(?:es|era) broma|es una broma|brincadeir(?:a|inha)|шучу|шутка)(?![\p{L}])|开(?:个)?玩笑的?|说笑的|骗你的|冗談です|なんちゃって|농담(?:이|입)/iu,
  JEST_FIRST = 8; // Characters before it at the beginning of a sentence.

/** True of a clause before which `rest`, the rest of its sentence, says that it was said in jest. */
export const isJest = (rest: string): boolean => JEST.test(rest);

/** "…, so it was at a colleague's": what stands before it is somebody else's. */
const OF_ANOTHER =
    /(?<![\p{L}])(?:(?:so|das) (?:sah|war|ist|lief)[^.;]{0,24}? (?:bei|beim)|(?:that|this) (?:is|was) (?:how|what)[^.;]{0,24}?(?:looked? like |saw |had |got )?(?:for|at|with) (?:my|a|another|the other)|c'(?:est|était) (?:ce|comme ça|le cas)[^.;]{0,24}? chez|así (?:era|fue|le pasó|se veía)[^.;]{0,24}? (?:a|en|de) (?:mi|un)|foi assim[^.;]{0,24}? (?:com|d[oe])|так (?:было|выглядело)[^.;]{0,24}? у)/iu,
  OTHER_PERSON =
    /Kolleg|Freund|colleague|coworker|friend|labmate|somebody|someone|collègue|(?<!\p{L})amie?(?!\p{L})|colega|compañer|amig|коллег|друг|знаком/iu,
  OF_ANOTHER_SIGNS = /(?:那是|这是)(?:同事|别人|朋友|隔壁)|それは(?:同僚|友人|他)|그건\s?(?:동료|친구|다른)/u;
export const isOfAnother = (rest: string): boolean =>
  OF_ANOTHER.test(rest) && OTHER_PERSON.test(rest) || OF_ANOTHER_SIGNS.test(rest);

/** True of a sentence that begins with that: the one before it is no report. */
export const beginsInJest = (sentence: string): boolean => (JEST.exec(sentence)?.index ?? Infinity) <= JEST_FIRST;

/** "Is the loss NaN? No.": the answer to the question before it. */
const NO =
  /^[^\p{L}]*(?:(?:also|and|again|auch|non plus|también|também|тоже) )?(?:no|nope|not at all|nein|non|não|нет|没有?|不是|并没有|いいえ|ありません|아니요?|아닙니다)(?: (?:either|not|auch nicht|plus|tampoco|também))?[^\p{L}]*$/iu;
export const isNo = (sentence: string): boolean => NO.test(sentence);

/** "It is not.", "Das stimmt nicht.": the sentence before it is not so. */
const NOT_SO =
  /^[^\p{L}]*(?:but |aber |mais |pero |mas |но )?(?:(?:it|that|this)(?: is|'s| was)(?: simply| just)?(?: not|n't)(?: (?:so|true|right|the case|what (?:I|we) see))?|(?:it|that|this) (?:isn't|wasn't)(?: (?:so|true|the case))?|(?:das |es )?stimmt (?:aber )?nicht|dem ist nicht so|(?:das )?ist (?:aber )?nicht (?:so|wahr|der Fall)|(?:ce n'est|c'est) pas (?:vrai|le cas)|no es (?:cierto|verdad|así)|n[aã]o é (?:verdade|assim)|(?:это )?не (?:так|правда)|(?:并)?(?:不是这样的?|不是真的|没有这回事|并非如此)|そうではありません|そんなことはありません|그렇지\s?않(?:습니다|아요)|사실이\s?아닙니다)[^\p{L}]*$/iu;
export const isNotSo = (sentence: string): boolean => NOT_SO.test(sentence);

/** "None of these happened to us.", "We found none.": what the sentence before it names did not come. */
const NONE_OF_THESE =
    /(?<![\p{L}])(?:none of (?:these|those|them|this|that|the above)|nothing of (?:this|that|the (?:sort|kind))|nichts davon|keine[rs]? (?:davon|von (?:diesen|denen)|dieser)|aucune? (?:d'entre eux|d'eux|de (?:ces|cela|ça)|de ceux-là)|rien de (?:tout )?(?:cela|ça)|ningun[oa] de (?:est[oa]s|ell[oa]s|eso)|nada de (?:esto|eso)|nenhum[a]? d(?:est|ess|el)[ea]s|nada disso|ничего (?:из )?этого|ни одно(?:го)? из (?:этого|них|этих)) (?:[\p{L}'’]+ ){0,3}?(?:happen\p{L}*|occurr?\p{L}*|appear\p{L}*|show\p{L}* up|came up|hit us|was seen|were seen|(?:was|were) (?:observed|found)|applies|apply|passiert\p{L}*|trat\p{L}*|aufgetreten|gesehen|beobachtet|ist|arriv\p{L}*|produit\p{L}*|apparu\p{L}*|ocurri\p{L}+|pas[óo]\p{L}*|apareci\p{L}+|aconteceu|acontecer\p{L}*|ocorreu|не (?:было|произошло|случилось|наблюдал\p{L}*|появил\p{L}*))(?![\p{L}])|(?:这些|上述|以上)(?:问题|情况|现象)?(?:都|一个都|我们都|在我们这里都)?(?:没有?|未)(?:出现|发生|遇到|见)|(?:これら|上記)(?:の|は)?(?:いずれ|どれ)?も(?:問題は)?(?:起き|発生し|見られ|ありま)|(?:이|이런|위의?)\s?(?:중\s?)?(?:문제|현상|어느\s?것|어떤\s?것)[은는도]\s?(?:전혀\s?)?(?:없|발생하지\s?않|나타나지\s?않)/iu,
  FOUND_NONE =
    /(?<![\p{L}])(?:found|saw|see|observed|noticed|spotted|have seen) (?:none|no such (?:thing|cases?|samples?)|not a single (?:one|case)|zero(?: cases)?)[^\p{L}]*$|(?<![\p{L}])(?:haben? (?:wir|ich) )?(?:keine[ns]?|nichts davon) (?:gefunden|gesehen|entdeckt)[^\p{L}]*$|n'en (?:ai|avons|a) (?:trouvé|vu|observé) aucune?[^\p{L}]*$|no (?:encontr|vi|v)(?:é|amos|imos) ningun[oa][^\p{L}]*$|n[aã]o (?:encontr(?:ei|amos)|vi(?:mos)?) nenhum[a]?[^\p{L}]*$|ни одного (?:случая )?(?:не )?(?:нашли|нашёл|увидели)[^\p{L}]*$|(?:一个|一例|一条)(?:都|也)?没(?:有)?(?:发现|看到|找到|见到)?[^\p{L}]*$|(?:一つ|1つ|一件)も(?:見つかりませんでした|ありませんでした)[^\p{L}]*$|(?:하나도|한\s?건도)\s?(?:없었|발견되지\s?않|찾지\s?못)[^.]{0,6}[^\p{L}]*$/iu,
  /** Then it is of another time, or of another run. */
  OTHERWISE =
    /(?<![\p{L}])(?:before|until|with|without|on|using|if|when|help\p{L}*|work\p{L}*|vor|bis|mit|ohne|wenn|avant|avec|sans|antes|con|sin|com|sem|до|без)(?![\p{L}])|之前|以前|ないと|전에/iu;
export const foundNone = (sentence: string): boolean =>
  (NONE_OF_THESE.test(sentence) || FOUND_NONE.test(sentence)) && !OTHERWISE.test(sentence);
