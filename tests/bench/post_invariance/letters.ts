/** Other characters for the same words: what keyboards, word processors, pictures and habits make of them. @module */
import { changeLines, joined, postLines, SPOKEN } from "./lines.ts";

const has = (text: string, script: RegExp, least: number) => (text.match(script)?.length ?? 0) >= least;
const isUnspaced = (text: string) => has(text, /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu, 20);
/** Words that stay as they are: code, options, paths, links. */
const KEPT = /`[^`]*`|--[\w-]+(?:[ =]\S+)?|https?:\S+|\S*[\\/]\S*|\S+=\S+/g;

/** Changes what stands between the words that stay. */
function between(line: string, change: (part: string) => string): string {
  let from = 0, out = "";
  for (const { index, 0: kept } of line.matchAll(KEPT)) {
    out += change(line.slice(from, index)) + kept;
    from = index + kept.length;
  }
  return out + change(line.slice(from));
}

const onSpoken = (change: (part: string, at: number) => string) => (text: string) =>
  changeLines(text, SPOKEN, (line, at) => between(line, (part) => change(part, at)));

const FULL: Readonly<Record<string, string>> = { ",": "，", ":": "：", "?": "？", "!": "！", ";": "；" };

export const fullWidthMarks = onSpoken((part) =>
  part.replace(/(?<=[\p{L}\d)])([,:?!;])(?: |$)/gu, (_, mark: string) => FULL[mark]!).replace(
    / ?\(([^()]*)\)/g,
    "（$1）",
  )
    .replace(/(?<=\d)\s?%/g, "％")
);
export const halfWidthMarks = onSpoken((part) =>
  part.replace(/[，：？！；]/gu, (mark) => `${Object.entries(FULL).find(([, full]) => full === mark)![0]} `)
    .replaceAll("（", " (").replaceAll("）", ") ").replaceAll("％", "%").replaceAll("。", ". ")
);
/** Figures alone, not those of a name; of texts that are written with such a keyboard. */
export const fullWidthDigits = (text: string) =>
  isUnspaced(text)
    ? onSpoken((part) =>
      part.replace(
        /(?<![A-Za-z\d_.\-@])\d+(?:\.\d+)?(?![A-Za-z\d_.\-@]|[eE]-?\d)/g,
        (number) =>
          [...number].map((one) => one === "." ? "．" : String.fromCharCode(one.charCodeAt(0) + 0xfee0)).join(""),
      )
    )(text)
    : null;
const HAN = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]";
const APART = new RegExp(`(?<=${HAN}) (?=[A-Za-z\\d])|(?<=[A-Za-z\\d%]) (?=${HAN})`, "gu");
/** Chinese and Japanese without the spaces around words and figures. */
export const tightScripts = onSpoken((part) => part.replace(APART, ""));

export const curlyQuotes = onSpoken((part) =>
  part.replace(/"([^"]*)"/g, "“$1”").replace(/(?<=\p{L})'(?=\p{L})/gu, "’")
);
/** Where no comma stands between numbers already. */
export const decimalCommas = (text: string) =>
  isUnspaced(text)
    ? null
    : changeLines(text, SPOKEN, (line) =>
      /\d,\s*[\d~-]|→|\/\s?\d/.test(line)
        ? line
        : between(line, (part) =>
          part.replace(/(?<![\w.\-])(\d+)\.(\d+)(?![\w.]|\s?B\b|-)/g, "$1,$2")));

const NAME = /(?<![\w/`'"-])[a-z]{3,}(?:[_/][a-z]{2,})+(?![\w/`'"=-])/g;
/** A picture's reader: in every fourth word an l is a 1, or an o a 0, within words of letters alone. */
export const misreadLetters = (text: string) =>
  changeLines(text, ["prose", "point"], (line) => {
    let at = 0;
    return between(line, (part) =>
      part.replace(/(?<![\w/.-])[a-z]{5,}(?![\w/.=(-])/g, (word) =>
        at++ % 4 !== 0 ? word : word.replace(
          /(?<=[a-z])[lo](?=[a-z])/,
          (letter) =>
            letter === "l" ? "1" : "0",
        )));
  });
export const splitNames = (text: string) =>
  changeLines(text, SPOKEN, (line) => line.replaceAll("`", "").replace(NAME, (name) => name.replace(/[_/]/, "$& ")));
export const lostUnderscores = (text: string) =>
  changeLines(
    text,
    SPOKEN,
    (line) => line.replaceAll("`", "").replace(NAME, (name) => name.includes("/") ? name : name.replaceAll("_", " ")),
  );

const METRIC = /(?<![\w*`/.-])(?:[a-z]+(?:[_/][a-z]+)+|loss|reward|kl|entropy|accuracy)(?![\w*`/.=(-]|:)/gi;
export const boldNames = onSpoken((part) => part.replace(METRIC, "**$&**"));
export const codeNames = onSpoken((part) => part.replace(METRIC, "`$&`"));
export const namesBare = (text: string) =>
  changeLines(
    text,
    SPOKEN,
    (line) =>
      line.replace(/`([\w/]+)`/g, "$1").replace(/\*\*([^*]+)\*\*/g, (whole, inner: string) =>
        /^\s*\W*(?:author|op|user|another|other|maintainer|楼主|作者|其他)/i.test(inner) ? whole : inner),
  );

/** The first line, as people shout. */
export function upperTitle(text: string): string | null {
  const lines = postLines(text), first = lines.findIndex(({ kind }) => SPOKEN.includes(kind));
  const title = lines[first]?.text ?? "";
  if (title.length > 120 || title === title.toUpperCase() || /`|[A-Za-z]+Error|-\d/.test(title)) return null;
  return joined(lines.map((line, i) => i === first ? title.toUpperCase() : line));
}

export const bulletsDropped = (text: string) =>
  changeLines(text, ["point"], (line) => line.replace(/^\s*(?:[-*+•])\s+/, ""));
export const bulletsAdded = (text: string) => {
  const lines = postLines(text);
  // Lines of one paragraph are no points each.
  const isAlone = (i: number) =>
    (lines[i - 1]?.kind ?? "blank") !== "prose" && (lines[i + 1]?.kind ?? "blank") !== "prose";
  return changeLines(
    text,
    ["prose"],
    (line, i) => isAlone(i) && !/[:：]\s*$/.test(line) && !/^\*\*/.test(line) ? `- ${line}` : line,
  );
};
export const headingsDropped = (text: string) => changeLines(text, ["heading"], (line) => line.replace(/^#+\s+/, ""));
export function headingAdded(text: string): string | null {
  const lines = postLines(text), [first] = lines;
  if (first?.kind !== "prose" || first.text.length > 120 || (lines[1]?.kind ?? "blank") !== "blank") return null;
  return joined(lines.map((line, i) => i === 0 ? `## ${line.text}` : line));
}
