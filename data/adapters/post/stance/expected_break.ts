/** A break that was wanted, or foreseen of a setting that nobody keeps: "as expected lr 1e-2 diverges". @module */

const EXPECTED =
  /(?<![\p{L}])(?:as (?:expected|it should)|unsurprisingly|of course|on purpose|deliberately|wie (?:erwartet|zu erwarten)|erwartungsgemäß|absichtlich|comme (?:prévu|attendu)|exprès|como (?:era de esperar|esperado|se esperaba)|a propósito|de propósito|как и (?:ожидалось|следовало ожидать)|нарочно|специально)(?![\p{L}])|如预期|不出所料|果然|故意|予想通り|案の定|わざと|예상대로|일부러/iu;
const BREAKS =
  /nan|diver|explo|collaps|crash|inf\b|platz|kollab|stürzt|effondr|plante|расход|взрыв|рухн|发散|崩|爆|発散|崩壊|발산|붕괴|터/iu;

/** True of a sentence that tells of such a break. */
export const isExpectedBreak = (sentence: string): boolean => EXPECTED.test(sentence) && BREAKS.test(sentence);
