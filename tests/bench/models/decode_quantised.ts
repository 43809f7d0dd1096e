/**
 * Products of a decoding step by weights of 8 bits in two ways: MatMulNBits in blocks, as the sampler has them, and dynamic
 * quantization, which rounds the inputs by one scale and has one scale per column (DynamicQuantizeMatMul, and
 * DynamicQuantizeLinear with MatMulInteger).
 * @module
 */
import { readModelConfig } from "../../../data/hub/config.ts";
import { modelConfig } from "../../../gpu/models/config.ts";
import { parameterLayout } from "../../../gpu/models/parameters.ts";
import { blockOf, blocksOf, matmulBlocks } from "../../../gpu/onnx/block_quantized.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { encodeModel } from "../../../gpu/onnx/proto.ts";
import { openRuntime, type Runtime } from "../../../gpu/session.ts";
import type { BoundRun } from "../../../gpu/ort/runtime.ts";
import { median } from "../rows.ts";
import type { Figure, TrialContext } from "./figure.ts";
import { type BareModel, bareModel, type Constant, FLOAT, INT8 } from "./onnx_bytes.ts";

const ROUNDS = 24, WARMUP = 4;

/** A matrix [out, in] of the model, by a name of its own. */
export interface Product {
  readonly name: string;
  readonly out: number;
  readonly width: number;
  /** Largest code, 127 unless given. Up to 63 a pair of products fits 16 bits: CPUs without VNNI then saturate nothing. */
  readonly largest?: number;
}

/** The same pseudo-random codes -largest .. largest for both: of column n and place k, each byte by xorshift32. */
export function codesOf({ out, width, largest = 127 }: Product, seed: number): Int8Array {
  const codes = new Int8Array(out * width);
  let x = seed | 1;
  for (let i = 0; i < codes.length; i++) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    codes[i] = (x >>> 8) % (2 * largest + 1) - largest;
  }
  return codes;
}

const SCALE = 2 ** -12;
const bytesOf = (array: Float32Array | Int8Array) => new Uint8Array(array.buffer);

/** A graph of dynamic quantization, one op or its three. */
export function dynamicModel(products: readonly Product[], fused: boolean): BareModel {
  const constants: Record<string, Constant> = {}, nodes: BareModel["nodes"][number][] = [];
  const sizes = (of: (product: Product) => number, before: string) =>
    Object.fromEntries(products.map((product) => [`${before}.${product.name}`, of(product)]));
  for (const [seed, product] of products.entries()) {
    const { name, out, width } = product, rows = codesOf(product, seed), columns = new Int8Array(rows.length);
    for (let n = 0; n < out; n++) for (let k = 0; k < width; k++) columns[k * out + n] = rows[n * width + k]!;
    const scales = bytesOf(new Float32Array(out).fill(SCALE));
    constants[`w.${name}`] = { type: INT8, shape: [width, out], bytes: bytesOf(columns) };
    constants[`s.${name}`] = { type: FLOAT, shape: [out], bytes: scales };
    const [x, w, s, y] = ["x", "w", "s", "y"].map((kind) => `${kind}.${name}`) as [string, string, string, string];
    if (fused) {
      nodes.push({ op: "DynamicQuantizeMatMul", domain: "com.microsoft", inputs: [x, w, s], outputs: [y] });
      continue;
    }
    const [q, scale, zero, whole, float, both] = ["q", "scale", "zero", "whole", "float", "both"].map((kind) =>
      `${kind}.${name}`
    ) as [string, string, string, string, string, string];
    nodes.push(
      { op: "DynamicQuantizeLinear", inputs: [x], outputs: [q, scale, zero] },
      { op: "MatMulInteger", inputs: [q, w, zero], outputs: [whole] },
      { op: "Cast", inputs: [whole], outputs: [float], numbers: { to: FLOAT } },
      { op: "Mul", inputs: [scale, s], outputs: [both] },
      { op: "Mul", inputs: [float, both], outputs: [y] },
    );
  }
  return { nodes, constants, inputs: sizes(({ width }) => width, "x"), outputs: sizes(({ out }) => out, "y") };
}

/** One run of all products, whose results stand in `y`, by batch size. */
export interface Way {
  bind(rows: number): { readonly run: BoundRun; readonly y: Readonly<Record<string, ArrayLike<number>>> };
  release(): void;
}

type Session = Awaited<ReturnType<Runtime["session"]>>;

