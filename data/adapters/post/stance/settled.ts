/** What was so and is over: "Before: the reward was 0. Now it works", "solved: …", "they fixed the bug where …". @module */
import { beginsInJest } from "./takes_back.ts";
import { sifted } from "../words/match.ts";

const word = (words: readonly string[], signs: readonly string[] = []) =>
  sifted([`(?<![\\p{L}])(?:${words.join("|")})(?![\\p{L}])`, ...signs].join("|"), "iu");

/** Of the time before. */
const PAST = word([
  "was|were|had|got|used to|kept|stayed|became|before|previously|formerly|at first|turned|went|exploded|collapsed|dropped|diverged|(?:the |my )?first (?:time|run|attempt|try)",
  "war(?:en)?|blieb(?:en)?|hatten?|wurden?|vorher|lag(?:en)? (?:an|daran)|früher|zuvor|davor|ging(?:en)?|fiel(?:en)?|sprang|explodierten?|letzte (?:Woche|Nacht)|gestern",
  "était|étaient|avait|restait|avant|auparavant|j'étais|devenai(?:t|ent)|tombai(?:t|ent)|explosait|partait|est devenue?",
  "era|eran|estaba|fue|antes|quedaba|estava|ficava|ficou|foi|volv(?:ía|ió)n?|ponía|puso|ca[ií]a|usaba|vir(?:ava|ou)|usava",
  "был[аои]?|становил\\p{L}*|стал[аои]?|падал\\p{L}*|взрывал\\p{L}*|уходил\\p{L}*|раньше|прежде|до этого",
], [
  "原因是|是因为|第一次|头一次|1回目|初回|첫\\s?번째|なりましたが|先週|昨日|之前|一开始|最初|起初|以前|原来|原先|此前|前は|でした|だった|ていま?した|이전에?|전에는|(?:었|였|았|했|이었|됐|졌|갔|났)(?:습니다|어요|다|고|는데|지만)",
]);
/** Of the time after. */
const NOW = word([
  "\\p{L}+ing (?:[\\p{L}\\d._=-]+ ){0,8}?(?:fixed|solved|resolved|cured) (?:it|that|this)|now|nowadays|since then|after (?:the|that|this|my|our) (?:fix|change|switch|update|patch|upgrade)|after (?:switching|changing|fixing|upgrading|moving|going|correcting|replacing)|after (?:filtering|removing|setting|adding|updating) (?:this|these|those|that)|(?:so|then|and) (?:I|we) (?:moved|switched|changed|went) (?:back )?to|(?:the |my )?second (?:run|time|attempt|try)",
  "jetzt|nun|inzwischen|mittlerweile|seitdem|(?:also|dann) (?:bin|habe) (?:ich|wir)|seit (?:dem|der) (?:Tausch|Wechsel|Fix|Umstellung|Austausch|Reparatur|Änderung)|nach (?:dem|der) (?:Fix|Korrektur|Änderung|Umstellung|Wechsel|Update)",
  "(?:alors|donc) (?:je suis passé|j'ai changé|nous sommes passés)|maintenant|désormais|depuis lors|après (?:le|la) (?:correctif|correction|changement|mise à jour)",
  "ya (?:funciona|va|todo|no)|ahora|desde entonces|tras (?:el|la) (?:arreglo|cambio|corrección)|después (?:del arreglo|de corregir\\w*)",
  "agora|desde então|depois d[aoe] (?:correção|mudança|conserto|corrigir)",
  "теперь|сейчас|с тех пор|после (?:исправления|фикса|замены|перехода)",
], [
  "现在|如今|目前|(?:修复|改|换|修)(?:完|好)?(?:之)?后|(?:换成|改成|改用|换)[^，。]{1,16}(?:以后|之后|后)|(?:変え|替え|直し|にし|戻し)たら|(?:바꾸니|바꿨더니|바꾼\\s?(?:후|뒤)|바꾸고\\s?나)|今は|現在は?|(?:修正|変更|直した)後|지금은?|이제는?|수정\\s?후",
]);
const WELL = word([
  "(?:fixed|solved|resolved|cured) (?:it|that|this)|work(?:s|ed|ing)?|fine|great|well|good|stable|healthy|normal|smooth(?:ly)?|(?:trains?|runs?) (?:perfectly|now|fine|well)|perfect(?:ly)?|rises?|rising|climbs?|climbing|increases?|increasing|goes up|learns?|learning|converges?|ok(?:ay)?",
  "läuft|lief|funktionierte?|klappt|prima|gut|steigt|stabil|lernt",
  "march(?:e|ait)|fonctionn(?:e|ait)|monte|bien|augmente|apprend",
  "funciona(?:ba|va)?|sube|aumenta|estable|aprende|sobe|bem|est[aá]vel",
  "работал[оаи]?|работает|раст[её]т|стабильн\\p{L}*|нормально|хорошо|учится",
], [
  "涨|正常|好了|稳定|上升|可以了|没问题|上が|安定|直り|順調|問題な|올라|오르|정상|잘\\s|안정|괜찮",
  "\\d\\s*(?:->|→|=>)\\s*\\d",
]);
/** What is not well, but for a NaN that is gone. */
const ILL =
    /(?<![\p{L}])(?:inf|stuck|flat|zero|explo\p{L}*|collaps\p{L}*|crash\p{L}*|fail\p{L}*|garb\p{L}*|gibber\p{L}*|worse|hangs?|still|again|nothing|nichts|rien|ничего|doesn't|isn't|not|never|noch immer|immer noch|wieder|nicht|toujours|encore|pas|todav[ií]a|otra vez|sigue|de novo|ainda|снова|опять|всё ещё|не)(?![\p{L}])|(?<![a-z])nan(?![a-z])|又|还是|仍|再次|崩|爆|乱码|不(?!再|过|错)|没(?!问题)|まだ|また|ない(?!問題)|여전히|다시|않|못/iu,
  GONE =
    /(?<![\p{L}])(?:no|not|never|without|no more|kein\p{L}*|sans|sin|sem|без|нет) (?:a single |more |mehr |any )?(?:NaNs?|crash\p{L}*|problem\p{L}*)|(?:没有?|不再(?:是|有|出现)?)\s?(?:NaN|问题)|問題な/giu;

