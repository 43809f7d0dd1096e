/**
 * Where the name of a metric is part of the name of a setting: "entropy coefficient", "KL target", "Koeffizient der KL",
 * 熵系数, "clip range 0.3". Its number is what somebody chose, and nothing that was measured. @module
 */

/** Right behind the metric. */
const BEHIND =
  /^(?:[\s_'’-]*(?:loss|penalty|reg(?:ulari[sz]ation)?|control|term|散度|损失|惩罚|ペナルティ|페널티|的|の)){0,2}[\s_-]*(?:(?:coef(?:ficient|s|f)?s?|weight(?:s|ing)?|bonus|beta|β|targets?|limit|threshold|cap|factor|budget|penalt(?:y|ies)|clip(?:ping)?(?![\s_-]*(?:frac|rat|perc))|Koeffizient\p{L}*|Gewicht\p{L}*|Zielwert|Grenze|Schwelle)(?![\p{L}_])|系数|係数|权重|重み|目标值?|目標値?|阈值|閾値|上限|奖励系数|계수|가중치|목표|임계값|상한)/iu;
/** Right before it. */
const BEFORE =
  /(?:(?<!\p{L})(?:coef(?:ficient)?|weight|target|threshold|limit|cap|factor|Koeffizient|Gewicht|poids|cible|seuil|coeficiente|peso|objetivo|umbral|limiar|коэффициент\p{L}*|вес|порог\p{L}*)\s+(?:(?:of|for|on|der|des|für|de|du|del|da|do|sur|para|при|для)\s+)?(?:the\s|la\s|l'|el\s|a\s|o\s)?|(?<!\p{L})coefficient\s+d')$/iu;
/** Names that are a metric where something happens to them, and a setting where they have a number. */
const CHOSEN = /^(?:ppo[ _])?clip(?:ping)?[ _-]?(?:range|bounds?|threshold)$/i;
const NUMBER_BEHIND = /^\s*(?:of|is|was|at|=|:|：|为|是|est|ist|es|é)?\s*(?:set to )?[-+]?[\d.]/iu;
const SPAN = 40; // Characters around a name.

export function isSetting(text: string, at: number, end: number): boolean {
  const behind = text.slice(end, end + SPAN);
  return BEHIND.test(behind) || BEFORE.test(text.slice(Math.max(0, at - SPAN), at)) ||
    CHOSEN.test(text.slice(at, end)) && NUMBER_BEHIND.test(behind);
}
