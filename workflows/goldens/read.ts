/** Reads a folder of goldens: the files of both schemas. @module */
import { basename, join } from "node:path";
import { messageOf } from "../../data/error_text.ts";
import { isFolder, listFolder, notAFile } from "../../data/file_system.ts";
import { parseJsonObject } from "../../data/strict_json.ts";
import type { Data, FormulaCase } from "./topic.ts";

/** One JSON file of a folder of goldens. */
export interface GoldenFile {
  /** Without ".json". */
  readonly name: string;
  readonly path: string;
  /** Of the schema of formulas: its cases as they stand in the file. Null for one of a program's own schema. */
  readonly cases: readonly FormulaCase[] | null;
  readonly document: Readonly<Record<string, unknown>>;
}

/**
 * The JSON files of a folder and of the folders right below it, by name. Throws RangeError where there is none, and
 * SyntaxError for a file that cannot be read.
 */
export function readGoldens(folder: string): GoldenFile[] {
  if (!isFolder(folder)) throw new RangeError(`Cannot read goldens: ${folder} is no folder`);
  const below = listFolder(folder).map((name) => join(folder, name)).filter(isFolder);
  const paths = [folder, ...below].flatMap((place) =>
    listFolder(place).filter((name) => name.endsWith(".json")).map((name) => join(place, name))
  );
  if (!paths.length) {
    throw new RangeError(`Cannot read goldens: ${folder} has no file NAME.json; name the folder that holds them`);
  }
  return paths.map(readGoldenFile);
}

/** One JSON file of goldens. */
export function readGoldenFile(path: string): GoldenFile {
  const document = parseJsonObject(textOf(path), path);
  return { name: basename(path, ".json"), path, cases: formulaCases(document, path), document };
}

function textOf(path: string): string {
  const found = notAFile(Deno.statSync(path));
  if (found !== null) throw new SyntaxError(`Cannot read ${path}: it is ${found}, want a file`);
  try {
    return Deno.readTextFileSync(path);
  } catch (cause) {
    throw new SyntaxError(`Cannot read ${path}: ${messageOf(cause)}`, { cause });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What there is nothing to compare with: it would pass whatever ours gives. */
const isNothing = (outputs: unknown): boolean =>
  outputs === undefined || (Array.isArray(outputs) && outputs.length === 0) ||
  (isObject(outputs) && Object.values(outputs).every((value) => isObject(value) && isNothing(value)));

/** The cases of a file of formulas: each has inputs and outputs. */
function formulaCases(document: Readonly<Record<string, unknown>>, path: string): FormulaCase[] | null {
  const { cases } = document;
  if (!Array.isArray(cases) || !cases.some((one) => isObject(one) && "outputs" in one)) return null;
  return cases.map((one, i) => {
    const problem = !isObject(one)
      ? "it is no object"
      : typeof one["name"] !== "string"
      ? "it has no name"
      : isNothing(one["outputs"])
      ? `"${one["name"]}" has no outputs`
      : !isObject(one["params"] ?? {})
      ? `"${one["name"]}" has params that are no object`
      : null;
    if (problem !== null) throw new SyntaxError(`Cannot read case ${i} of ${path}: ${problem}`);
    const { name, params, inputs, outputs } = one as { name: string } & Record<string, Data>;
    return { name, params: params ?? {}, inputs: inputs ?? {}, outputs: outputs! };
  });
}

const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...[["nan", NaN], ["inf", Infinity], ["-inf", -Infinity]] as const, // formulas
  ...[["NaN", NaN], ["Infinity", Infinity], ["-Infinity", -Infinity]] as const, // torch
]);

/** The value with the texts for NaN and the infinities as numbers. */
export function withNumbers(value: Data): Data {
  if (typeof value === "string") return NUMBERS.get(value) ?? value;
  if (Array.isArray(value)) return value.map(withNumbers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withNumbers(one as Data)]));
}
