/** Lines that tell the figures of several train steps: `step 50: reward 0.55; step 100: reward 0.61`. @module */

const MAX_COURSE = 4000; // Characters of a line with figures of several steps.
const STEP = "(?:(?:train )?steps?|iter(?:ation)?|update|Schritt|étape|pas|paso|passo|шаг)";
const OF_STEP = new RegExp(`${STEP}\\s*\\d+\\s*[:：]`, "iu");
const AT_STEP = new RegExp(`(?=${STEP}\\s*\\d+\\s*[:：])(?<=[.;|/,。；]\\s*)`, "iu");
/** `step 50 reward 0.55, step 100 reward 0.61`: a metric, a number and no more behind each step. */
const BARE = new RegExp(
  `(?<![\\p{L}])${STEP}\\s*#?\\d{1,7}\\s*[=,]?\\s*[\\p{L}_/]{2,24}\\s*[=:]?\\s*[-+]?\\d+(?:[.,]\\d+)?%?(?=\\s*(?:[,;|/]|->|→|\\.(?!\\d)|$))`,
  "giu",
);
const LIST = 2; // Such pieces that are a list.

/** The parts of a line, one a train step; none where it tells of one step, or of none. */
export function stepsIn(text: string): readonly string[] {
  if (text.length > MAX_COURSE) return [];
  const parts = OF_STEP.test(text) ? text.split(AT_STEP) : [];
  if (parts.length > 1) return parts.map((part) => part.trim().replace(/[.;|/,。；]$/, ""));
  const bare = text.match(BARE) ?? [];
  return bare.length >= LIST && text.trimStart().startsWith(bare[0]!) ? bare : [];
}
