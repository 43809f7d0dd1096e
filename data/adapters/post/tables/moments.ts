/**
 * Heads of columns that are moments of one run: "step 100", 第3轮, "steps 1-50", "before", "Ende"; of a table whose rows are
 * metrics. @module
 */
import { writtenNumber } from "../numbers/numbers.ts";
import { stepOfCell } from "./step_head.ts";

/** A moment of a course; a step and an epoch are NaN where it names none. */
export interface Moment {
  readonly step: number;
  readonly epoch: number;
}

const STEP_WORD =
  /(?<![\p{L}])(?:steps?|iter(?:ation)?s?|updates?|global_?steps?|checkpoints?|ckpts?|étapes?|pas|pasos?|passos?|Schritte?n?|шаг\p{L}*|итераци\p{L}*)(?![\p{L}])|步|ステップ|스텝|轮迭代/iu;
const EPOCH_WORD =
  /(?<![\p{L}])(?:epochs?|ep|époques?|Epochen?|épocas?|эпох\p{L}*)(?![\p{L}])|轮(?!迭代)|エポック|에폭|에포크/iu;
const ALONE = /^[~≈<]?\s*\d[\d.,]*\s*k?(?:\s*(?:-|–|~|to)\s*\d[\d.,]*\s*k?)?$/i;
/** In the order in which a run comes to them. */
const ENDS: readonly RegExp[] = [
  /^(?:(?:at |the )?(?:start|begin(?:ning)?)|before(?: training| rl| sft)?|initial(?:ly)?|first(?: step| record)?|pre-?training|début|avant|départ|initiale?|Anfang|Start|vor(?:her)?(?: dem Training)?|Beginn|inicio|al inicio|antes(?: do treino| del entrenamiento)?|início|no início|начало|в начале|до(?: обучения)?)$|^(?:开始|初始|起始|开头|训练前|之前|前|初期|開始|最初|学習前|시작|처음|초기|학습 ?전)$/iu,
  /^(?:mid(?:dle|way)?|half(?:way)?|milieu|Mitte|medio|mitad|meio|середина)$|^(?:中间|中期|中|中盤|중간)$/iu,
  /^(?:(?:at |the )?(?:end|finish)|after(?: training| rl| sft)?|final(?:ly)?|last(?: step| record)?|now|fin|après|finale?|Ende|nach(?:her)?(?: dem Training)?|Schluss|al final|después(?: del entrenamiento)?|depois(?: do treino)?|fim|no fim|no final|конец|в конце|после(?: обучения)?)$|^(?:结束|最终|最后|结尾|训练后|之后|现在|后|終了|最後|最終|学習後|끝|마지막|최종|학습 ?후)$/iu,
];
const LEAST = 2; // Moments of a course.

/** The moments of a head's cells behind its first one, the earliest first; null where they are none. */
export function momentsOf([corner, ...cells]: readonly string[]): readonly Moment[] | null {
  if (corner === undefined || cells.length < LEAST) return null;
  const isStep = [corner, ...cells].some((cell) => STEP_WORD.test(cell)),
    isEpoch = !isStep && [corner, ...cells].some((cell) => EPOCH_WORD.test(cell));
  const found = isStep ? cells.map(atStep) : isEpoch ? cells.map(atEpoch) : endsOf(cells),
    moments = (found ?? []).filter((moment) => moment !== null);
  if (moments.length < cells.length) return null;
  const times = moments.map(({ step, epoch }) => Number.isNaN(step) ? epoch : step);
  return times.every((time, i) => i === 0 || Number.isNaN(time) || time > times[i - 1]!) ? moments : null;
}

function atStep(cell: string): Moment | null {
  const step = STEP_WORD.test(cell) || ALONE.test(cell) || ENDS[0]!.test(cell) ? stepOfCell(cell) : null;
  if (step === null && ENDS[0]!.test(cell)) return { step: 0, epoch: NaN };
  return step === null ? null : { step, epoch: NaN };
}

function atEpoch(cell: string): Moment | null {
  if (!EPOCH_WORD.test(cell) && !ALONE.test(cell)) return ENDS[0]!.test(cell) ? { step: NaN, epoch: 0 } : null;
  const found = /\d+(?:[.,]\d+)?/.exec(cell);
  return found === null ? null : { step: NaN, epoch: writtenNumber(found[0]).value };
}

/** A beginning and an end, with or without what lies between them. */
function endsOf(cells: readonly string[]): Moment[] | null {
  const order = cells.map((cell) => ENDS.findIndex((words) => words.test(cell)));
  const isCourse = order[0] === 0 && order.at(-1) === 2 && order.every((one, i) => i === 0 || one > order[i - 1]!);
  return isCourse ? cells.map(() => ({ step: NaN, epoch: NaN })) : null;
}

type Statistic = "min" | "mean" | "max" | "std";
const STATISTICS: readonly (readonly [Statistic, RegExp])[] = [
  ["min", /^(?:min(?:imum|imal)?\.?|least|mín(?:imo)?|мин(?:имум)?\.?)$|^(?:最小值?|최소)$/iu],
  ["max", /^(?:max(?:imum|imal)?\.?|most|máx(?:imo)?|макс(?:имум)?\.?)$|^(?:最大值?|최대)$/iu],
  [
    "mean",
    /^(?:mean|avg\.?|average|moy(?:enne)?\.?|Mittel(?:wert)?|media|média|среднее|средн\.?)$|^(?:平均值?|均值|평균)$/iu,
  ],
  [
    "std",
    /^(?:std\.?(?: ?dev\.?)?|sd|σ|écart[- ]type|Standardabweichung|desv(?:iación|io)?\.?(?: (?:típica|padrão))?)$|^标准差$/iu,
  ],
];

/** Which statistics of a metric the cells behind the first are; null where they are not the least and the most. */
export function statisticsOf([, ...cells]: readonly string[]): readonly Statistic[] | null {
  const found = cells.map((cell) => STATISTICS.find(([, words]) => words.test(cell.trim()))?.[0]);
  return found.every((one) => one !== undefined) && found.includes("min") && found.includes("max") ? found : null;
}

const VALUE =
    /^(?:(?:observed|logged|printed)?\s?values?(?: observed)?|observed|valeurs?(?: observées?)?|(?:beobachteter )?Wert|valor(?: observado)?|значение|наблюдаемое значение)$|^(?:观测值|值|数值|値|観測値|값|관측값)$/iu,
  OFTEN =
    /^(?:comments?|notes?|remarks?|remarques?|Bemerkung|Kommentar|comentario|comentário|комментарий|occurr?ences?|how often|frequency|count|steps|seen (?:on|at|in)|fréquence|Häufigkeit|Vorkommen|frecuencia|ocurrencias|frequência|ocorrências|частота)$|^(?:备注|说明|備考|비고|出现次数|次数|频次|回数|頻度|횟수|빈도)$/iu;

/** Where the value and the number of its records stand; null where they do not. */
export function observedOf(cells: readonly string[]): { readonly value: number; readonly often: number } | null {
  const value = cells.findIndex((cell, i) => i > 0 && VALUE.test(cell.trim())),
    often = cells.findIndex((cell, i) => i > 0 && OFTEN.test(cell.trim()));
  return value < 0 || often < 0 ? null : { value, often };
}
