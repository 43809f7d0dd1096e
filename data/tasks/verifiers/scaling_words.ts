/** Words that multiply or divide the number before them: 42 million is not 42. @module */

const WORDS =
  /^(?:hundreds?|thousands?|tausend|mille?|mil|\w*ill(?:ion|iard|ón)(?:en|es|s)?|millones|milliarden|mln|mio|mrd|bn|mn|lakhs?|lacs?|crores?|cr|grand|bil|[十百千万萬億亿]+|тыс\p{L}*|миллион\p{L}*|миллиард\p{L}*|myriads?|dozens?|scores?|gross|hal(?:f|ves)|thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?|\w*(?:teen|tie|twelf|eleven|hundred|thousand|illion)ths?|fold)$/iu;
/** Where capitals matter: mm is a length, and m one too. */
const LETTERS = /^(?:[kK]{1,2}|M{1,2}|B|T)$/;

/** Whether a word right behind a number scales it; one letter does there only (a point B is none). */
export function isScaling(word: string): boolean {
  return WORDS.test(word) || LETTERS.test(word);
}
