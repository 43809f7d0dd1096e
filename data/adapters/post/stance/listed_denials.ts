/**
 * Denials that reach over a list: "no signs of NaN, collapse or reward hacking", 「没有出现重复、乱码」, and those that answer
 * a heading: "Reward hacking: no". @module
 */
import { sifted } from "../words/match.ts";

interface Opening {
  readonly opens: RegExp;
  /** What stands before the last item of a list. */
  readonly joins: RegExp;
}

const opening = (opens: string, joins: string): Opening => ({
  opens: new RegExp(`(?<![\\p{L}])(?:${opens})(?![\\p{L}])`, "iu"),
  joins: new RegExp(`(?<![\\p{L}])(?:${joins})(?![\\p{L}])`, "iu"),
});

/** Nothing of it was seen: all that follows is denied, "and" joins it too. */
const SIGNS_OF =
  "(?:no|not any|n't (?:\\p{L}+ )?any|not (?:\\p{L}+ )?any|never (?:\\p{L}+ )?any|without|zero|keinerlei|keine?|ohne|aucune?|pas de|sans|ning[uú]n\\p{L}*|sin|nenhum\\p{L}*|sem|никаких|нет|не было|без) (?:\\p{L}+ )?(?:signs?|traces?|evidence|indications?|symptoms?|hints?|instances?|cases?|Anzeichen|Spur(?:en)?|Hinweise?|Fälle?|signes?|indices?|cas|señal(?:es)?|rastros?|indicios?|casos?|sina(?:l|is)|ind[ií]cios?|признак\\p{L}*|следов|случаев)(?: (?:of|for|von|für|auf|de|du))?";
const signsBefore = new RegExp(`(?<![\\p{L}])(?:${SIGNS_OF})(?![\\p{L}])([^,;]{0,60})$`, "iu");
/** "Keinerlei Anzeichen von …": what stands behind such words, up to a comma. */
export function isSignDenied(before: string): boolean {
  const between = signsBefore.exec(before)?.[1];
  return between !== undefined && !WANTED.test(between) && !STATES.test(between);
}
const OPENINGS: readonly Opening[] = [
  opening(SIGNS_OF, "and|or|nor|und|oder|noch|et|ou|ni|y|o|e|nem|и|или|ни"),
  opening(
    "(?:did(?:n't| not)|have(?:n't| not)|never) (?:see|seen|saw|observed?|noticed?|find|found|encountered?|experienced?)(?: any)?",
    "and|or|nor",
  ),
  opening("no|without|neither", "or|nor"),
  opening("keine?|ohne|weder", "oder|noch"),
  opening("aucune?|sans|pas de|ni", "ou|ni"),
  opening("ning[uú]n\\p{L}*|sin|ni", "o|ni"),
  opening("nenhum\\p{L}*|sem|nem", "ou|nem"),
  opening("без|нет|ни|никак\\p{L}+", "или|ни"),
];
/** What a run wants is no fault: "no improvement, collapse" says both. */
const WANTED =
  /^\s*(?:(?:the|any|de|d[eo]s?|von|of) )*(?:improvement|learning|progress|change|convergence|gain|signal|effect|luck|Verbesserung|Lernen|Fortschritt|Änderung|amélioration|progrès|apprentissage|mejora|progreso|aprendizaje|melhor|progresso|aprendizado|улучшени|прогресс|обучени|сходимост)|^\s*(?:任何)?(?:提升|改善|收敛|变化|学|进步|效果|上升|增长|梯度|信号)/iu;
/** An item that is a statement of its own ends the list. */
const STATES =
  /\d|(?<![\p{L}])(?:is|are|was|were|has|have|had|does|did|goes|went|stays?|stayed|drops?|dropped|rises?|rose|falls?|fell|turns?|turned|gets?|got|but|then|ist|sind|war|hat|bleibt|steigt|fällt|wird|wurde|aber|dann|est|sont|reste|monte|tombe|devient|mais|puis|es|son|está|sube|cae|pero|luego|é|são|fica|sobe|cai|mas|depois|стал\p{L}*|раст\p{L}+|пада\p{L}+|но|потом)(?![\p{L}])/iu;
const MAX_ITEM = 60, MAX_LIST = 240; // Characters.

/** From where to where a list in a sentence is denied, in a script with spaces. */
function spacedList(sentence: string, { opens, joins }: Opening): readonly [from: number, to: number] | null {
  const found = opens.exec(sentence);
  if (found === null) return null;
  const from = found.index + found[0].length, list = sentence.slice(from, from + MAX_LIST).replace(/[.;:()].*$/su, "");
  if (WANTED.test(list)) return null;
  let to = 0, at = 0;
  for (const [i, item] of list.split(",").entries()) {
    if (item.length > MAX_ITEM || STATES.test(item)) break;
    at += item.length + (i === 0 ? 0 : 1);
    if (joins.test(item)) to = at;
  }
  return to === 0 ? null : [from, from + to];
}

