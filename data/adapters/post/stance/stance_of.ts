/**
 * How a clause is meant: whether it states anything of this run, and whether what stands in it is denied.
 *
 * A denial stands before what it denies, and behind it in Japanese, Korean and some of Chinese. @module
 */
import { isExpectedBreak } from "./expected_break.ts";
import { isHeard } from "./hearsay.ts";
import { isAnsweredNo, isHeadingDenied, isListDenied, isSignDenied } from "./listed_denials.ts";
import { expression, has } from "../words/match.ts";
import type { PredicateName } from "../words/predicates.ts";
import { DENIAL, NOT_STATED } from "../words/stance.ts";

const [notStated, denial] = [expression(...NOT_STATED), expression(...DENIAL)];
const NEAR = 22, NEAR_UNSPACED = 8; // Characters between a denial and what it denies, in scripts with spaces and without.
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Behind a condition these say what would be. */
const CONDITION =
    /^\s*(?:and |so |then )?(?:(?:if|suppose|assuming|falls|wenn|si|se|если)(?![\p{L}'])|如果|若|假如|要是|万一|もし|만약)|的话[,，]|場合[は、]|なら、|라면[,\s]/iu,
  WOULD =
    /(?<![\p{L}])(?:will|would|could|might|'ll|'d|won't|there(?:'s| is) no|wird|werden|würde\p{L}*|wäre\p{L}*|könnte\p{L}*|gibt es|sera|aura|serait|aurait|será|sería|habrá|haverá|terá|seria|буд(?:ет|ут))(?![\p{L}])|(?<!不)会(?:是|变|等于|为|导致|出现)?|になる|となる|됩니다|게\s?된다/iu;
/** "If the loss were NaN, I'd understand": up to there all is what is not. */
const UNREAL =
  /^[^\p{L}]*(?:(?:if|wenn|falls|si|se|если)(?![\p{L}])|如果|若|要是|もし|만약)[^]{0,300}?(?:(?<![\p{L}])(?:(?:I|we|it|that)(?:'d| would| could) (?:\p{L}+ )?(?:understand|see|accept|know|get it|be (?:clear|obvious|easy|one thing)|make sense|explain)|(?:würde|könnte) (?:ich|es|das)|(?:ich|das) (?:würde|verstünde|wäre)|(?:je|ça) (?:comprendrais|serait|l'accepterais)|(?:lo )?entender[ií]a|ser[ií]a (?:claro|obvio|óbvio|lógico)|(?:я|это|мне) бы(?:ло бы)?|понял бы)(?![\p{L}])|我(?:还|也|倒|就)?(?:能|会|可以)?(?:理解|明白|接受)|那(?:还|就)(?:能|好|说得通)|(?:分か|わか)(?:ります|る)(?:が|けど)|理解でき|이해(?:하겠|할\s?수|가\s?되겠))/iu;
/** "It is not the case, …": what its "that" opens is not so, in languages that set a comma before it too. */
const NOT_THE_CASE =
    /(?<![\p{L}])(?:not (?:the case|true)|isn't (?:the case|true)|nicht (?:der Fall|wahr|so)|stimmt nicht|unwahr|(?:n'est )?pas (?:le cas|vrai)|no es (?:cierto|verdad|el caso)|não é (?:verdade|o caso)|неправда|неверно|не (?:так|правда)),?\s*(?:that|dass|daß|que|что)(?![\p{L}])/iu,
  FAR = 100; // Characters that it reaches over.
/** The other half of a question that leaves open which of two it is. */
const OR = /^\s*(?:还是|或者|or |oder |ou |или |или же |それとも|아니면)/iu;

/** From where a question asks which of several it is: "is it the parser, or are the answers cut off?" */
const BETWEEN =
    /(?<![\p{L}])(?:is|was|are|were|am|does|did|do|has|have|could) (?:it|this|that|the|my|there|I|we|they)\b.*\bor\b|(?:^|[，,：:；;])\s*(?:到底|究竟|难道)?是.*还是|(?<![\p{L}])(?:est-ce|c'est|ist (?:es|das)|liegt es|[eé]s|será|это|дело)(?![\p{L}]).*(?<![\p{L}])(?:ou|oder|o|или)(?![\p{L}])|.*それとも|.*아니면/iu,
  /** "Is it normal that the loss is 0, or did I break it?": that it is so is said. */
  ASKS_WHETHER_FINE =
    /(?<![\p{L}])(?:normal\w*|why|expected|supposed|ok(?:ay)?|fine|usual|pourquoi|warum|por qué|por que|почему|нормальн\w*)(?![\p{L}])|正常|合理|对吗|为什么|なぜ|왜|정상/iu;

/** A question whether it is so, about the run, that does not ask what such a thing means. */
const WHETHER = /^\s*(?:does|do|did|is|are|was|were|has|have|could|can) (?:the|my|our|its?) /iu,
  WHETHER_AT_END = /吗\s*$/u,
  ASKS_MEANING =
    /(?<![\p{L}])(?:normal|why|expected|supposed|ok(?:ay)?|right|fine|bad|bug|anyone|someone|known|problem|because|due|caused?)(?![\p{L}])|正常|知道|有人|遇到|大佬|合理|对吗|问题|原因|为什么/iu;

/** "Mode collapse and divergence are measured at each step": what is looked for, and not what is seen. */
const LOOKED_FOR =
  /(?<!\p{L})(?:is|are|was|were|werden|wird|sont|est|se|são|é)\s(?:also |all |being |auch |aussi )?(?:measured|monitored|logged|tracked|plotted|computed|checked|watched|gemessen|überwacht|geloggt|protokolliert|mesurée?s?|surveillée?s?|miden?|mide|monitoriza\w*|medid[ao]s?|monitorad[ao]s?)(?!\p{L})[^\d]*$/iu;

/** "Reward hacking was a worry": nothing was seen of it yet. */
const FEARED =
  /(?<!\p{L})(?:(?:was|is|were|are) (?:a|our|my|the|one) (?:worry|concern|fear|risk)|(?:was|were|am|is|are|been) (?:a bit |quite )?(?:worried|afraid|concerned|anxious) (?:about|of|that)|(?:Sorge|Befürchtung) (?:war|ist)|(?:la|ma|notre) (?:crainte|peur)|(?:nos|me) preocupaba|(?:боял\p{L}+|опасал\p{L}+))(?!\p{L})|担心(?:会|是|出现)|心配(?:し|だ)|걱정/iu;

/** A guess, a wish, advice, a definition, what others say, what would be: no statement of what this run does. */
export function isUnstated(text: string, sentence: string, isQuestion: boolean): boolean {
  if (has(notStated, text) || isHeard(text, sentence) || CONDITION.test(sentence) && WOULD.test(text)) return true;
  if (LOOKED_FOR.test(text) || FEARED.test(text) || isExpectedBreak(sentence)) return true;
  if (isListDenied(text, sentence) || isHeadingDenied(text, sentence)) return true;
  const notTheCase = NOT_THE_CASE.exec(sentence), at = sentence.indexOf(text);
  if (notTheCase !== null && at + text.length > notTheCase.index && at < notTheCase.index + FAR) return true;
  if (at >= 0 && at < (UNREAL.exec(sentence)?.[0].length ?? 0)) return true;
  if (!isQuestion) return false;
  const isLast = sentence.trimEnd().endsWith(text.trim());
  const asks = WHETHER.test(text) || isLast && WHETHER_AT_END.test(text);
  const between = ASKS_WHETHER_FINE.test(sentence) ? null : BETWEEN.exec(sentence);
  return OR.test(text) || asks && !ASKS_MEANING.test(sentence) ||
    between !== null && sentence.indexOf(text.trim()) >= between.index;
}

/** "…, this one does not": what stands before it is of another run, or of another time. */
const CONTRAST = new RegExp(
  "^\\W*(?:but |and |while |whereas |aber |mais |pero |mas |но |а )?(?:" + [
    "(?:mine|ours|this (?:one|run|version)|the (?:current|new|latest) (?:one|run|version|\\w+)|now|with (?:the )?[\\w .-]{1,20}? it(?:'s)?)\\b[^.;]{0,24}?(?:n't|\\bnot|\\bnone|\\bno longer|\\bfine|\\bok|\\bstable|\\bnormal|\\bgone|\\bclean|\\bsolid|\\bholds)(?! (?:recover|mov|improv|learn|chang|work|ris|increas|decreas|converg|budg|go|even))",
    "(?:这一?(?:版|次|个)|现在|我的|我这边|当前|目前|新版)[^，。]{0,6}(?:没有?(?!提升|变化|上升|涨|动)|不会|正常|稳定|好了|没事)",
    "(?:今回|今は|現在|こちら)[^。]{0,8}(?:安定|正常|問題な|大丈夫)",
    "(?:이번|지금)[^.]{0,8}(?:안정|정상|괜찮)",
    "(?:jetzt|diese[rs]?|der neue|meine[rs]?|maintenant|ahora|agora|теперь|сейчас)(?![\\p{L}])[^.;]{0,24}(?:stabil|normal|in Ordnung|stable|estable|est[aá]vel|норм|стабильн)",
  ].join("|") + ")",
  "iu",
);

/** Does the rest of a sentence set this run against what was said before? */
export const isContrast = (rest: string): boolean => CONTRAST.test(rest);

/** "It hung before the update, now it does not": what was so is so no longer. */
const WAS =
    /(?<![\p{L}])(?:until|before|used to|at first|initially|(?:was|were) (?:\p{L}+ing|all|always|completely)?|avant|auparavant|vor|früher|zuerst|anfangs|antes|раньше|до)(?![\p{L}])|以前|之前|原来|原先|起初|最初は|前は|예전|이전|처음엔|전에는/iu,
  IS_OVER =
    /(?<![\p{L}])(?:(?:now|jetzt|maintenant|ahora|agora|теперь|since then)(?![\p{L}])[^.]{0,24}?(?<![\p{L}])(?:fine|clean|okay?|works?|good|gone|normal|not|no longer|doesn't|isn't|nicht mehr|plus|no|não|нет|не|gut|bien|bem)|ya no|plus maintenant|nicht mehr|(?:solved|fixed|resolved) (?:by|it|with|that|this|now))(?![\p{L}])|(?:现在|如今|后来?|之后)(?:已经)?(?:都)?(?:就)?(?:正常|好了|没有?|不再|不会|可以了)|今は[^。]{0,12}(?:直|治|正常|なくな|大丈夫|出な|していま?せん|ない)|(?:지금은|이제는?)[^.]{0,10}(?:괜찮|정상|없|안\s|않|잘\s)/iu;

/** True of what was so, where its sentence says that it is over. */
export const isOver = (text: string, sentence: string): boolean => WAS.test(text) && IS_OVER.test(sentence);

/** True of words that hold a denial themselves. */
export const holdsDenial = (text: string): boolean => has(denial, text);

/** "None of the completions is empty", "at no point was the loss NaN": it reaches over what it counts, or saw. */
const SEEN =
    "(?:seen|see|saw|had|observed?|gotten|got|get|noticed?|encountered|experienced|ran into|run into|hit)(?= (?:the|any|an?|my|our|NaNs?)(?![\\p{L}]))(?! (?:the |any |an? |my )?(?:reason|point|cause|problem|bug|error|difference|mistake|idea)s?(?![\\p{L}]))",
  NONE = new RegExp(
    "(?<![\\p{L}])(?:" + [
      "none of|not (?:a single )?one of|no(?! (?:matter|longer|idea|error|difference|wonder)\\b) \\w+(?: \\w+)? (?:is|are|was|were|has|have)",
      `(?:never|not|n't|not once|have yet to|yet to) (?:once |ever |actually |even |yet )*${SEEN}`,
      "(?:at|on|in) no (?:point|time|step|record|line|run)|n(?:o|ot) (?:the )?case (?:that|of|where)|(?:not|isn't) true that|nor (?:that|is|are|was|were|does|do|did|has|have)",
      "aucun\\w* (?:des|de)|(?:à|dans|sur) aucun\\w* (?:moment|instant|pas|étape|run)|jamais (?:vu|eu|observé|constaté)",
      "kein\\w* (?:der|von)|noch nie|nie(?:mals)?|kein (?:einziges )?Mal|zu keine[rm] (?:Zeit(?:punkt)?|Moment)|an keiner Stelle|(?:in|bei) keine[rm] (?:Schritt|Lauf|Zeile)",
      "ningun[oa] de|en ning[uú]n (?:momento|paso|caso|run)|(?:nunca|jam[aá]s) (?:he visto|vi|tuve)",
      "nenhum\\w* d[aoe]s?|em nenhum (?:momento|passo|caso|run)|nunca (?:vi|tive)",
      "ни (?:один|одна|одно) из|ни разу|ни в (?:один|какой) момент|ни на одном шаге|никогда",
    ].join("|") +
      // "Never seen the reward above 0" says that it is 0.
      ")(?![\\p{L}])(?:(?!(?<![\\p{L}])(?:above|over|beyond|past|more than|higher|exceed\\w*|other than|anything|except|but|so|because|größer|höher|über|dépass\\w+|au-dessus|encima|acima|выше|больше)(?![\\p{L}]))[^,;]){0,60}$",
    "iu",
  );
/** Behind such a word nothing is stated of what stands there. */
export const isReached = (before: string): boolean => NONE.test(before);

/** Right behind it, in languages that deny at the end. */
const BEHIND = new RegExp(
  [
    // English and others: it is over.
    "^(?: \\p{L}+){0,2}? (?:(?:is|are|was|were|has|have|went) )?(?:(?:now|all|both|been|completely) )*(?:gone|away|disappeared|fixed|solved|resolved|history)(?![\\p{L}])",
    "^(?: \\p{L}+){0,2}? (?:(?:ist|sind) (?:jetzt )?(?:weg|verschwunden|behoben)|(?:a|ont) disparu|(?:ha|han) desaparecido|desapareci\\p{L}+|sumi(?:u|ram)|исчез\\p{L}*|пропал\\p{L}*)(?![\\p{L}])",
    "^\\s(?:sich\\s)?(?:nicht|nie(?:mals)?|keineswegs|pas|plus|jamais|aucunement)(?![\\p{L}])",
    "^\\p{L}*\\s(?:больше )?(?:нет|не было|не бывает)(?![\\p{L}])",
    // What is denied stands first.
    "^(?: \\p{L}+){0,3} (?:тоже |больше |вообще )?нет(?![\\p{L}])",
    "^(?: \\p{L}+){0,2} (?:gibt es|gab es|habe ich|sehe ich|sah ich|traten) (?:keine?|nicht|nirgends|nie)(?![\\p{L}])",
    "^も[^。、]{0,16}も?(?:ありません|ない|なし|見られません)",
    // Japanese
    "^(?:では|じゃ)?(?:ない|ありません)",
    "^(?:っ?て|し|して|され|されて|でき|できて|って|になって|なって|れて)?い?(?:おらず|ません|ない(?!と)|なかった)",
    "^(?:になる|になった|となった|だった|した|し|だけになる|となる|する|の|な|という)?\\s?(?:出力|現象|症状|様子|値|層|もの|こと|問題|形跡|兆候)?\\s?(?:に|と|へ)?\\s?(?:は|が|も|には|では)\\s?(?:まだ|一度も|一つも|ひとつも|1つも|一切|特に|全く|まったく|今のところ|どこにも|もう)*\\s?(?:出て|なって|起きて|起き|発生して|発生し|見られ|見つかり|見つかっていま|見当たり|見当たら|確認され|確認でき|含まれ|して|再現し|再現せ|あり|上がって|下がって|増えて)?(?:て)?(?:い)?\\s?(?:ませんでした|ません|なかった|な(?:い|く)|せず|おらず|ず、)",
    "^[^、。]{0,6}(?:している|した)?(?:様子|形跡|気配|こと|層)(?:は|も)(?:あり?ません|ない|なかった)",
    // Korean
    "^(?:\\s?있|하|되|지|나|어|아|해지|워지|리|이)?지(?:는|도)?\\s?(?:않|못)",
    "^\\s?(?:이|가|로)?\\s?(?:되는|된|나온|나오는|인)\\s?(?:일|적|경우|것|건)\\s?(?:은|는|이|도)?\\s?(?:전혀\\s?|아직\\s?|한\\s?번도\\s?)*(?:없|아니|아닙)",
    "^\\s?(?:현상|문제|값|증상|글자|출력)?\\s?(?:이|가|은|는|도|을|를)?\\s?(?:전혀\\s?|하나도\\s?|아직\\s?|한\\s?번도\\s?)*(?:없(?:습니다|어요|다|음|었)|나오지\\s?않|나타나지\\s?않|발생하지\\s?않|보이지\\s?않|아닙니다|아니)",
    // Chinese
    "^\\s?(?:的)?(?:现象|情况|问题|迹象|回答|输出)?\\s?(?:都|也|已经|再|一个都|一次都)?\\s?(?:没有?(?:出现|发生|再|见|了)|不会了|不再|消失|解决了|并没有)",
  ].join("|"),
  "u",
);
const ONLY = /(?:only|nothing but|都|全|しか|だけ|ばかり)\s*$/u;

/** Are the words from `at` to `end` denied? A denial before `from` is that of other words. */
export function isDenied(text: string, at: number, end: number, from = 0): boolean {
  const near = UNSPACED.test(text[at] ?? "") || UNSPACED.test(text[at - 1] ?? "") ? NEAR_UNSPACED : NEAR;
  // "No reward, all 0": a denial belongs to what follows it at once.
  const before = text.slice(Math.max(0, from, at - near), at).replace(/^.*[,;，、]/s, "");
  if (ONLY.test(before)) return false;
  // "läuft nicht davon": it stands between the two halves of a verb.
  if (/(?<!\p{L})nicht(?!\p{L})/u.test(text.slice(at, end))) return true;
  const head = text.slice(from, at), rest = text.slice(end, end + 40);
  return has(denial, before) || OPPOSITE.test(before) || OPPOSITE_BEHIND.test(rest) || NONE.test(head) ||
    isSignDenied(head) || BEHIND.test(rest) || isAnsweredNo(rest);
}

/** "The opposite of a collapse". */
const OPPOSITE =
    /(?:the (?:very |exact )?opposite of (?:an? |the )?|das Gegenteil (?:von |eines |einer )|le contraire d(?:e |'un |'une )|lo contrario de (?:un |una )?|o contrário de (?:um |uma )?|противоположность )$|(?<!\p{L})none (?:of (?:them|these|those) )?$/iu,
  OPPOSITE_BEHIND = /^(?:的(?:正)?反面|的对立面|とは(?:正)?反対|の(?:正)?反対|의\s?(?:정)?반대)/u;

/** The part between commas in which some words of a sentence stand. */
export function aroundOf(sentence: string, at: number, end: number): string {
  const first = Math.max(...[",", "，", "、", ";", "；", ":", "："].map((mark) => sentence.lastIndexOf(mark, at - 1))) +
    1;
  const rest = sentence.slice(end).search(/[,，；;]/);
  return sentence.slice(first, rest < 0 ? undefined : end + rest);
}

/** "Repeats are 0.0 %" says that there are none, "less than 0.5 %" and "only 2 %" that there are hardly any. */
const NONE_OF_THEM =
    /(?:only|just|merely|nur|seulement|sólo|solo|apenas|só|только|只有|仅|不过|わずか|고작|단)\s?(?:about |around |etwa |约|~)?\d(?:[.,]\d+)?\s?[%％]|(?<![\d.,])0(?:[.,]0+)?\s?[%％]|(?:不到|低于|不足|less than|fewer than|under|below|weniger als|moins de|menos de|menos do que|менее)\s?[0-4](?:[.,]\d+)?\s?[%％]|(?<![\d.,])[0-4](?:[.,]\d+)?\s?[%％](?:未満|以下|미만)/iu,
  OF_TEXTS: ReadonlySet<PredicateName> = new Set<PredicateName>([
    "garbled",
    "repeats",
    "truncated",
    "empty",
    "identical",
    "token_zero",
    "cheats",
  ]);

/** "Only 3 % of the rewards are zero": most are not. */
const FEW_OF =
    /(?:only|just|merely|nur|seulement|solo|sólo|apenas|только|只有|仅|不到|わずか|고작)\s?(?:about |around |etwa |约|~)?[0-3]?\d(?:[.,]\d+)?\s?[%％]/iu,
  OF_MANY: ReadonlySet<PredicateName> = new Set<PredicateName>(["zero", "not_finite", "negative"]);

/** Does a clause say that none or hardly any of the texts are so? */
export const hasNone = (text: string, predicate: PredicateName): boolean =>
  OF_TEXTS.has(predicate) && NONE_OF_THEM.test(text) || OF_MANY.has(predicate) && FEW_OF.test(text);
