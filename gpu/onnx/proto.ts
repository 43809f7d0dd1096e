/** Writes a graph as an ONNX model (opset 21, IR 10): a protobuf writer of our own, no dependency. @module */
import { DTYPES, sizeOf, type TypedArray } from "./dtype.ts";
import type { Graph } from "./graph.ts";
import { type OpDefinition, OPS } from "./ops.ts";
import type { Attribute, Node } from "./node.ts";
import type { Value } from "./value.ts";

const OPSET = 21, IR_VERSION = 10;
const INT = 2, FLOAT = 1, STRING = 3, INTS = 7; // AttributeProto.AttributeType

/** Protobuf messages into one growing buffer; a nested message's length is patched in as a five-byte varint. */
class Writer {
  #bytes: Uint8Array<ArrayBuffer>;
  #at = 0;
  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
  }
  #reserve(more: number) {
    if (this.#at + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#at + more));
    grown.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = grown;
  }
  #varint(n: number) {
    this.#reserve(10);
    if (n < 0) {
      for (let rest = BigInt.asUintN(64, BigInt(n)), i = 0; i < 10; i++, rest >>= 7n) {
        this.#bytes[this.#at++] = Number(rest & 127n) | (i < 9 ? 128 : 0);
      }
      return;
    }
    while (n > 127) {
      this.#bytes[this.#at++] = (n % 128) | 128;
      n = Math.floor(n / 128);
    }
    this.#bytes[this.#at++] = n;
  }
  int(field: number, n: number) {
    this.#varint(field * 8);
    this.#varint(n);
  }
  float(field: number, x: number) {
    this.#varint(field * 8 + 5);
    this.#reserve(4);
    new DataView(this.#bytes.buffer).setFloat32(this.#at, x, true);
    this.#at += 4;
  }
  bytes(field: number, data: Uint8Array) {
    this.#varint(field * 8 + 2);
    this.#varint(data.length);
    this.#reserve(data.length);
    this.#bytes.set(data, this.#at);
    this.#at += data.length;
  }
  string(field: number, text: string) {
    this.#varint(field * 8 + 2);
    this.#reserve(text.length * 3 + 5);
    const start = this.#at + (text.length < 43 ? 1 : 5); // 42 characters are at most 126 bytes
    const { written } = ENCODER.encodeInto(text, this.#bytes.subarray(start));
    if (text.length < 43) this.#bytes[this.#at] = written;
    else this.#patch(this.#at, written);
    this.#at = start + written;
  }
  message(field: number, write: () => void) {
    this.#varint(field * 8 + 2);
    this.#reserve(5);
    const at = this.#at;
    this.#at += 5;
    write();
    this.#patch(at, this.#at - at - 5);
  }
  #patch(at: number, length: number) {
    for (let i = 0; i < 5; i++, length = Math.floor(length / 128)) {
      this.#bytes[at + i] = (length % 128) | (i < 4 ? 128 : 0);
    }
  }
  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#at);
  }
}
const ENCODER = new TextEncoder();

/**
 * The bytes of an ONNX model, ready for `Runtime.session`. Only nodes and constants that an output needs are written;
 * StopGradient and Identity disappear unless they are outputs. RangeError for a graph without outputs.
 */
export function encodeModel(graph: Graph): Uint8Array<ArrayBuffer> {
  if (!graph.outputs.length) {
    throw new RangeError(`Cannot encode a graph without outputs: call graph.output(name, value) first`);
  }
  const outputs = new Set(graph.outputs), { nodes, used, resolve } = reachable(graph, outputs);
  const constants = [...graph.constants].filter(([value]) => used.has(value));
  const size = constants.reduce((sum, [, data]) => sum + data.byteLength + 128, nodes.length * 160 + 4096);
  const writer = new Writer(size);
  writer.int(1, IR_VERSION);
  writer.string(2, "nonzero");
  writer.message(7, () => {
    for (const node of nodes) writer.message(1, () => writeNode(writer, node, used, resolve));
    writer.string(2, "graph");
    for (const [value, data] of constants) writer.message(5, () => writeTensor(writer, value, data));
    for (const value of neededInitializers(graph)) writer.message(5, () => writeOutside(writer, value));
    for (const value of graph.inputs) writer.message(11, () => writeValueInfo(writer, value));
    // A constant that is an input as well may be given another value, so nothing is inferred of it.
    for (const value of graph.concealed) if (used.has(value)) writer.message(11, () => writeValueInfo(writer, value));
    for (const value of graph.outputs) writer.message(12, () => writeValueInfo(writer, value));
  });
  for (const [domain, version] of [["", OPSET], ["com.microsoft", 1]] as const) {
    writer.message(8, () => {
      writer.string(1, domain);
      writer.int(2, version);
    });
  }
  return writer.finish();
}

