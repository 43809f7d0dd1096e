/** Writes a small ONNX model of ops that the project has no rules for, to measure them: nodes, constants, one row per batch. @module */

/** A constant: its ONNX element type, shape and bytes. */
export interface Constant {
  readonly type: number;
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

interface Node {
  readonly op: string;
  readonly domain?: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Attributes that are whole numbers. */
  readonly numbers?: Readonly<Record<string, number>>;
}

export interface BareModel {
  readonly nodes: readonly Node[];
  readonly constants: Readonly<Record<string, Constant>>;
  /** float32 inputs and outputs [B, size]. */
  readonly inputs: Readonly<Record<string, number>>;
  readonly outputs: Readonly<Record<string, number>>;
}

export const FLOAT = 1, INT8 = 3;
const IR_VERSION = 10, OPSET = 21, INT = 2;

const encoder = new TextEncoder();

/** Bytes of a message, in pieces: constants are large. */
type Bytes = readonly Uint8Array[];

function varint(n: number): Uint8Array {
  const bytes: number[] = [];
  for (; n > 127; n = Math.floor(n / 128)) bytes.push((n % 128) | 128);
  return Uint8Array.from([...bytes, n]);
}

const sizeOf = (bytes: Bytes) => bytes.reduce((sum, { length }) => sum + length, 0);
const int = (field: number, n: number): Bytes => [varint(field * 8), varint(n)];
const message = (field: number, ...parts: readonly Bytes[]): Bytes => {
  const all = parts.flat();
  return [varint(field * 8 + 2), varint(sizeOf(all)), ...all];
};
const text = (field: number, value: string): Bytes => message(field, [encoder.encode(value)]);

function node({ op, domain = "", inputs, outputs, numbers = {} }: Node): Bytes {
  return message(
    1,
    ...inputs.map((name) => text(1, name)),
    ...outputs.map((name) => text(2, name)),
    text(4, op),
    ...Object.entries(numbers).map(([name, n]) => message(5, text(1, name), int(3, n), int(20, INT))),
    text(7, domain),
  );
}

function row(field: number, name: string, size: number): Bytes {
  const shape = message(2, message(1, text(2, "B")), message(1, int(1, size)));
  return message(field, text(1, name), message(2, message(1, int(1, FLOAT), shape)));
}

export function bareModel({ nodes, constants, inputs, outputs }: BareModel): Uint8Array<ArrayBuffer> {
  const graph = message(
    7,
    ...nodes.map(node),
    text(2, "graph"),
    ...Object.entries(constants).map(([name, { type, shape, bytes }]) =>
      message(5, ...shape.map((size) => int(1, size)), int(2, type), text(8, name), message(9, [bytes]))
    ),
    ...Object.entries(inputs).map(([name, size]) => row(11, name, size)),
    ...Object.entries(outputs).map(([name, size]) => row(12, name, size)),
  );
  const domains = ([["", OPSET], ["com.microsoft", 1]] as const).map(([name, version]) =>
    message(8, text(1, name), int(2, version))
  );
  const all = [int(1, IR_VERSION), graph, ...domains].flat(), whole = new Uint8Array(sizeOf(all));
  let at = 0;
  for (const piece of all) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
