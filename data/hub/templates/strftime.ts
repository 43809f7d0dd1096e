/** Dates as Python's strftime writes them in the C locale, for chat templates. @module */

const MONTHS = "January February March April May June July August September October November December".split(" ");
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const DAY_MS = 86_400_000;

const two = (value: number) => String(value).padStart(2, "0");
const ofYear = (date: Date) =>
  Math.round(
    (Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) - Date.UTC(date.getFullYear(), 0, 1)) / DAY_MS,
  ) + 1;

const PARTS: Readonly<Record<string, (date: Date) => string>> = {
  Y: (date) => String(date.getFullYear()),
  y: (date) => two(date.getFullYear() % 100),
  m: (date) => two(date.getMonth() + 1),
  d: (date) => two(date.getDate()),
  e: (date) => String(date.getDate()).padStart(2, " "),
  b: (date) => MONTHS[date.getMonth()]!.slice(0, 3),
  B: (date) => MONTHS[date.getMonth()]!,
  a: (date) => DAYS[date.getDay()]!.slice(0, 3),
  A: (date) => DAYS[date.getDay()]!,
  j: (date) => String(ofYear(date)).padStart(3, "0"),
  H: (date) => two(date.getHours()),
  I: (date) => two(date.getHours() % 12 || 12),
  M: (date) => two(date.getMinutes()),
  S: (date) => two(date.getSeconds()),
  p: (date) => date.getHours() < 12 ? "AM" : "PM",
  "%": () => "%",
};

/** The local date by a format. Throws a RangeError for a mark that is not known: another text would be a silent one. */
export function strftime(date: Date, format: string): string {
  return format.replace(/%(-?)(.)/gsu, (whole, short: string, mark: string) => {
    const part = PARTS[mark];
    if (part === undefined) {
      throw new RangeError(`strftime_now has "${whole}", want one of %${Object.keys(PARTS).join(" %")}`);
    }
    const text = part(date);
    return short === "" ? text : text.replace(/^[0 ]+(?=.)/, "");
  });
}
