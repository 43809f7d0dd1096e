/**
 * Numbers that people tell out of order, or each with its time, set in the order in which they came: "1.24 (from 1.90)" is
 * 1.90 → 1.24, "1.2 after epoch 1, 1.4 after epoch 2" is 1.2 → 1.4, "0.31 (step 0), 0.38 (step 50)" has a train step each.
 *
 * Every text keeps its length: places in it are places in the line. @module
 */
import { writtenNumber } from "./numbers.ts";

const NUMBER = "(?<![\\p{L}\\d_./-])[-+−]?\\d{1,6}(?:[.,]\\d{1,6})?(?:\\s?[%％])?(?![.,]?\\d)";
const ABOUT = "(?:[~≈]|about |around |etwa |environ |около |约)?\\s?";
/** In front of what a metric was before. */
const FROM = [
  "(?:(?:up|down|coming|starting) )?from|was|were|initial(?:ly)?:?|originally|before(?: (?:training|that|the run))?:?|start(?:ed|ing|s)? (?:at|from|with)|began at|vs\\.? (?:base|initial)|base(?:line)?:?",
  "vorher|zuvor|davor|anfangs|zu Beginn|am Anfang|ausgehend von|von|Start(?:wert)?:?",
  "avant|au départ|au début|partant de|contre|initialement",
  "antes(?: era)?|al principio|al inicio|inicialmente|partiendo de|no início|no começo|partindo de|contra",
  "раньше|сначала|было|в начале|вначале|до этого|изначально",
].join("|");
const FROM_SIGNS =
  "(?:刚)?开始(?:时)?(?:是|为)?|初始(?:值)?(?:是|为)?|之前(?:是|为)?|原来(?:是|为)?|训练前(?:是|为)?|最初は?|開始時は?|学習前は?|初期値は?|처음(?:엔|에는|에)?|초기(?:엔|에는)?|학습\\s?전(?:엔|에는)?";
/** Behind it. */
const AT_FIRST = [
  "(?:at|in) the (?:very )?(?:start|beginning)|at (?:the )?(?:start|first|step 0)|before(?: (?:training|that|the run))?|initially|for the base(?: model)?|without training|untrained",
  "zu Beginn|am Anfang|vorher|vor dem Training|bei Schritt 0",
  "au (?:début|départ)|avant(?: l'entraînement)?",
  "al (?:principio|inicio|comienzo)|antes(?: de entrenar)?|no (?:início|começo)|antes do treino",
  "в начале|вначале|до обучения",
].join("|");
/** When the later one was: between it and the bracket. */
const WHEN =
  "(?:\\s(?:after|at|by|nach|bei|après|tras|después de|após|depois de|после|на)\\s(?:step |epoch |Schritt |étape |шаге )?(?:\\d{1,7}|one|two|three|an?|une?|einer|um[a]?)(?:\\s?k)?(?:\\s(?:steps?|epochs?|updates?|Schritten?|Epochen?|pas|époques?|pasos|épocas?|passos|шагов|эпох\\p{L}*))?)?";

const LATER_FIRST = new RegExp(
  `(${NUMBER})(${WHEN})(?:\\s?[(（,，]\\s?(?:${FROM}|${FROM_SIGNS})\\s?${ABOUT}|\\s(?:(?:up|down) )?from ${ABOUT})(${NUMBER})(?!\\s?(?:to|auf|bis|a|à|до|->|→|到|から|에서|x\\b|steps?|[\\p{L}\\d_]))(?:\\s(?:${AT_FIRST})(?!\\p{L}))?(\\s?[)）])?`,
  "giu",
);
const FIRST_BEHIND = new RegExp(
  `(${NUMBER})(${WHEN})\\s?[(（,]\\s?(?:vs\\.? |versus |against |gegenüber |contre |frente a |contra |против )?${ABOUT}(${NUMBER})\\s(?:${AT_FIRST})(?!\\p{L})(\\s?[)）])?`,
  "giu",
);
/** "0.55 and 0.49 (base 0.22)": two runs from one start. */
const OF_SEVERAL = new RegExp(
  `(${NUMBER})(?:\\s?(?:/|,? (?:and|und|et|y|e|и)(?= )|和|と|및)\\s?)(${NUMBER})\\s?[(（]\\s?(?:${FROM}|${FROM_SIGNS})\\s?${ABOUT}(${NUMBER})\\s?[)）]`,
  "giu",
);
/** The run that is nearest to the start stands for both. */
function ofSeveral(whole: string, one: string, two: string, first: string): string {
  const valueOf = (text: string) => writtenNumber(text).value;
  const [nearest] = [one, two].sort((a, b) =>
    Math.abs(valueOf(a) - valueOf(first)) - Math.abs(valueOf(b) - valueOf(first))
  );
  const turned = `${first} → ${nearest}`;
  return IS_SHARE.test(whole) && turned.length <= whole.length ? turned.padEnd(whole.length) : whole;
}
const IS_SHARE = /[.,%％]/;