function way(
  runtime: Runtime,
  session: Session,
  products: readonly Product[],
  constants: readonly { release(): void }[] = [],
): Way {
  const made: { release(): void }[] = [...constants].reverse();
  made.push(session);
  return {
    release: () => made.reverse().forEach((thing) => thing.release()),
    bind(rows) {
      const tensor = (size: number, data?: Float32Array) => runtime.tensor("float32", [rows, size], data);
      const x = ({ width }: Product) => Float32Array.from({ length: rows * width }, (_, i) => Math.sin(i * 0.37));
      const inputs = products.map((product) => [`x.${product.name}`, tensor(product.width, x(product))] as const);
      const outputs = products.map(({ name, out }) => [`y.${name}`, tensor(out)] as const);
      const run = session.bind(Object.fromEntries(inputs), Object.fromEntries(outputs));
      made.push(...[...inputs, ...outputs].map(([, tensor]) => tensor), run);
      return { run, y: Object.fromEntries(outputs.map(([name, { data }]) => [name.slice(2), data as Float32Array])) };
    },
  };
}

export async function dynamicWay(runtime: Runtime, products: readonly Product[], fused: boolean): Promise<Way> {
  const model = bareModel(dynamicModel(products, fused));
  return way(runtime, await runtime.session(model, { optimization: "basic" }), products);
}

export async function blockWay(runtime: Runtime, products: readonly Product[]): Promise<Way> {
  const graph = new Graph(), tensors: Record<string, ReturnType<Runtime["tensor"]>> = {};
  for (const [seed, product] of products.entries()) {
    const { name, out, width } = product, blocks = blocksOf(width, 8), codes = codesOf(product, seed);
    const block = blockOf(width, 8);
    const packed = new Uint8Array(out * blocks * block).fill(128);
    for (let n = 0; n < out; n++) {
      for (let k = 0; k < width; k++) packed[n * blocks * block + k] = codes[n * width + k]! + 128;
    }
    tensors[`w.${name}`] = runtime.tensor("uint8", [out, blocks, block], packed);
    tensors[`s.${name}`] = runtime.tensor("float32", [out, blocks], new Float32Array(out * blocks).fill(SCALE));
    const [w, scales] = (["w", "s"] as const).map((kind) => {
      const { dtype, shape } = tensors[`${kind}.${name}`]!;
      return graph.initializer(`${kind}.${name}`, { dtype, shape });
    });
    const x = graph.input(`x.${name}`, { dtype: "float32", shape: ["B", width] });
    graph.output(`y.${name}`, matmulBlocks(x, { packed: w!, scales: scales!, width, bits: 8 }, true));
  }
  const initializers = runtime.shareInitializers(tensors);
  const session = await runtime.session(encodeModel(graph), { optimization: "basic", initializers });
  return way(runtime, session, products, [initializers, ...Object.values(tensors)]);
}

/** Every matrix that a decoding step multiplies by: those of all layers, and the head. */
function productsOf(folder: string): Product[] {
  return parameterLayout(modelConfig(readModelConfig(folder))).packed
    .filter(({ shape }) => shape.length === 2)
    .map(({ name, shape: [out, width] }) => ({ name, out: out!, width: width! }));
}

/** Times of one step's products, ms, the ways in turn. */
export async function quantisedProducts({ folder, threads }: TrialContext): Promise<Figure[]> {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads }), products = productsOf(folder);
  const ways = {
    "MatMulNBits": await blockWay(runtime, products),
    "DynamicQuantizeMatMul": await dynamicWay(runtime, products, true),
    "MatMulInteger": await dynamicWay(runtime, products, false),
  };
  const figures: Figure[] = [];
  for (const rows of [1, 8]) {
    const times = Object.entries(ways).map(([name, way]) => ({ name, run: way.bind(rows).run, ms: [] as number[] }));
    for (let round = 0; round < ROUNDS; round++) {
      for (const { run, ms } of times) {
        const began = performance.now();
        await run.run();
        if (round >= WARMUP) ms.push(performance.now() - began);
      }
    }
    const [blocks] = times;
    for (const { name, ms } of times) {
      figures.push({ what: `batch ${rows}, products by ${name}`, value: median(ms), unit: "ms" });
      if (name === blocks!.name) continue;
      figures.push({ what: `batch ${rows}, ${name} / MatMulNBits`, value: median(ms) / median(blocks!.ms), unit: "×" });
    }
  }
  Object.values(ways).forEach((way) => way.release());
  runtime.release();
  return figures;
}
