/**
 * The numbers in a clause, and what each is: a value, a train step, a number of train steps, or neither (sizes, versions).
 *
 * Decimal commas, full-width digits, percent signs and powers of ten are read as people write them.
 * @module
 */

export interface ClauseNumber {
  readonly kind: "value" | "step" | "steps" | "other";
  readonly value: number;
  /** Decimals as written; 0 of a whole number. */
  readonly decimals: number;
  readonly at: number;
  readonly end: number;
}

const STEP_WORD =
  "(?:global[ _]|train(?:ing)?[ _])?(?:steps?|iter(?:ation)?s?|updates?|batch(?:es)?)|étapes?|mises? à jour|actualizaci(?:ón|ones)|atualizaç(?:ão|ões)|обновлени\\p{L}*|pas|itérations?|Schritt(?:e|en)?|pasos?|itera(?:ciones|ções)|passos?|шаг\\p{L}*|итераци\\p{L}*";
/** Thousands of a number of train steps, which has no decimals: "Schritt 1.000", "étape 1 000". */
const THOUSAND_STEPS =
  `(?<=(?:${STEP_WORD})\\s*[:=#~≈]*\\s*)(?:\\d{1,3}(?:\\.\\d{3})+|\\d{1,2} \\d00(?!\\s?\\d))(?![\\d.,]\\d)|\\d{1,3}(?:\\.\\d{3})+(?=\\s(?:${STEP_WORD})(?!\\p{L}))|\\d{1,2} \\d00(?=\\s(?:${STEP_WORD})(?!\\p{L}))`;
/** A number may follow a letter of a script without spaces. */
const NUMBER = new RegExp(
  `(?<!(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}])[\\p{L}\\d_./\\-])` +
    `(?:(${THOUSAND_STEPS})|[-+−]?(?:\\d{1,3}(?:[,'’\\u00a0\\u202f]\\d{3})+(?:\\.\\d+)?|\\d{1,3}(?:\\.\\d{3})+,\\d+|\\d{1,2} \\d{3}(?=\\s*(?:tokens?|токен\\p{L}*|Zeichen)(?!\\p{L}))|\\d+(?:[.,]\\d+)?|\\.\\d+)(?:\\s?[x×*]\\s?10\\s?\\^?\\s?[-−⁻]?[\\d⁰¹²³⁴⁵⁶⁷⁸⁹]+|[eE][-+−]?\\d+)?(?:\\s?[%％])?)(?![\\d_])`,
  "giu",
);
/** Right before a number: it is a train step. */
const STEP_BEFORE = new RegExp(
  `(?:(?:${STEP_WORD})\\s*[:=#(~≈]*\\s*|第\\s*|스텝\\s*|ステップ\\s*|(?<![\\p{L}])(?:until|till|bis|jusqu'à|hasta|até|до)\\s*[~≈]?\\s*|直到\\s*)$`,
  "iu",
);
/** Right after a number: it counts train steps, or names one ("第 144 步"). */
const STEP_AFTER = new RegExp(
  `^\\s*(?:k\\s*)?(?:[-–~]\\s*\\d+\\s*)?(?:多|几|余|来)?\\s*(?:個の|개의|more |first |premi(?:ers|ères) |primer[ao]s |primeir[ao]s |erste[nr]? |первых |global |training |optimizer |gradient |train )?(?:(?:${STEP_WORD})(?![\\p{L}])|步|个?\\s?steps?|ステップ|イテレーション|스텝|번째\\s?스텝|轮迭代|th (?:step|iteration))`,
  "iu",
);
const THOUSANDS = /^\s?k(?![\p{L}\d])/iu;
/** Right after a number: a size, a time, a version. */
const OTHER_AFTER =
  /^\s*(?:[BbMm](?![\p{L}])|GB|MB|GiB|G(?![\p{L}])|tokens?|tok(?![\p{L}])|GPUs?|cards?|张|卡|块|个(?!百分)|小时|分钟|天|秒|hours?|hrs?|h(?![\p{L}])|min(?:utes?|s)?(?![\p{L}])|seconds?|days?|s(?![\p{L}])|ms|pairs?|rows?|(?:out )?of (?:the )?\d|x(?![\p{L}\d])|个回答|条|万|千|bit|shots?|samples?|examples?|prompts?|questions?|errors?|warnings?|exceptions?|crash(?:es)?|failures?|completions?|generations?|answers?|rollouts?|epochs?|époques?|轮|エポック|에폭|GPU|枚|ミリ|時間|時|分|件|개|시간|분|장|ГБ|час\p{L}*|карт\p{L}*|Stunden|heures?|horas?)/iu;
