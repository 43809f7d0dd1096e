/**
 * Parses YAML under limits and keeps the place of every key and value.
 *
 * Strict YAML 1.2 core: one document, no merge keys, no tags of one's own, no directives. Why the limits: 10 MB of quoted
 * text costs 0.4 GB, and deep nesting aborts some runtimes uncatchably.
 * @module
 */
import {
  isAlias,
  isCollection,
  isMap,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
} from "yaml";
import type { Path, Place, Position, Problem, WorkflowSource } from "./problems.ts";
import { keyMistake, parserSentence, syntaxMistake } from "./yaml_syntax.ts";

export const MAX_BYTES = 1_000_000;
export const MAX_DEPTH = 100;
const MAX_ALIASES = 100;

/** What came of a text: a plain value, or problems. */
interface ParsedYaml {
  readonly value: unknown;
  readonly source: WorkflowSource;
  readonly problems: readonly Problem[];
}

/** A problem known by its character offset in the file. */
interface TextProblem extends Problem {
  readonly at: number;
}

/** Parses a text of at most MAX_BYTES. Never throws for what is in the text. */
export function parseYaml(text: string, file: string): ParsedYaml {
  const lines = new LineCounter();
  const at = new Map<Problem, number>();
  const fail = (problems: readonly TextProblem[], locate?: WorkflowSource["locate"]): ParsedYaml => {
    for (const problem of problems) at.set(problem, problem.at);
    const position = (place: Place) => {
      const offset = at.get(place as Problem);
      return offset === undefined ? locate?.(place) ?? null : positionAt(lines, offset);
    };
    return { value: undefined, source: { file, text, locate: position }, problems };
  };
  const deep = tooDeep(text);
  if (deep !== null) {
    for (const match of text.matchAll(/\n/g)) lines.addNewLine(match.index + 1);
    lines.lineStarts.unshift(0);
    return fail([{ path: [], at: deep, message: `nested deeper than ${MAX_DEPTH}` }]);
  }
  const document = parseDocument(text, {
    lineCounter: lines,
    version: "1.2",
    schema: "core",
    merge: false,
    prettyErrors: false,
  });
  const syntax = [...document.errors, ...document.warnings];
  if (syntax.length > 0) {
    const braces = syntax.filter((error) => text.startsWith("${{", error.pos[0] - 1)).map((error) => error.pos[0] - 1);
    if (braces.length > 0) {
      return fail(braces.map((offset) => ({
        path: [],
        at: offset,
        message:
          'unquoted "${{" inside { } or [ ]; put the expression in quotes: "${{ … }}", or write the keys on lines of their own',
      })));
    }
    return fail([{ path: [], ...syntaxMistake(text, syntax) }]);
  }
  if (document.contents === null) {
    return fail([{ path: [], at: 0, message: 'the file is empty, want keys such as "name" and "steps"' }]);
  }
  const refused: TextProblem[] = [];
  let aliases = 0;
  visit(document, {
    Alias(_, alias) {
      aliases += 1;
      const start = alias.range![0];
      if (alias.resolve(document) === undefined) {
        refused.push({
          path: [],
          at: start,
          message: `unknown alias "*${alias.source}"; no "&${alias.source}" stands before it`,
        });
      }
      if (aliases === MAX_ALIASES + 1) {
        refused.push({ path: [], at: start, message: `more than ${MAX_ALIASES} aliases; write the values out` });
      }
    },
    Pair(_, pair) {
      const key = pair.key as Node;
      if (!isScalar(key)) refused.push({ path: [], ...keyMistake(text, key?.range?.[0] ?? 0) });
      else if (key.value === "<<") {
        refused.push({ path: [], at: key.range![0], message: 'merge key "<<" is not read; write the keys out' });
      }
    },
  });
  if (document.directives?.yaml.explicit && document.directives.yaml.version !== "1.2") {
    refused.push({ path: [], at: 0, message: `%YAML ${document.directives.yaml.version} is not read, want 1.2` });
  }
  if (refused.length > 0) return fail(refused);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    const first = Math.max(0, text.search(/\*\w/));
    return fail([{
      path: [],
      at: first,
      message: `Cannot expand aliases: ${parserSentence((error as Error).message)}; write the values out`,
    }]);
  }
  const locate = (place: Place) => locateNode(document.contents as Node, place);
  return { value, source: { file, text, locate }, problems: [] };

  function locateNode(root: Node, place: Place): Position | null {
    const node = nodeAt(root, place);
    if (node?.range === undefined || node.range === null) return null;
    return positionAt(lines, node.range[0] + textOffset(text, node, place.offset));
  }

  /** The node at a path, or the deepest one that exists on the way. */
  function nodeAt(root: Node, { path, key }: Place): Node | null {
    let node: Node = root;
    for (const [index, part] of path.entries()) {
      const inner: Node | undefined = isAlias(node) ? node.resolve(document) : node;
      const child = childOf(inner, part);
      if (child === null) return node;
      if (index === path.length - 1 && key && isPair(child)) return child.key as Node;
      const next = isPair(child) ? (child.value ?? child.key) as Node : child;
      node = next;
    }
    return node;
  }
}

function childOf(node: Node | undefined, part: Path[number]): Node | Pair | null {
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

function positionAt(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

/** Offset where the nesting of a text passes MAX_DEPTH, found without recursion; null if it does not. */
function tooDeep(text: string): number | null {
  const indents: number[] = [];
  let flow = 0;
  let offset = 0;
  let lineStart = 0;
  let first = true;
  for (const token of new Lexer().lex(text)) {
    // Byte-order mark, document, flow-error and scalar markers have no width in the text.
    if (token === "\x02" || token === "\x18" || token === "\x1f") continue;
    if (token === "{" || token === "[") flow += 1;
    else if (token === "}" || token === "]") flow -= 1;
    else if (flow === 0 && first && !/^[\s#]/.test(token)) {
      const indent = offset - lineStart;
      while (indents.length > 0 && indents.at(-1)! > indent) indents.pop();
      if (indents.at(-1) !== indent) indents.push(indent);
    }
    if (flow + indents.length > MAX_DEPTH) return offset;
    offset += token.length;
    const newline = token.lastIndexOf("\n");
    if (newline !== -1) lineStart = offset - token.length + newline + 1;
    first = newline !== -1 || token === "-" || token === "?" || (first && /^\s*$/.test(token));
  }
  return null;
}
