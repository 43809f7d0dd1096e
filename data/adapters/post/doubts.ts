/** Sentences that may say that something is wrong, in words that nobody here understands. @module */
const DOUBTS =
  /(?<![\p{L}])(?:but|however|problems?|trouble|broken|hate|worse|what happened|what went|weird|strange|unfortunately|wrong|aber|jedoch|leider|problème|mais|malheureusement|pero|mas|но|однако|проблем\p{L}*)(?![\p{L}])|但是|然而|不过|可是|奇怪|怎么回事|しかし|ですが|おかし|하지만|그런데|이상하/iu;

/** True of a sentence that sets something against what went before, or calls it a problem. */
export const doubts = (sentence: string): boolean => DOUBTS.test(sentence);
