/**
 * Reads the five fields of `on.schedule[].cron` as Debian's cron does: lists, ranges, steps, names, 0 and 7 for Sunday.
 *
 * What can never be due is refused with its place in the text. Where day of month and day of week are both restricted
 * either is enough; where one of them begins with a star, steps included, both must hold (crontab(5), Debian).
 * @module
 */
import { nearest } from "../../data/did_you_mean.ts";

/** An expression as sets of numbers. */
export interface CronExpression {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  /** Days of the month, from 1. */
  readonly days: readonly number[];
  /** From 1. */
  readonly months: readonly number[];
  /** Days of the week, Sunday is 0. */
  readonly weekdays: readonly number[];
  /** Day of month or day of week is enough, and each leaves days out. */
  readonly either: boolean;
}

/** What is wrong, `offset` characters into the text. */
export interface CronProblem {
  readonly message: string;
  readonly offset: number;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const DAYS_OF = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]; // In a leap year.

/** Short names that some crons know, and what they stand for. */
const NICKNAMES: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** What to write in place of a text that is no five fields. GitHub reads nothing else, and a file has one meaning. */
export function fiveFields(text: string): string {
  const word = text.trim().toLowerCase(), meant = NICKNAMES[word];
  if (meant !== undefined) return `want five fields: ${word} is "${meant}"`;
  if (word === "@reboot") {
    return 'want five fields: @reboot has no time; with catch_up: one, a run is made up for, as after "0 3 * * *"';
  }
  const words = word.split(/\s+/);
  return words.length === 6 && readsAsCron(words.slice(1))
    ? `want five fields, without seconds: "${words.slice(1).join(" ")}"`
    : 'want five fields, such as "0 3 * * *"';
}

function readsAsCron(words: readonly string[]): boolean {
  return "minutes" in readCron(words.join(" "));
}

interface Field {
  readonly name: string;
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const FIELDS: readonly Field[] = [
  { name: "minute", least: 0, most: 59 },
  { name: "hour", least: 0, most: 23 },
  { name: "day of month", least: 1, most: 31 },
  { name: "month", least: 1, most: 12, names: MONTHS },
  { name: "day of week", least: 0, most: 7, names: WEEKDAYS },
];

/** Five sets, or what is wrong with the text. */
export function readCron(text: string): CronExpression | readonly CronProblem[] {
  const words = [...text.matchAll(/\S+/g)];
  if (words.length !== FIELDS.length) return [{ message: fiveFields(text), offset: 0 }];
  const problems: CronProblem[] = [];
  const sets = words.map((word, i) => fieldValues(FIELDS[i]!, word[0], word.index, problems));
  if (problems.length > 0) return problems;
  const [minutes, hours, days, months] = sets as [number[], number[], number[], number[], number[]];
  const weekdays = sorted(sets[4]!.map((day) => day % 7));
  const [, , dayText, monthText, weekdayText] = words.map(([word]) => word);
  const isFree = (word: string) => word.startsWith("*");
  const either = !isFree(dayText!) && !isFree(weekdayText!);
  const read = { minutes, hours, days, months, weekdays, either };
  const impossible = months.every((month) => days[0]! > DAYS_OF[month - 1]!);
  // A day of the week comes in every month.
  if (!impossible || either) return read;
  return [{
    message: `"cron" is "${text}", which never fires: no month of "${monthText}" has a day ${days[0]}`,
    offset: words[2]!.index,
  }];
}

/** What a person probably did not mean, one sentence each. */
export function cronWarnings(text: string, { minutes, hours, days, months, weekdays }: CronExpression): string[] {
  const words = text.trim().split(/\s+/);
  const told: string[] = [];
  if (minutes.length === 60) {
    const when = hours.length === 24 ? "" : ` of hour ${hours.join(", ")}, ${60 * hours.length} times a day`;
    told.push(`"${text}" fires every minute${when}; once an hour is "0 ${words.slice(1).join(" ")}"`);
  }
  const gone = months.filter((month) => days[0]! > DAYS_OF[month - 1]!).map((month) => MONTHS[month - 1]!);
  if (gone.length > 0 && !words[3]!.startsWith("*") && weekdays.length === 7) {
    told.push(`"${text}" never fires in ${gone.join(", ")}: there is no day ${days[0]}`);
  }
  const mixed = [words[2]!, words[4]!].some((word) => /^\*\/\d/.test(word)) && days.length < 31 && weekdays.length < 7;
  if (mixed) {
    told.push(
      `"${text}" restricts the day of month and the day of week, one of them by */n: Debian's cron and this program want ` +
        "both to hold, Kubernetes one of them; write the days out",
    );
  }
  return told;
}

/** The same expression in what all four systems read: numbers, Sunday as 0, and `10/20` (from 10 on, not Debian's) written out. */
export function plainCron(text: string): string {
  return text.trim().split(/\s+/).map((word, i) => {
    const field = FIELDS[i]!;
    const isPlain = /^[\d*,/-]+$/.test(word) && !/(?:^|,)\d+\//.test(word) && (i !== 4 || !/(?:^|[-,])7/.test(word));
    const values = fieldValues(field, word, 0, []).map((value) => i === 4 ? value % 7 : value);
    return isPlain ? word : sorted(values).join(",");
  }).join(" ");
}

function sorted(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b);
}

/** The values of one field; what is wrong goes to `problems`. */
function fieldValues(field: Field, word: string, offset: number, problems: CronProblem[]): number[] {
  const values: number[] = [];
  let at = offset;
  for (const part of word.split(",")) {
    const read = partValues(field, part);
    if (typeof read === "string") problems.push({ message: `${field.name} "${part}" ${read}`, offset: at });
    else values.push(...read);
    at += part.length + 1;
  }
  return sorted(values);
}

/** `*`, a number or name, `a-b`, each with `/step`; or what is wrong with it. */
function partValues(field: Field, part: string): number[] | string {
  const { least, most } = field, isWeekday = field.names === WEEKDAYS;
  const match = /^(\*|[^/-]+)(?:-([^/-]+))?(?:\/(.+))?$/.exec(part);
  if (match === null || (match[1] === "*" && match[2] !== undefined)) {
    return `cannot be read, want *, a number from ${least} to ${most}, a-b, or one of these with /n`;
  }
  const [, from, to, by] = match;
  const step = by === undefined ? 1 : /^\d+$/.test(by) ? Number(by) : NaN;
  if (!(step >= 1)) return `has step "${by}", want a whole number from 1`;
  if (step > most) return `has step ${by}, want at most ${most}`;
  // A day of the week has two numbers for Sunday; `*` counts it once.
  const end = isWeekday ? 6 : most;
  if (from === "*") return range(least, end, step);
  const first = valueOf(field, from!);
  const last = to === undefined
    ? (by === undefined ? first : end)
    : isWeekday && /^sun$/i.test(to)
    ? 7
    : valueOf(field, to);
  if (typeof first === "string") return first;
  if (typeof last === "string") return last;
  if (first > last) return `runs backwards, want ${first}-${end},${least}-${last}`;
  return range(first, last, step);
}

function valueOf({ least, most, names }: Field, text: string): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  if (named >= 0) return named + (least === 0 ? 0 : 1);
  const value = /^\d+$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  const words = names === undefined ? "" : ` or ${names[0]} to ${names.at(-1)}`;
  return `is not known, want ${least} to ${most}${words}${
    names === undefined ? "" : nearest(text.toLowerCase(), names)
  }`;
}

function range(first: number, last: number, step: number): number[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => first + i * step);
}