const OTHER_BEFORE =
  /(?:\b(?:[rkpGNnb]|v|version|seed|rank|alpha|zero|stage|Qwen|Llama|cuda|torch|python|epochs?|Epochen?|époques?|épocas?|эпох\p{L}*)\s*[:=]?\s*|@|#|\d (?:out )?of (?:the )?)$/iu;
/** A card: "H 200"; "a" is a word of several languages. */
const CARD_BEFORE = /\b[AH]\s*$/;
const SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Thousands of train steps as people write them: "1,200", "1.200", "1 000", "1.5k". */
export const STEP_THOUSANDS =
  "\\d{1,3}(?:[.,\\u00a0\\u202f]\\d{3})+(?!\\d)|\\d{1,2} \\d00(?=\\s*(?:[:：|)\\]]|$))|\\d+(?:[.,]\\d+)?\\s?k(?![\\p{L}\\d])";
/** A train step in all these forms, or in digits alone. */
export const STEP_NUMBER = `${STEP_THOUSANDS}|\\d+`;

/** The number of a step that is so written. */
export function stepNumber(raw: string): number {
  const isThousands = /k$/i.test(raw);
  return isThousands
    ? Math.round(Number(raw.replace(/\s?k$/i, "").replace(",", ".")) * 1000)
    : Number(raw.replace(/[.,\s]/g, ""));
}

/** The value of a written number, and its decimals; NaN where it is none. */
export function writtenNumber(raw: string): { readonly value: number; readonly decimals: number } {
  let text = raw.trim().replaceAll("−", "-").replace(/[\u00a0\u202f]/g, " ");
  const percent = /[%％]$/.test(text);
  text = text.replace(/\s?[%％]$/, "");
  const power = /^(.*?)\s?[x×*]\s?10\s?\^?\s?([-⁻]?)([\d⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/.exec(text);
  let exponent = 0;
  if (power !== null) {
    text = power[1]!;
    const digits = [...power[3]!].map((c) => SUPER.includes(c) ? SUPER.indexOf(c) : Number(c)).join("");
    exponent = Number(digits) * (power[2] === "" ? 1 : -1);
  }
  if (/^[-+]?\d{1,3}(?:\.\d{3})+,\d+$/.test(text)) text = text.replaceAll(".", "").replace(",", ".");
  else if (/^[-+]?\d{1,3}(?:['’]\d{3})+(?:\.\d+)?$/.test(text)) text = text.replace(/['’]/g, "");
  else if (/^[-+]?\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?$/.test(text) && !/^[-+]?0,/.test(text)) {
    text = text.replace(/[, ]/g, "");
  } else text = text.replace(",", ".");
  const mantissa = /^[-+]?\d*\.?(\d*)/.exec(text);
  const scaled = exponent === 0 ? Number(text) : Number(`${text}e${exponent}`);
  return {
    value: percent ? Number((scaled / 100).toPrecision(15)) : scaled,
    decimals: (mantissa?.[1]?.length ?? 0) + (percent ? 2 : 0),
  };
}

const DIGIT = /[\d０-９]/;
const KEPT = 16; // Texts that were read last: a sentence is asked for its numbers by each of its clauses.
const read = new Map<string, readonly ClauseNumber[]>();

/** All numbers of a clause in order. */
export function numbersIn(text: string): readonly ClauseNumber[] {
  if (!DIGIT.test(text)) return [];
  let numbers = read.get(text);
  if (numbers === undefined) {
    if (read.size >= KEPT) read.delete(read.keys().next().value!);
    read.set(text, numbers = readNumbers(text));
  }
  return numbers;
}

/** "0.6/0.5/0.2": three values and more in a row; of two, or of whole numbers, it is a share or a name. */
const SLASHED = /(?<![\d/.])\d+[.,]\d+\s?[%％]?(?:\s?\/\s?\d+[.,]\d+\s?[%％]?){2,}(?![\d/])/g;

function readNumbers(text: string): ClauseNumber[] {
  const plain = text.replace(SLASHED, (row) => row.replaceAll("/", " ")).replace(
    /[０-９．]/g,
    (c) => c === "．" ? "." : String.fromCharCode(c.charCodeAt(0) - 0xfee0),
  );
  return [...plain.matchAll(NUMBER)].map(({ index: at, 0: raw, 1: steps }): ClauseNumber => {
    const end = at + raw.length, before = plain.slice(Math.max(0, at - 24), at), after = plain.slice(end, end + 24);
    const written = steps === undefined
      ? writtenNumber(raw)
      : { value: Number(steps.replace(/[. ]/g, "")), decimals: 0 };
    const isThousands = THOUSANDS.test(after), { decimals } = written;
    const value = isThousands ? Math.round(written.value * 1e6) / 1000 : written.value;
    const isWhole = Number.isInteger(value) && value >= 0;
    const kind = isWhole && STEP_BEFORE.test(before)
      ? "step"
      : isWhole && STEP_AFTER.test(after)
      ? (/第\s*$/.test(before) ? "step" : "steps")
      : /(?<!(?:tensor|array)\(\s*\[*)[[{]\s*(?:[-\d.]+,\s*)*$/.test(before) || OTHER_AFTER.test(after) ||
          OTHER_BEFORE.test(before) || CARD_BEFORE.test(before)
      ? "other"
      : "value";
    // "15/100" is a share.
    const of = kind === "value" && isWhole ? /^\s?\/\s?(\d{1,5})(?![\d/.-]|\s*\/\s*\d)/.exec(after) : null;
    if (of !== null && Number(of[1]) >= Math.max(value, 4)) {
      return { kind, value: value / Number(of[1]), decimals: 3, at, end: end + of[0].length };
    }
    return {
      kind,
      value,
      decimals: isThousands ? 0 : decimals,
      at,
      end: end + (isThousands ? after.search(/k/i) + 1 : 0),
    };
  });
}