/** A head that says so: "UPDATE: solved.", "Problem gelöst: …". */
const SOLVED =
  /^[^\p{L}]*(?:(?:update|edit|news|nachtrag|mise à jour|actualización|atualização|обновление|更新|追記|업데이트)[^\p{L}]{0,12})?(?:(?:the |my |this |das |mein |le |el |o |a )?(?:problem[ae]?|issue|bug|problème|проблема|问题|問題|문제)\s?(?:is|was|has been|now|ist|wurde|est|está|foi|は|が|는|가|已经|已|终于)?\s?)?(?:solved|resolved|fixed(?: it)?|gelöst|behoben|résolue?|resuelt[oa]|solucionad[oa]|resolvid[oa]|решен[оа]|исправлен[оа]|已?解决|已修复|解決(?:しました|済み?|した)|해결(?:했|됐|되었|됨))(?!\p{L}(?<=[\p{Script=Latin}\p{Script=Cyrillic}]))/iu;
/** Up to a change that is made. */
const UNTIL = word([
  "until (?:I|we) (?:\\p{L}+ ){0,2}?(?:fix|chang|switch|set|updat|replac|correct|remov|add|us|pass|upgrad|found)\\p{L}*",
  "bis (?:ich|wir) [^.;]{0,40}(?:behoben|geändert|gewechselt|korrigiert|umgestellt|repariert)\\p{L}*",
  "jusqu'à ce que (?:je|nous|j')[^.;]{0,12}(?:corrig|chang|remplac|pass)\\p{L}*",
  "hasta que (?:arregl|cambi|corre[gj]|solucion|pas)\\p{L}+",
  "até (?:que )?(?:eu )?(?:corrig|mud|troc|consert)\\p{L}+",
  "пока (?:я |мы )?не (?:исправил|поменял|заменил|переш)\\p{L}*",
], ["直到(?:我们?)?[^，。]{0,12}(?:修|改|换)", "(?:直す|修正する|変える)まで", "(?:고치|수정하|바꾸)기\\s?전까지"]);