/** The initializers that an output needs: those that are written, and that a session can be given. */
export function neededInitializers(graph: Graph): Value[] {
  const { used } = reachable(graph, new Set(graph.outputs));
  return [...graph.initializers].filter((value) => used.has(value));
}

/** The nodes that lead to an output, in order, the values they use, and what each value is after dropping identities. */
export function reachable(graph: Graph, outputs: ReadonlySet<Value>) {
  const aliases = new Map<Value, Value>();
  for (const { op, inputs: [input], outputs: [output] } of graph.nodes) {
    const transparent = (op === "Identity" || op === "StopGradient") && !outputs.has(output!);
    if (transparent) aliases.set(output!, aliases.get(input!) ?? input!);
  }
  const resolve = (value: Value) => aliases.get(value) ?? value;
  const used = new Set<Value>(outputs), nodes: Node[] = [];
  for (let i = graph.nodes.length - 1; i >= 0; i--) {
    const node = graph.nodes[i]!;
    if (aliases.has(node.outputs[0]!) || !node.outputs.some((value) => used.has(value))) continue;
    for (const input of node.inputs) if (input) used.add(resolve(input));
    nodes.push(node);
  }
  return { nodes: nodes.reverse(), used, resolve };
}

function writeNode(writer: Writer, node: Node, used: ReadonlySet<Value>, resolve: (value: Value) => Value) {
  const { onnx, domain, optionalOutputs }: OpDefinition = OPS[node.op];
  let inputs = node.inputs.length;
  while (inputs && node.inputs[inputs - 1] === null) inputs--;
  for (const input of node.inputs.slice(0, inputs)) writer.string(1, input ? resolve(input).name : "");
  let last = node.outputs.length;
  if (optionalOutputs) { while (!used.has(node.outputs[last - 1]!)) last--; }
  // The first output is never optional: a backward pass may read the others alone of what it computes again.
  for (const [i, output] of node.outputs.slice(0, last).entries()) {
    writer.string(2, optionalOutputs && i > 0 && !used.has(output) ? "" : output.name);
  }
  writer.string(3, node.outputs[0]!.name);
  writer.string(4, onnx ?? node.op);
  for (const [name, value] of Object.entries(node.attributes)) {
    writer.message(5, () => writeAttribute(writer, name, value));
  }
  if (domain) writer.string(7, domain);
}
function writeAttribute(writer: Writer, name: string, value: Attribute) {
  writer.string(1, name);
  if (typeof value === "number") {
    writer.int(3, value);
    writer.int(20, INT);
  } else if (typeof value === "string") {
    writer.string(4, value);
    writer.int(20, STRING);
  } else if ("float" in value) {
    writer.float(2, value.float);
    writer.int(20, FLOAT);
  } else {
    for (const n of value) writer.int(8, n);
    writer.int(20, INTS);
  }
}
function writeTensor(writer: Writer, value: Value, data: TypedArray) {
  for (const dim of value.dims) writer.int(1, dim);
  writer.int(2, DTYPES[value.dtype].code);
  writer.string(8, value.name);
  writer.bytes(9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}
const OUTSIDE = 1; // TensorProto.DataLocation.EXTERNAL

/** A tensor whose bytes are given with the session. ONNX Runtime wants a location that exists, and never looks there. */
function writeOutside(writer: Writer, value: Value) {
  for (const dim of value.dims) writer.int(1, dim);
  writer.int(2, DTYPES[value.dtype].code);
  writer.string(8, value.name);
  const length = sizeOf(value.dims) * DTYPES[value.dtype].bytes;
  for (const [key, text] of [["location", "."], ["offset", "0"], ["length", `${length}`]] as const) {
    writer.message(13, () => {
      writer.string(1, key);
      writer.string(2, text);
    });
  }
  writer.int(14, OUTSIDE);
}
function writeValueInfo(writer: Writer, value: Value) {
  writer.string(1, value.name);
  writer.message(2, () =>
    writer.message(1, () => {
      writer.int(1, DTYPES[value.dtype].code);
      writer.message(2, () => {
        for (const dim of value.shape) {
          writer.message(1, () => typeof dim === "number" ? writer.int(1, dim) : writer.string(2, dim));
        }
      });
    }));
}
