/** Takes a text apart into words that no merge spans (tokenizers: pre-tokenizers). @module */
import { byteCharacters } from "../byte_level_tokenizer.ts";
import { compiledPattern, pieces } from "./pattern.ts";
import { type Part, partsAt, unsupported } from "./part.ts";

/** `isFirst`: nothing of the text stands before it. */
type PreTokenizer = (words: readonly string[], isFirst: boolean) => string[];

const KNOWN = ["Sequence", "Split", "ByteLevel", "Digits", "Metaspace", "Whitespace", "WhitespaceSplit", "Punctuation"];
const BEHAVIORS = ["Removed", "Isolated", "Contiguous", "MergedWithPrevious", "MergedWithNext"] as const;
type Behavior = (typeof BEHAVIORS)[number];

/** GPT-2's (tokenizers pre_tokenizers/byte_level.rs). */
const GPT2 = "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";
const PUNCTUATION = /[\p{P}!-/:-@[-`{-~]/gu;

const { characterOf } = byteCharacters();
const encoder = new TextEncoder();

/** The function of a pre-tokenizer. Throws a RangeError for one that is not here. */
export function preTokenizerOf(part: Part | null, place = "pre_tokenizer"): PreTokenizer {
  if (part === null) return (words) => [...words];
  switch (part.type) {
    case "Sequence": {
      const all = partsAt(`${place}.pretokenizers`, part["pretokenizers"])
        .map((one, i) => preTokenizerOf(one, `${place}.pretokenizers[${i}]`));
      return (words, isFirst) => all.reduce<string[]>((now, split) => split(now, isFirst), [...words]);
    }
    case "Split": {
      const pattern = compiledPattern(part["pattern"], `${place}.pattern`),
        behavior = behaviorOf(part["behavior"], place);
      return splitting(pattern, behavior, part["invert"] === true);
    }
    case "ByteLevel":
      return byteLevel(part["add_prefix_space"] !== false, part["use_regex"] !== false);
    case "Digits":
      return splitting(/\p{N}/gu, part["individual_digits"] === true ? "Isolated" : "Contiguous");
    case "Punctuation":
      return splitting(PUNCTUATION, behaviorOf(part["behavior"] ?? "Isolated", place));
    case "WhitespaceSplit":
      return splitting(/\p{White_Space}/gu, "Removed");
    case "Whitespace":
      return splitting(compiledPattern({ Regex: "\\w+|[^\\w\\s]+" }, place), "Removed", true);
    case "Metaspace":
      return metaspace(part, place);
  }
  throw unsupported(`${place}.type`, part.type, KNOWN);
}

function behaviorOf(value: unknown, place: string): Behavior {
  const found = BEHAVIORS.find((name) => name === value);
  if (found === undefined) throw unsupported(`${place}.behavior`, value, BEHAVIORS);
  return found;
}

const splitting = (pattern: RegExp, behavior: Behavior, invert = false): PreTokenizer => (words) =>
  words.flatMap((word) => split(word, pattern, behavior, invert));

/** tokenizers' NormalizedString::split. */
function split(word: string, pattern: RegExp, behavior: Behavior, invert: boolean): string[] {
  const found = pieces(word, pattern).map(({ text, isMatch }) => ({ text, isMatch: isMatch !== invert }));
  const merged: string[] = [];
  let before = false;
  switch (behavior) {
    case "Removed":
      return found.filter(({ isMatch }) => !isMatch).map(({ text }) => text);
    case "Isolated":
      return found.map(({ text }) => text);
    case "Contiguous":
      for (const { text, isMatch } of found) {
        if (merged.length > 0 && isMatch === before) merged.push(merged.pop() + text);
        else merged.push(text);
        before = isMatch;
      }
      return merged;
    case "MergedWithPrevious":
      for (const { text, isMatch } of found) {
        if (isMatch && !before && merged.length > 0) merged.push(merged.pop() + text);
        else merged.push(text);
        before = isMatch;
      }
      return merged;
    case "MergedWithNext":
      for (const { text, isMatch } of found.reverse()) {
        if (isMatch && !before && merged.length > 0) merged.push(text + merged.pop());
        else merged.push(text);
        before = isMatch;
      }
      return merged.reverse();
  }
}

/** Each byte of UTF-8 as a character of its own. */
export function byteText(text: string): string {
  let written = "";
  for (const byte of encoder.encode(text)) written += characterOf[byte]!;
  return written;
}

function byteLevel(prefix: boolean, useRegex: boolean): PreTokenizer {
  const words = useRegex ? splitting(compiledPattern({ Regex: GPT2 }, "ByteLevel"), "Isolated") : null;
  return (given, isFirst) => {
    const spaced = prefix ? given.map((word) => word.startsWith(" ") ? word : ` ${word}`) : given;
    return (words === null ? spaced : words(spaced, isFirst)).map(byteText);
  };
}

function metaspace(part: Part, place: string): PreTokenizer {
  const replacement = String(part["replacement"] ?? "▁"),
    scheme = part["prepend_scheme"] ?? (part["add_prefix_space"] === false ? "never" : "always");
  if (!["always", "first", "never"].includes(String(scheme))) {
    throw unsupported(`${place}.prepend_scheme`, scheme, ["always", "first", "never"]);
  }
  const atNext = splitting(compiledPattern({ String: replacement }, place), "MergedWithNext");
  return (words, isFirst) => {
    const marked = words.map((word, index) => {
      const text = word.replaceAll(" ", replacement),
        isWanted = scheme === "always" || (scheme === "first" && isFirst && index === 0);
      return isWanted && !text.startsWith(replacement) ? replacement + text : text;
    });
    return part["split"] === false ? marked : atNext(marked, isFirst);
  };
}
