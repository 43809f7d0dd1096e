/** A chat template parsed, with the line of each of its tags: what a rendering that fails is told by. @module */
import { parse, tokenize } from "@huggingface/jinja";
import { messageOf } from "../../error_text.ts";
import { refuseChains } from "./python_chains.ts";

/** Far beyond those in use; the library takes time by the square of white space in a row. */
const MOST_CHARACTERS = 400_000;
const MOST_SPACE = 2000;

type Token = ReturnType<typeof tokenize>[number];

/** What is wrong with a template, and the line of it where that is known; from 1. */
export class TemplateFault extends Error {
  constructor(message: string, readonly line: number | null, options?: ErrorOptions) {
    super(message, options);
  }
}

/** What begins the text of a comment that we put before each tag: it holds the tag's line. */
const MARK = "\ufdd2";

/** The line that a comment of the parsed template tells of; null for a comment of the template's own. */
export function markedLine(comment: unknown): number | null {
  return typeof comment === "string" && comment.startsWith(MARK) ? Number(comment.slice(MARK.length)) : null;
}

/** Parses a template. Throws a TemplateFault. */
export function parseTemplate(template: string): unknown {
  if (template.length > MOST_CHARACTERS) {
    throw new TemplateFault(`it has ${template.length} characters, want at most ${MOST_CHARACTERS}`, null);
  }
  const space = template.match(new RegExp(`\\s{${MOST_SPACE + 1}}`));
  if (space !== null) {
    const line = template.slice(0, space.index).split("\n").length;
    throw new TemplateFault(`it has more than ${MOST_SPACE} characters of white space in a row`, line);
  }
  let tokens: Token[] = [], furthest = 0;
  try {
    tokens = withLines(tokenize(template, { lstrip_blocks: true, trim_blocks: true }), template);
    refuseChains(tokens);
    return parse(
      new Proxy(tokens, {
        get(list, key) {
          if (typeof key === "string" && /^\d+$/.test(key)) furthest = Math.max(furthest, Number(key));
          return Reflect.get(list, key);
        },
      }),
    );
  } catch (cause) {
    const line = tokens.slice(0, furthest + 1).findLast(({ value }) => markedLine(value) !== null);
    const message = furthest >= tokens.length && tokens.length > 0
      ? "it ends before a tag is closed: look for a missing endif, endfor or endmacro"
      : /call stack size/.test(messageOf(cause))
      ? "its tags or brackets stand too deep in each other"
      : messageOf(cause);
    throw new TemplateFault(message, line === undefined ? null : markedLine(line.value), { cause });
  }
}

/** A comment, or a tag with the texts in it: a text may have what looks like another tag. */
const TAG = /\{#[^]*?#\}|\{[{%](?:"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|[^"'])*?[%}]\}/y;

/** The tokens with a comment before each tag that says its line, where each tag is found in the text. */
function withLines(tokens: Token[], template: string): Token[] {
  const isTag = ({ type }: Token) => type === "OpenStatement" || type === "OpenExpression";
  const lines = tagLines(template);
  if (lines.length !== tokens.filter(isTag).length) return tokens;
  return tokens.flatMap((token) =>
    isTag(token) ? [{ type: "Comment", value: `${MARK}${lines.shift()}` }, token] : [token]
  );
}

/** The line of each tag, up to one that is not closed. */
function tagLines(template: string): number[] {
  // The library takes these out before it looks at anything else.
  const text = template.replaceAll(/\{%-?\s*(?:end)?generation\s*-?%\}/g, (tag) => tag.replaceAll(/\S/g, " "));
  const lines: number[] = [];
  let line = 1, from = 0;
  for (let at = text.search(OPENING); at >= 0;) {
    TAG.lastIndex = at;
    const tag = TAG.exec(text)?.[0];
    if (tag === undefined) break;
    line += text.slice(from, at).split("\n").length - 1;
    from = at;
    if (!tag.startsWith("{#")) lines.push(line);
    const rest = text.slice(at + tag.length).search(OPENING);
    at = rest < 0 ? -1 : at + tag.length + rest;
  }
  return lines;
}

const OPENING = /\{[{%#]/;
