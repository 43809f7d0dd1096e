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
