/**
 * Sentences with places in them, as patterns and as what is said instead.
 *
 * `{}` stands for a number, `{numbers}` for several, `{name}` for a name or names, `{file}` for a file, `{options}` for
 * options with their values, `{text}` for what somebody wrote: they stay as they are, but names that are words. `{step}`
 * stands for a train step or a record, `{counted}` for what is counted by them, `{where}` for the records it is of, `{of}`
 * for what is lost, `{said}` for any part that has a translation of its own. What stands in `[]` may be missing, and so may
 * a train step with its preposition (what is told has none). In Chinese places stand by their number: `{2}`; what stands
 * there in `[]` is said where all of its places are filled. @module
 */

/** Words of a sentence, which are in no name. */
const OF_SENTENCES = "there|it|its|no|not|all|only|while|and|but|what|this|these|that|they|if|where|when|is|are|was";
/** A metric or option as it is called: at most three words; several are one word each. */
const WORD = `(?!(?:${OF_SENTENCES})(?![\\w.]))[\\p{L}\\p{N}_./@()+*-]+`;
const NAME = `${WORD}(?: ${WORD}){0,2}|${WORD}(?:, ${WORD}){1,11}|${WORD} \\([\\w -]+, [\\w -]+\\)`;
const NUMBER = "-?(?:\\d[\\d.,]*(?:e[+-]?\\d+)?|NaN|inf|Infinity)(?: %)?|absent|null|None";

const PLACES: Readonly<Record<string, string>> = {
  "{}": `(${NUMBER})`,
  "{numbers}": `((?:${NUMBER})(?:, (?:${NUMBER})){0,11})`,
  "{name}": `(${NAME})`,
  // With a line, with its ending, within a folder, or one word: no prose.
  "{file}": "([^:]{1,200}:\\d+|[^:]{0,200}\\.\\w{1,8}|[^:\\s]*/[^:\\s]*|[\\w-]+|console tables)",
  "{step}": "((?:train step|record)s? \\d+(?: (?:to|and) \\d+)?)",
  "{counted}": "(train steps?|records?)",
  "{where}": "(wherever it is told|in part \\(as told\\)|on the one record|on (?:all )?\\d+(?: of \\d+)? records?)",
  "{options}": "(--\\S.*|[\\w.]+(?:=|: )\\S.*)",
  "{of}": "(rollouts|train steps|tokens|hours)",
  "{text}": "(.+)",
  "{said}": "(.+?)",
};

/** Places that hold what has a translation of its own. */
const TRANSLATED = new Set(["{said}", "{step}", "{where}", "{of}"]);
/** Places that hold names or values, which may be words. */
const NAMED = new Set(["{}", "{numbers}", "{name}", "{counted}"]);

/** A train step as it stands in a sentence: of what is told it is left out. */
const UNTOLD = [
  /,? (?:since|from|at|after|by|up to|until|before|of) \{step\}(?: on| to the end)?/g,
  / \(\{step\}\)/g,
  /^(?:since|from|at|up to|by) \{step\}(?: on)?,? /gi,
];

/** What stands in a place: to be kept, a name that may be a word, or a part to be translated. */
type Kind = "kept" | "name" | "said";

export interface Template {
  readonly pattern: RegExp;
  /** What a text must have to fit: looked for before, for that is quick. */
  readonly needs: string;
  readonly kinds: readonly Kind[];
  readonly chinese: string;
}

/** A template of a table. */
export function templateOf([english, chinese]: readonly [english: string, chinese: string]): Template {
  const places = english.match(/\{\w*\}/g) ?? [];
  const optional = UNTOLD.reduce((text, untold) => text.replace(untold, "[$&]"), english);
  const source = withAnyCase(optional).split(/(\{\w*\}|[[\]]|\0.)/).map(sourceOf).join("");
  return {
    pattern: new RegExp(`^${source}$`, "su"),
    kinds: places.map((place) => TRANSLATED.has(place) ? "said" : NAMED.has(place) ? "name" : "kept"),
    chinese,
    needs: neededOf(optional),
  };
}

/** The longest text that is always there; not the first letter, which may be a capital. */
function neededOf(optional: string): string {
  const always = optional.replace(/\[[^[\]]*\]/g, "{}").replace(/\[[^[\]]*\]/g, "{}");
  const texts = always.split(/\{\w*\}/).map((text, i) => i === 0 || always.startsWith("{}") ? text.slice(1) : text);
  return texts.reduce((longest, text) => text.length > longest.length ? text : longest);
}

/** A sentence begins with a capital or none, also where its first words are left out: such letters are marked. */
const withAnyCase = (text: string) => text.replace(/^\[?(?=[a-z])/i, "$&\0").replace(/^(\[[^\]]*\])(?=[a-z])/i, "$1\0");

/** A part of an English sentence as the source of a pattern. */
function sourceOf(part: string): string {
  if (part === "[") return "(?:";
  if (part === "]") return ")?";
  if (part.startsWith("\0")) return `[${part[1]!.toLowerCase()}${part[1]!.toUpperCase()}]`;
  return PLACES[part] ?? part.replace(/[.*+?^${}()|\\]/g, "\\$&");
}

/** Chinese in parts: texts, and numbers of places; without what stands in `[]` and has no value. */
export function partsOf(chinese: string, values: readonly (string | undefined)[]): (string | number)[] {
  const said = chinese.replace(/\[([^\]]*)\]/g, (_, part: string) => {
    const all = [...part.matchAll(/\{(\d+)\}/g)].every(([, at]) => values[Number(at) - 1] !== undefined);
    return all ? part : "";
  });
  return said.split(/(\{\d+\})/).filter((part) => part !== "").map((part) => {
    const at = /^\{(\d+)\}$/.exec(part)?.[1];
    return at === undefined ? part : Number(at) - 1;
  });
}