/** Something was put right; a problem stands beside it. */
const FIXED = word([
    "(?:fixed|cured|got rid of|eliminated) (?:the|an?|my|our|this|that|all)",
    "(?:solved|resolved) (?:the|an?|my|our|this|that) (?:[\\p{L}-]+ ){0,2}?(?:issue|problem|bug|error|failure|NaNs?)",
    "(?:behoben|gelöst|gefixt|beseitigt)",
    "(?:corrigé|résolu|réglé)e?s?(?! \\d)",
    "arregl(?:é|amos|ó|aron|ado)|solucion(?:é|amos|ó|aron|ado)|resolv(?:í|imos|ió|ieron)|(?:he|hemos|ha|han|está|fue) resuelto|correg(?:í|imos|ido)|corrigi(?:ó|eron)",
    "consert(?:ei|amos|ou|aram)|corrig(?:i|imos|iu|iram)|resolv(?:i|emos|eu|eram)(?! \\d)",
    "исправил\\p{L}*|починил\\p{L}*|устранил\\p{L}*|решил\\p{L}* проблем\\p{L}*",
  ], [
    "(?:修复|解决|修好)了(?!\\s?[\\d一二三四五六七八九十几])|(?:已经?|终于)(?:被)?(?:修复|解决|修好)",
    "(?:を|が|は)(?:修正|解決|直)(?:しました|した|済み)",
    "(?:을|를|이|가|은|는)\\s?(?:해결|수정)(?:했|됐|되었)|고쳤",
  ]),
  /** It was not, or something came of it. */
  NOT_FIXED =
    /(?<![\p{L}])(?:not|never|yet|to be|can(?:not|'t)|could|should|would|will|since|after|when|once|although|though|nicht|seit|nachdem|pas|ni|ning[uú]n\p{L}*|aucune?|kein\p{L}*|nenhum\p{L}*|sin|sans|sem|ohne|без|depuis|no|después|não|depois|desde|не|после)(?![\p{L}])|n't(?![\p{L}])|没|未|无法|不能|之?后|ません|ない|せず|後|못|않|후/iu,
  GOES_ON =
    /(?<![\p{L}])(?:and|so|und|et|y|e|и) (?:now |then |still |jetzt |maintenant |ahora |agora |теперь )?(?:the|my|it|its|reward|loss|kl|grad\p{L}*|der|die|das|le|la|el|o|a|награда|лосс)(?![\p{L}])/iu;

/** True of a clause that says that something was put right: what stands in it is over. */
export const isFixed = (text: string, isQuestion: boolean): boolean =>
  !isQuestion && FIXED.test(text) && !NOT_FIXED.test(text) && !GOES_ON.test(text);

export const isSolved = (sentence: string): boolean => SOLVED.test(sentence);

/** "Now it works": true of a sentence that speaks of the time after, and well of it. */
export function isWellNow(sentence: string): boolean {
  const text = sentence.replace(GONE, " ");
  return NOW.test(text) && (WELL.test(text) || text !== sentence) && !ILL.test(text);
}

/** From where a sentence of something past tells that it is well since: "the loss was NaN, now it works"; else -1. */
export function wellFrom(sentence: string): number {
  const at = NOW.exec(sentence)?.index ?? -1;
  return at > 0 && PAST.test(sentence.slice(0, at)) && isWellNow(sentence.slice(at)) ? at : -1;
}

/** "EDIT: it works now": a head too. */
const EDITED =
  /^[^\p{L}]*(?:update|edit|nachtrag|mise à jour|actualización|edición|atualização|edição|обновление|更新|編集|追記|업데이트|수정)\s?\d*\s?[:：]/iu;
const isEditedWell = (sentence: string) => EDITED.test(sentence) && isWellNow(sentence);

/** The mark of a title: "[SOLVED] GRPO loss is NaN". */
const MARK =
  /[[【(（]\s*(?:solved|resolved|fixed|gelöst|erledigt|résolu|resuelto|solucionado|resolvido|решено|已解决|已修复|解決済み?|해결(?:됨|완료)?)\s*[\]】)）]/iu;
/** True of a title that says so of all that stands below. */
export const isSolvedTitle = (sentence: string): boolean => MARK.test(sentence) || isSolved(sentence);

/** True of a sentence that tells only of the time before. */
export const isPast = (sentence: string): boolean => PAST.test(sentence) && !NOW.test(sentence);

/** "My first attempt had …, because of a broken driver": an attempt whose cause is known is over. */
const FIRST_ATTEMPT =
    /(?<![\p{L}])(?:(?:my|our) (?:very )?first (?:attempt|try)|(?:mein|unser) erster (?:Versuch|Anlauf)|(?:mon|ma|notre) premi(?:er essai|ère tentative)|mi primer intento|(?:a )?minha primeira tentativa|перв\p{L}+ попытк\p{L}+)(?![\p{L}])|(?:我的?)?第一次(?:尝试|试跑)|最初の試み|첫\s?(?:번째\s?)?시도/iu,
  KNOWN_CAUSE =
    /(?<![\p{L}])(?:because (?:of|my|the|I)|due to|wegen|weil|à cause d|parce que|por culpa d|porque|por causa d|из-за|потому что)|因为|由于|のせい|が原因|때문/iu;

interface Told {
  readonly sentence: string;
  readonly isQuestion: boolean;
}

/** For each sentence of a paragraph, whether it tells of the time before something was solved. */
export function settledIn(sentences: readonly Told[]): readonly boolean[] {
  const states = ({ isQuestion }: Told) => !isQuestion;
  const last = sentences.findLastIndex((one) => states(one) && isWellNow(one.sentence));
  const head = sentences.findIndex((one) => states(one) && (isSolved(one.sentence) || isEditedWell(one.sentence)));
  return sentences.map(({ sentence, isQuestion }, i) =>
    !isQuestion && FIRST_ATTEMPT.test(sentence) && KNOWN_CAUSE.test(sentence) ||
    beginsInJest(sentences[i + 1]?.sentence ?? "") || UNTIL.test(sentence) ||
    (i < last || head >= 0) && i !== last && PAST.test(sentence)
  );
}

/** Of a sentence that tells of the time before, what stands behind a "now" is of this one. */
export const isOfNow = (before: string, text: string): boolean => NOW.test(before) || NOW.test(text);

/** "It worked before the update, …": what goes on behind it is how it is since. */
export const wasWell = (before: string): boolean => PAST.test(before) && WELL.test(before) && !ILL.test(before);
