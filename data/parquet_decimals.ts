/**
 * Decimals of Parquet with all their digits: the library makes binary floats of them, and 1.15 the number beside it.
 *
 * It is told that they are plain integers or bytes, and what it then gives becomes digits here.
 * @module
 */
import { type FileMetaData, parquetSchema, type SchemaElement, type SchemaTree } from "hyparquet";
import { isListLike, isMapLike } from "hyparquet/src/schema.js";
import { decimalText } from "./exact_values.ts";

type Row = Record<string, unknown>;

interface ExactDecimals {
  /** The metadata to read with. */
  readonly metadata: FileMetaData;
  /** Puts digits in place of what was read. */
  convert(rows: Row[]): Row[];
}

export function exactDecimals(metadata: FileMetaData): ExactDecimals {
  const { children } = parquetSchema(metadata), found = new Set(children.flatMap(decimalsIn));
  if (found.size === 0) return { metadata, convert: (rows) => rows };
  const columns = children.filter((column) => decimalsIn(column).length > 0);
  const schema = metadata.schema.map((element) => {
    if (!found.has(element)) return element;
    const { converted_type: _, logical_type: __, ...stored } = element;
    return stored;
  });
  return {
    metadata: { ...metadata, schema },
    convert(rows) {
      for (const row of rows) {
        for (const column of columns) {
          const { name } = column.element;
          if (Object.hasOwn(row, name)) row[name] = exact(row[name], column, found);
        }
      }
      return rows;
    },
  };
}

const isDecimal = ({ converted_type, logical_type }: SchemaElement) =>
  converted_type === "DECIMAL" || logical_type?.type === "DECIMAL";

/** The decimals in a column; keys of maps are names, and stay what the library makes of them. */
function decimalsIn(node: SchemaTree): SchemaElement[] {
  if (node.children.length === 0) return isDecimal(node.element) ? [node.element] : [];
  return isMapLike(node) ? decimalsIn(valueOf(node)) : node.children.flatMap(decimalsIn);
}

/** What the values of a map are; the library takes the second for them. */
const valueOf = (map: SchemaTree) => map.children[0]!.children[1]!;

function exact(value: unknown, node: SchemaTree, found: ReadonlySet<SchemaElement>): unknown {
  if (value === null || value === undefined) return null;
  const { element, children } = node, inner = (part: SchemaTree) => (one: unknown) => exact(one, part, found);
  if (isListLike(node)) {
    const list = children[0]!, item = list.children.length === 1 ? list.children[0]! : list;
    return Array.from(value as ArrayLike<unknown>, inner(item));
  }
  if (Array.isArray(value)) return value.map(inner(node));
  if (children.length === 0) {
    return found.has(element) ? decimalText(unscaled(value), scaleOf(element)) : value;
  }
  const fields = value as Row;
  if (isMapLike(node)) {
    return Object.fromEntries(Object.entries(fields).map(([key, one]) => [key, exact(one, valueOf(node), found)]));
  }
  return Object.fromEntries(
    children.map((child) => [child.element.name, exact(fields[child.element.name], child, found)]),
  );
}

const scaleOf = ({ scale, logical_type }: SchemaElement) =>
  scale ?? (logical_type?.type === "DECIMAL" ? logical_type.scale : 0);

/** The integer that is stored: itself, or bytes with the highest first, in two's complement. */
function unscaled(value: unknown): bigint {
  if (!(value instanceof Uint8Array)) return BigInt(value as number | bigint);
  let integer = 0n;
  for (const byte of value) integer = integer * 256n + BigInt(byte);
  return BigInt.asIntN(8 * value.length, integer);
}