const SIGNS_OPEN =
    /(?:(?:没有?|未)(?:有)?(?:出现|发现|观察到|看到|见到|遇到|发生|产生|检测到|见)|(?:没有|无)任何)(?:过|任何|明显的?)*/u,
  /** A bare denial reaches over a list that says where it ends. */
  BARE_OPENS = /(?:没有|无)(?=[^，。；：]{1,40}(?:或者?|以及|等(?:问题|现象|情况)))/u,
  SIGNS_END = /[，。；：！？,.;!?\d（(]/u,
  SIGNS_STATE = /[为是了]|一直|变成|掉到|涨到|但/u;

function unspacedList(sentence: string): readonly [from: number, to: number] | null {
  const found = SIGNS_OPEN.exec(sentence) ?? BARE_OPENS.exec(sentence);
  if (found === null) return null;
  const from = found.index + found[0].length,
    rest = sentence.slice(from, from + MAX_LIST),
    end = rest.search(SIGNS_END);
  const list = end < 0 ? rest : rest.slice(0, end);
  return WANTED.test(list) || SIGNS_STATE.test(list) ? null : [from, from + list.length];
}

/** Behind an item: the rest of its list, and that nothing of it was seen. */
const DENIED_BEHIND = sifted(
  "^(?:[、,]\\s?(?!改善|向上|学習|収束|変化|効果|上昇)(?:(?![がをはもにでてだ])[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ーA-Za-z ]){1,20}){1,6}(?:など)?(?:の(?:兆候|現象|問題|症状))?(?:は|も)(?:一切|全く|まったく|特に|どれも)?(?:見られま?せん|見られな|ありません|なかった|ない|起きていま?せん|起きませんでした|発生していま?せん|発生しませんでした|確認され(?:ませんでした|ていま?せん|なかった)|出ていま?せん)" +
    "|^(?:,\\s?(?!개선|향상|학습|수렴|변화|효과|진전)(?:(?!고,|며,|지만)[\\p{Script=Hangul}A-Za-z ]){1,16}){1,6}(?:은|는|이|가|도|같은 (?:현상|문제)은)\\s?(?:전혀\\s?|모두\\s?)?(?:없(?:습니다|었습니다|었다|다|음|어요)|보이지\\s?않|나타나지\\s?않|발견되지\\s?않|관찰되지\\s?않|발생하지\\s?않)",
  "u",
);
const ITEM_BEFORE =
  /^[\s]*(?:(?:(?![がをはもにでてだ])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ーA-Za-z ]){1,24}|(?:[\p{Script=Hangul}A-Za-z]+ ?){1,4})\s*$/u;

/** True of a clause that is an item of a list that is denied as a whole. */
export function isListDenied(text: string, sentence: string): boolean {
  const at = sentence.indexOf(text);
  if (at < 0 || text.trim() === "") return false;
  const first = at + text.length - text.trimStart().length, end = at + text.trimEnd().length;
  const lists = [...OPENINGS.map((one) => spacedList(sentence, one)), unspacedList(sentence)];
  return lists.some((list) => list !== null && first >= list[0] && first < list[1]) ||
    ITEM_BEFORE.test(text) && DENIED_BEHIND.test(sentence.slice(end, end + 160).trimStart());
}

const NO =
    "(?:no|nope|none|never|nein|keine[rs]?|non|aucune?|jamais|ning[uú]n[oa]?|nunca|n[aã]o|nenhuma?|нет|не было)(?: (?:found|seen|observed|so far|at all|gefunden|gesehen|beobachtet|trouvée?|observée?|encontrad[oa]|observad[oa]|найдено|замечено))?|not (?:seen|observed|found|present)|nicht (?:gesehen|beobachtet|vorhanden|aufgetreten)|没有?|无|未见|未(?:出现|发现)|なし|無し|ありません|없음|없습니다|아니요",
  NO_CASES =
    "(?:zero|0|no|null|keine|zéro|aucun|cero|0|ning[uú]n|nenhum|ноль|нет|0) (?:cases?|instances?|hits?|examples?|Fälle|Treffer|cas|casos?|случаев)(?: found)?|(?:0|零)\\s?(?:例|件|건)|없(?:음|었습니다)";
const MARK = "\\s*(?:[:：]|\\s[–—-]{1,2}\\s)\\s*", END = "(?=\\s*(?:[.,;。，；、)）!！]|$))";
const answers = new RegExp(`^${MARK}(?:${NO}|${NO_CASES})${END}`, "iu"),
  onlyCases = new RegExp(`^\\s*(?:${NO_CASES})${END}`, "iu");
/** A heading names one thing, or says that it was looked for. */
const HEADING = /^[^\d,;:.]{1,40}$/u,
  JOINED = /(?<![\p{L}])(?:with|without|and|after|mit|ohne|und|avec|sans|et|con|sin|y|com|sem|e|с|без|и)(?![\p{L}])/iu,
  LOOKED_FOR =
    /(?<![\p{L}])(?:checked|looked for|searched|audited|inspected|reviewed|geprüft|gesucht|vérifiée?|cherchée?|revisad[oa]|buscad[oa]|verificad[oa]|провер\p{L}+|искал\p{L}*)(?![\p{L}])|检查|排查|人工看|確認|調べ|확인|점검/iu;

/** "Reward hacking: no", "NaN: none": what a heading names, right before `rest`, is denied. */
export const isAnsweredNo = (rest: string): boolean => answers.test(rest);

/** True of a heading that is answered by no, and of the answer that counts no case of it. */
export function isHeadingDenied(text: string, sentence: string): boolean {
  const at = sentence.indexOf(text);
  if (at < 0) return false;
  if (onlyCases.test(text) && /[:：]\s*$/u.test(sentence.slice(0, at))) return true;
  return isAnsweredNo(sentence.slice(at + text.length)) &&
    (LOOKED_FOR.test(text) || HEADING.test(text) && !JOINED.test(text));
}
