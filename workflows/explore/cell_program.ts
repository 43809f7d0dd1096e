/**
 * The code cells of a notebook as one program that does what the kernel does with them, line for line. What a module forbids
 * and a kernel allows is rewritten in place: imports where they stand, names declared anew, a last value that is shown.
 * @module
 */
import { stripTypeScriptTypes } from "node:module";
import { type Node, parse, type Pattern, type Program } from "acorn";
import { KERNEL } from "../../notebooks/display.ts";

/** A place in a notebook: the code cell and the line in it, both from 0. */
export interface CellPlace {
  readonly cell: number;
  readonly line: number;
}

export interface CellProgram {
  readonly text: string;
  /** Where a line of the program, from 0, stands in the notebook; null for one that no cell has. */
  placeOf(line: number): CellPlace | null;
  /** The first cell that is no TypeScript: it and those behind it are left out. */
  readonly broken: (CellPlace & { readonly message: string }) | null;
}

interface Parsed {
  readonly code: string;
  readonly body: Program["body"];
}

/** Writes a program that tells the kernel's stand-in, `globalThis[KERNEL]`, where each cell begins and what it comes to. */
export function programOf(cells: readonly string[]): CellProgram {
  const parsed: Parsed[] = [];
  let broken: CellProgram["broken"] = null;
  for (const [cell, code] of cells.entries()) {
    try {
      parsed.push(parseCell(code));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      broken = { cell, ...wrongAt(error, code) };
      break;
    }
  }
  const twice = declaredTwice(parsed);
  const starts: number[] = [];
  const lines = [`const $kernel = globalThis[Symbol.for(${JSON.stringify(Symbol.keyFor(KERNEL))})];`];
  for (const [cell, one] of parsed.entries()) {
    lines.push(`await $kernel.begin(${cell});`);
    starts.push(lines.length);
    lines.push(...rewritten(one, twice).split("\n"));
    lines.push(";");
  }
  const placeOf = (line: number) => {
    const cell = starts.findLastIndex((start) => start <= line);
    return cell < 0 ? null : { cell, line: line - starts[cell]! };
  };
  return { text: lines.join("\n") + "\n", placeOf, broken };
}

function parseCell(code: string): Parsed {
  const plain = stripTypeScriptTypes(code);
  return { code: plain, body: parse(plain, { ecmaVersion: "latest", sourceType: "module" }).body };
}

/** The message and the line of a syntax error, of the parser or of what takes the types away. */
function wrongAt(error: SyntaxError, code: string): { readonly line: number; readonly message: string } {
  const { loc } = error as { loc?: { readonly line: number } };
  if (loc) return { line: loc.line - 1, message: error.message.replace(/ \(\d+:\d+\)$/, "") };
  const message = placed(error) ? error.message : detailed(code) ?? error.message;
  const text = message.split("\n")[0]!.replace(/^SyntaxError: /, "").replace(PLACE, "").trim();
  return { line: Number(PLACE.exec(message)?.[1] ?? 1) - 1, message: text };
}

/** How a message of Deno ends that says where: `at file:///stripTypeScriptTypes.ts:1:11`. */
const PLACE = /\s+at file:\S+?:(\d+):\d+\s*$/;
const placed = (error: Error) => PLACE.test(error.message);

/** The same complaint of the mode that says where it is. */
function detailed(code: string): string | null {
  try {
    stripTypeScriptTypes(code, { mode: "transform" });
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Names of functions and classes that some cell declares again. */
function declaredTwice(cells: readonly Parsed[]): Set<string> {
  const seen = new Set<string>(), twice = new Set<string>();
  for (const { body } of cells) {
    for (const name of body.flatMap(declaredBy)) (seen.has(name) ? twice : seen).add(name);
  }
  return twice;
}

function declaredBy(node: Program["body"][number]): string[] {
  if (node.type === "ImportDeclaration") return node.specifiers.map(({ local }) => local.name);
  if (node.type === "FunctionDeclaration" || node.type === "ClassDeclaration") return [node.id.name];
  return node.type === "VariableDeclaration" ? node.declarations.flatMap(({ id }) => namesOf(id)) : [];
}

function namesOf(pattern: Pattern): string[] {
  switch (pattern.type) {
    case "Identifier":
      return [pattern.name];
    case "ObjectPattern":
      return pattern.properties.flatMap((part) => namesOf(part.type === "Property" ? part.value : part.argument));
    case "ArrayPattern":
      return pattern.elements.flatMap((part) => part ? namesOf(part) : []);
    case "AssignmentPattern":
      return namesOf(pattern.left);
    case "RestElement":
      return namesOf(pattern.argument);
    default:
      return [];
  }
}

/** A cell's code with as many lines as it had. */
function rewritten({ code, body }: Parsed, twice: ReadonlySet<string>): string {
  let out = "", at = 0;
  const replace = ({ start, end }: Pick<Node, "start" | "end">, text: string) => {
    const lines = (part: string) => part.split("\n").length - 1;
    const rest = "\n".repeat(Math.max(0, lines(code.slice(start, end)) - lines(text)));
    out += code.slice(at, start) + text + rest;
    at = end;
  };
  for (const node of body) {
    const source = code.slice(node.start, node.end);
    if (node.type === "ImportDeclaration") {
      const given = node.attributes.map(({ key, value }) => `${code.slice(key.start, key.end)}: ${value.raw}`).join(
        ", ",
      );
      const module = `await import(${node.source.raw}${given ? `, { with: { ${given} } }` : ""})`;
      const [whole] = node.specifiers.filter(({ type }) => type === "ImportNamespaceSpecifier");
      const names = node.specifiers.flatMap((one) => {
        if (one.type === "ImportNamespaceSpecifier") return [];
        const name = one.type === "ImportDefaultSpecifier"
          ? "default"
          : code.slice(one.imported.start, one.imported.end);
        return [`${name}: ${one.local.name}`];
      });
      const first = whole ? `var ${whole.local.name} = ${module};` : "";
      const second = names.length ? `var { ${names.join(", ")} } = ${module};` : "";
      replace(node, first + second || `${module};`);
    } else if (node.type === "VariableDeclaration" && (node.kind === "const" || node.kind === "let")) {
      replace({ start: node.start, end: node.start + node.kind.length }, "var");
    } else if (node.type === "ClassDeclaration" || node.type === "FunctionDeclaration" && twice.has(node.id.name)) {
      replace(node, `var ${node.id!.name} = ${source};`);
    } else if (node === body.at(-1) && node.type === "ExpressionStatement") {
      replace(node, `await $kernel.result((${code.slice(node.expression.start, node.expression.end)}));`);
    }
  }
  return out + code.slice(at);
}
