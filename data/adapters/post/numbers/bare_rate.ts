/** A learning rate that is told by its number alone: "we train with batch 256 at 5e-4". @module */

/** A sentence on how something is trained. */
const TRAINS =
  /(?<![\p{L}])(?:train(?:s|ed|ing)?|fine-?tun\p{L}*|batch(?:es)?|Adam\p{L}*|optimi[sz]er|warm-?up|cosine|schedule|trainier\p{L}*|entra[iî]n\p{L}*|entren\p{L}*|trein\p{L}*|обуч\p{L}*)(?![\p{L}])|训练|微调|学習|학습/iu;
/** Nothing else is so small a number with a power of ten, once it is not named as one of these. */
const OTHER =
  /(?<![\p{L}])(?:eps(?:ilon)?|tol(?:erance)?|weight[ _]decay|kl|beta|β|coef\p{L}*|loss|grad\p{L}*|diff\p{L}*|error|reward|entropy|entropie|noise|std|variance|ratio|lr|learning[ _]rate)(?![\p{L}])|学习率|学習率|학습률|系数|误差/iu;
const RATE =
  /(?<![\p{L}\d.])(?:at|with|@|using|mit|bei|avec|à|con|a|com|при|с)\s+(?:an? |constant |peak )*(\d(?:\.\d+)?e-0?[2-8])(?![\d\w%]|\.\d)|用(?:的)?(?:是)?\s*(\d(?:\.\d+)?e-0?[2-8])(?![\d%])/giu;

/** The number as it is written and where its words begin; null where a clause of a sentence tells none, or several. */
export function bareRate(text: string, sentence = text): { readonly raw: string; readonly at: number } | null {
  if (!TRAINS.test(sentence) || OTHER.test(text)) return null;
  const found = [...text.matchAll(RATE)];
  return found.length === 1 ? { raw: (found[0]![1] ?? found[0]![2])!, at: found[0]!.index } : null;
}
