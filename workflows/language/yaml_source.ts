/**
 * Parses YAML under limits and keeps the place of every key and value.
 *
 * Strict YAML 1.2 core: one document, no merge keys, no tags of one's own, no directives. Why the limits: 10 MB of quoted
 * text costs 0.4 GB, and deep nesting aborts some runtimes uncatchably.
 * @module
 */
import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from "yaml";
import { WRITE_OUT, yamlAliases } from "../../data/adapters/source/yaml_aliases.ts";
import type { Path, Place, Position, Problem, WorkflowSource } from "./problems.ts";
import { keyMistake, parserSentence, syntaxMistakes, type TextMistake, tokensOf } from "./yaml_syntax.ts";

export const MAX_BYTES = 1_000_000;
export const MAX_DEPTH = 100;
const MAX_ALIASES = 100;

/** What came of a text: a plain value, or problems. */
interface ParsedYaml {
  readonly value: unknown;
  readonly source: WorkflowSource;
  readonly problems: readonly Problem[];
}

/** Parses a text of at most MAX_BYTES. Never throws for what is in the text. */
export function parseYaml(text: string, file: string): ParsedYaml {
  const lines = linesOf(text);
  const refused = (mistakes: readonly TextMistake[]): ParsedYaml => ({
    value: undefined,
    source: { file, text, locate: ({ offset }) => positionAt(lines, offset!) },
    problems: mistakes.map(({ at, message }) => ({ path: [], offset: at, message })),
  });
  const deep = tooDeep(text);
  if (deep !== null) return refused([{ at: deep, message: `nested deeper than ${MAX_DEPTH}` }]);
  const document = parseDocument(text, { version: "1.2", schema: "core", merge: false, prettyErrors: false });
  const mistakes = mistakesOf(text, document);
  if (mistakes.length > 0) return refused(mistakes);
  try {
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    return { value, source: { file, text, locate: (place) => locate(document, text, lines, place) }, problems: [] };
  } catch (error) {
    const why = parserSentence((error as Error).message);
    const at = Math.max(0, text.search(/\*\w/));
    return refused([{ at, message: `Cannot expand aliases: ${why}; write the values out` }]);
  }
}

/** What is no YAML, and YAML that is not read. */
function mistakesOf(text: string, document: Document): TextMistake[] {
  const errors = [...document.errors, ...document.warnings];
  if (errors.length > 0) return syntaxMistakes(text, errors);
  if (document.contents === null) {
    return [{ at: 0, message: 'the file is empty, want keys such as "name" and "steps"' }];
  }
  const found: TextMistake[] = [];
  const { targets, refused } = yamlAliases(document);
  let aliases = 0;
  visit(document, {
    Alias(_, alias) {
      found.push(...aliasMistakes(alias, targets, ++aliases));
    },
    Pair(_, { key }) {
      if (!isScalar(key)) found.push(keyMistake(text, (key as Node | null)?.range?.[0] ?? 0));
      else if (key.value === "<<") {
        found.push({ at: key.range![0], message: 'merge key "<<" is not read; write the keys out' });
      }
    },
  });
  if (refused !== null && found.length === 0) {
    found.push({ at: refused.at, message: `Cannot expand aliases: ${refused.why}; ${WRITE_OUT}` });
  }
  const { explicit, version } = document.directives!.yaml;
  if (explicit && version !== "1.2") found.push({ at: 0, message: `%YAML ${version} is not read, want 1.2` });
  return found;
}

function aliasMistakes(alias: Alias, targets: ReadonlyMap<Alias, Node>, count: number): TextMistake[] {
  const at = alias.range![0], name = alias.source;
  const unknown = { at, message: `unknown alias "*${name}"; no "&${name}" stands before it` };
  const tooMany = { at, message: `more than ${MAX_ALIASES} aliases; write the values out` };
  return [...(!targets.has(alias) ? [unknown] : []), ...(count === MAX_ALIASES + 1 ? [tooMany] : [])];
}

function locate(document: Document, text: string, lines: LineCounter, place: Place): Position | null {
  const node = nodeAt(document, place);
  return node?.range ? positionAt(lines, node.range[0] + textOffset(text, node, place.offset)) : null;
}

/** The node at a path, or the deepest one that exists on the way. */
function nodeAt(document: Document, { path, key }: Place): Node | null {
  let node = document.contents;
  for (const [index, part] of path.entries()) {
    const child = childOf(isAlias(node) ? node.resolve(document) : node, part);
    if (child === null) return node;
    if (index === path.length - 1 && key && isPair(child)) return child.key as Node;
    node = isPair(child) ? (child.value ?? child.key) as Node : child;
  }
  return node;
}

function childOf(node: Node | null | undefined, part: Path[number]): Node | Pair | null {
  if (isSeq(node)) return node.items[Number(part)] as Node ?? null;
  if (isMap(node)) {
    return node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(part)) ?? null;
  }
  return null;
}

/** Characters from a scalar's start to a place in its text; 0 where escapes or folding moved the text. */
function textOffset(text: string, node: Node, offset: number | undefined): number {
  if (offset === undefined || isCollection(node) || !isScalar(node) || typeof node.value !== "string") return 0;
  const start = node.range![0];
  const quote = /["']/.test(text[start] ?? "") ? 1 : 0;
  return text.startsWith(node.value, start + quote) ? quote + offset : 0;
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
  return lines;
}

function positionAt(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

/** Offset where the nesting of a text passes MAX_DEPTH, found without recursion; null if it does not. */
function tooDeep(text: string): number | null {
  const indents: number[] = [];
  let flow = 0;
  let lineStart = 0;
  let first = true;
  for (const { token, at } of tokensOf(text)) {
    if (token === "{" || token === "[") flow += 1;
    else if (token === "}" || token === "]") flow -= 1;
    else if (flow === 0 && first && !/^[\s#]/.test(token)) {
      const indent = at - lineStart;
      while (indents.length > 0 && indents.at(-1)! > indent) indents.pop();
      if (indents.at(-1) !== indent) indents.push(indent);
    }
    if (flow + indents.length > MAX_DEPTH) return at;
    const newline = token.lastIndexOf("\n");
    if (newline !== -1) lineStart = at + newline + 1;
    first = newline !== -1 || token === "-" || token === "?" || (first && /^\s*$/.test(token));
  }
  return null;
}
