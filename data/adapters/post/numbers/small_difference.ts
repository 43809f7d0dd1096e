/** Differences that a sentence calls too small to matter. @module */

const SMALL = new RegExp(
  "(?<![\\p{L}])(?:" + [
    "tiny|negligible|small|slight(?:ly)?|minor|minuscule|insignificant|marginal(?:ly)?|(?:very |quite |so |pretty )close|a (?:little )?bit|a little|nearly (?:identical|equal|the same)|within (?:noise|tolerance|rounding|float\\p{L}* error)|only by rounding|rounding errors?",
    "winzig\\p{L}*|gering\\p{L}*|vernachlässigbar\\p{L}*|klein\\p{L}*|minimal\\p{L}*|ein (?:bisschen|wenig)|unbedeutend\\p{L}*|fast (?:gleich|identisch)",
    "négligeables?|minimes?|petite?s?|infimes?|faibles?|(?:juste )?un (?:tout petit )?peu|légèrement|presque (?:identiques?|égales?)",
    "insignificantes?|un poco|un poquito|pequeñ\\p{L}+|m[ií]nim\\p{L}+|despreciables?|ligeramente|casi (?:iguales|idéntic\\p{L}+)",
    "um pouco|um pouquinho|desprez[ií]ve(?:l|is)|pequen\\p{L}+|irrelevantes?|ligeiramente|quase (?:iguais|idêntic\\p{L}+)",
    "ничтожн\\p{L}+|немного|чуть|чуть-чуть|мал(?:а|о|ы|ое|ая|енькая|енькое)|незначительн\\p{L}+|небольш\\p{L}+|крошечн\\p{L}+|почти (?:равны|одинаков\\p{L}+)",
  ].join("|") +
    ")(?![\\p{L}])|微小|有一?点(?:儿|点)?(?:不同|差|不一样|出入)|略有|少し(?:違|ずれ|異な)|조금\\s?(?:다르|차이)|약간|(?<!不)(?:很|非常|极|特别|都)小|极小|(?<!不)可以忽略|(?<!不能|不可)忽略不计|(?:很|非常|基本)接近|几乎(?:一样|一致|相同)|基本一致|わずか|ごく小|小さ(?:い|く)|無視でき(?!ない|ません)|ほぼ(?:一致|同じ)|미미|무시할\\s?(?:수\\s?있|만)|거의\\s?(?:같|동일|일치)|(?:아주|매우)\\s?작",
  "giu",
);
const LARGE =
    /(?<![\p{L}])(?:large|huge|big|far|great(?:ly)?|massive(?:ly)?|a lot|grow(?:s|ing)?|wildly|groß\p{L}*|stark|riesig\p{L}*|énormes?|grandes?|beaucoup|mucho|enormes?|muito|огромн\p{L}+|сильно|больш(?:ая|ое|ие|ой))(?![\p{L}])|很大|巨大|越来越大|大きい|大きく|크(?:게|다|고)|커지/iu,
  DENIES =
    /(?<![\p{L}])(?:not|no longer|never|hardly|nicht|kein\p{L}*|pas|plus|no|não|не)(?![\p{L}])[^,;]{0,12}$|n't[^,;]{0,12}$/iu;

/** True of a sentence that calls a difference small, and nothing in it large. */
export function isSmallDifference(sentence: string): boolean {
  return !LARGE.test(sentence) &&
    [...sentence.matchAll(SMALL)].some(({ index }) => !DENIES.test(sentence.slice(Math.max(0, index - 24), index)));
}
