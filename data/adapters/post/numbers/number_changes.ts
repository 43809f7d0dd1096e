/**
 * Numbers that say by how much a metric moved, or where it came from before it was no number: "dropped by 0.1", "up 8
 * points", 上升了 0.5, "from 0.7 to NaN". None is a value that it has.
 * @module
 */
import type { ClauseNumber } from "./numbers.ts";

const ABOUT =
  "(?:about |around |roughly |almost |nearly |environ |etwa |rund |unos? |cerca de |примерно |почти |约|大约|近)?[~≈]?\\s*";
/** A verb of change right before the number. */
const MOVED = new RegExp(
  [
    `\\b(?:(?:increas|decreas|ris|improv|declin)(?:e[ds]?|ing)|risen|rose|drop(?:s|ped)|fell|falls?|gain(?:s|ed)|lost|climb(?:s|ed)|grew|grows|shrank|(?:went|goes|going) (?:up|down))\\s+(?:by\\s+)?${ABOUT}$`,
    `\\bby\\s+(?:another\\s|an extra\\s)?${ABOUT}$`,
    `(?<!\\p{L})(?:baiss|augment|mont|gagn|perdu|diminu|chut|progress|recul)\\p{L}*\\s+(?:de\\s+)?${ABOUT}$`,
    `(?<!\\p{L})(?:subi[óu]|baj[óa]|aument[óo]u?|cay[óe]|caiu|disminuy[óe]|diminuiu|mejor[óo]u?|creci[óo]|cresceu|perdi[óo]|perdeu|gan[óo]|ganhou)\\s+(?:en\\s+|em\\s+)?${ABOUT}$`,
    `(?<!\\p{L})(?:вырос|упал|снизил|повысил|увелич|уменьш|поднял|просел|подрос)\\p{L}*\\s+на\\s+${ABOUT}$`,
    `(?:上升|提高|提升|增加|增长|上涨|涨|下降|降低|减少|下跌|跌|掉|升|降)了\\s*${ABOUT}$`,
  ].join("|"),
  "iu",
);
/** "um 0,5 gestiegen"; "um 0,5" alone is about 0.5. */
const UM = new RegExp(`(?<!\\p{L})um\\s+${ABOUT}$`, "iu"),
  UM_MOVED =
    /(?<!\p{L})(?:ge(?:stiegen|fallen|sunken|klettert|wachsen)|ab-?genommen|zugenommen|(?:er|ver)(?:höht|bessert|ringert|schlechtert)|st(?:eigt|ieg)|s(?:inkt|ank)|f(?:ällt|iel)|wächst|wuchs)(?!\p{L})/iu;
/** A verb of change right behind it. */
const MOVES_BEHIND =
  /^\s*(?:points?\s|ポイント|だけ|ほど|포인트|만큼|정도)?\s*(?:上が|下が|増え|増加|減|上昇|低下|改善|落ち|올랐|올라|오르|상승|하락|증가|감소|떨어졌|떨어지|내렸)/u;
/** A course begins with it: it is a value. */
const COURSE_BEHIND =
  /^\s*(?:[%％]\s*)?(?:at (?:step )?\d+\s*)?(?:(?:to|à|jusqu'à|auf|bis|a|para|hasta|até|до)(?!\p{L})|->|→|=>|–|到|至|から|에서)/iu;
const TO_NONE =
  /^\s*(?:[%％]\s*)?(?:\(?(?:at |@ ?)?(?:step )?\d+\)?\s*)?(?:to|->|→|=>|à|auf|bis|zu|a|para|hasta|até|до|(?:变成|变为|到|至|变)|から|에서)\s*(?:an?\s)?[-+]?(?:nan|inf(?:inity)?)(?![\p{L}])/iu;
const SPAN = 40; // Characters around a number.

function isChange(text: string, { at, end }: ClauseNumber): boolean {
  const before = text.slice(Math.max(0, at - SPAN), at), behind = text.slice(end, end + SPAN);
  if (TO_NONE.test(behind)) return true;
  if (COURSE_BEHIND.test(behind)) return false;
  return MOVED.test(before) || UM.test(before) && UM_MOVED.test(text) || MOVES_BEHIND.test(behind);
}

/** The numbers of a clause without those by which something moved. */
export function withoutChanges(text: string, numbers: readonly ClauseNumber[]): readonly ClauseNumber[] {
  return numbers.filter((number) => number.kind !== "value" || !isChange(text, number));
}