/** What was before stands before: "1.24 (from 1.90)" becomes "1.90 → 1.24". */
function inOrder(whole: string): string {
  const text = whole.replace(OF_SEVERAL, ofSeveral);
  const turn = (whole: string, later: string, when: string, first: string): string => {
    const turned = `${first} → ${later}${when}`;
    const isFigure = IS_SHARE.test(later) || IS_SHARE.test(first);
    return isFigure && turned.length <= whole.length ? turned.padEnd(whole.length) : whole;
  };
  return text.replace(LATER_FIRST, turn).replace(FIRST_BEHIND, turn);
}

const EPOCH =
  "(?:epochs?|ep\\.?|Epochen?|époques?|épocas?|эпох\\p{L}*)\\s?#?(\\d{1,3})|第\\s?([\\d一二三四五])\\s?(?:个)?(?:轮|epoch)|(\\d{1,3})\\s?(?:エポック|에폭|에포크)";
const OF_EPOCH = new RegExp(
  `(${NUMBER})(\\s?[(（]?(?:\\s?(?:(?:after|in|at|for|by|nach|in|après|tras|en|na|após|после|на)\\s)?(?:the |l'|la |el |a )?(?:${EPOCH}))[)）]?)(\\s?(?:[,;、，]|and|then)\\s?(?:then |and )?)?`,
  "giu",
);

/** One number an epoch is a course: each stands alone, with an arrow to the next one. */
function byEpoch(text: string): string {
  const found = [...text.matchAll(OF_EPOCH)];
  const chained = found.filter(({ index, 0: whole }, i) => found[i + 1]?.index === index + whole.length);
  if (chained.length === 0) return text;
  const last = new Set(found.filter(({ index }) => chained.some((one) => one.index + one[0].length === index)));
  let kept = text;
  for (const match of found) {
    const { index, 0: whole, 1: value } = match, isChained = chained.includes(match);
    if (!isChained && !last.has(match)) continue;
    // What ends the list stays as it is.
    const own = isChained ? `${value} → `.padEnd(whole.length) : value!.padEnd(whole.length - (match[6] ?? "").length);
    kept = kept.slice(0, index) + own + kept.slice(index + own.length);
  }
  return kept;
}

/** A number with its train step in brackets. */
const OF_STEP = new RegExp(
  `(${NUMBER})\\s?[(（]\\s?(?:(?:at|@|after|by|bei|à|en|на) ?)?(?:steps?|iter(?:ation)?|Schritt|étape|pas|paso|passo|шаг|스텝|ステップ|第)\\s?(\\d{1,7})\\s?(步)?[)）]`,
  "giu",
);
/** The same once more, the word left out. */
const OF_NUMBER = new RegExp(`(${NUMBER})(\\s?[(（]\\s?\\d{1,7}\\s?[)）])(?=\\s?(?:[,;、，.。→]|->|$))`, "giu");
const LIST = 3; // Such numbers that are a list.

/** A train step in brackets stands behind an "@", where a list tells several. */
function byStep(text: string): string {
  const isCourse = text.match(OF_NUMBER)?.length ?? 0;
  const named = text.replace(OF_STEP, (whole, value: string, step: string, sign?: string) => {
    const own = sign === undefined ? `${value} @step ${step}` : `${value} @ ${step}步`;
    return own.length <= whole.length ? own.padEnd(whole.length) : whole;
  });
  if (named === text && isCourse < LIST) return text;
  return named.replace(
    OF_NUMBER,
    (_, value: string, bracket: string) =>
      value + (named === text ? "" : ` @ ${/\d+/.exec(bracket)![0]}`).padEnd(bracket.length).slice(0, bracket.length),
  );
}

/** A text of one length with its numbers in the order of time. */
export function inTime(text: string): string {
  return byStep(byEpoch(inOrder(text)));
}
