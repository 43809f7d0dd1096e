/** Evaluates small graphs on given numbers, with their gradients: equal graphs of equal shapes share one session. @module */
import { gradients } from "../../gpu/autodiff/gradients.ts";
import { Graph, type Value } from "../../gpu/onnx/graph.ts";
import { encodeModel } from "../../gpu/onnx/proto.ts";
import { openRuntime, type Runtime, type Session } from "../../gpu/session.ts";
import type { Float } from "./topic.ts";

/** A number or nested lists of them, all rows of a level as long. */
export type Nested = number | readonly Nested[];

interface GraphRequest {
  readonly dtype: Float;
  /** Values by name; those that `build` does not ask for are left out. */
  readonly inputs: Readonly<Record<string, Nested>>;
  /** Outputs by name, any shapes. */
  build(input: (name: string) => Value, graph: Graph): Readonly<Record<string, Value>>;
  /** Adds `grad_X`, d (sum of output `of`) / d X in the shape of X, for every X of `by`. */
  readonly gradients?: { readonly of: string; readonly by: readonly string[] };
}

export interface GraphRunner {
  /** Outputs as nested lists, a scalar as a number. */
  run(request: GraphRequest): Promise<Record<string, Nested>>;
  release(): void;
}

/** Sessions that are kept: a file's cases come in few shapes. */
const KEPT = 256;

/** A runner with a runtime of its own on one thread of the CPU. */
export async function openGraphRunner(): Promise<GraphRunner> {
  const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
  const sessions = new Map<string, Session>();
  return {
    async run(request) {
      const { graph, outputs } = built(request);
      return await evaluated(runtime, await sessionOf(runtime, graph, sessions), request, graph, outputs);
    },
    release() {
      for (const session of sessions.values()) session.release();
      runtime.release();
    },
  };
}

/** The session of a graph; the oldest goes where there are too many. */
async function sessionOf(runtime: Runtime, graph: Graph, sessions: Map<string, Session>): Promise<Session> {
  const model = encodeModel(graph), key = new TextDecoder("latin1").decode(model);
  const known = sessions.get(key);
  if (known) return known;
  const [oldest] = sessions;
  if (oldest && sessions.size >= KEPT) {
    oldest[1].release();
    sessions.delete(oldest[0]);
  }
  const session = await runtime.session(model, { optimization: "none" });
  sessions.set(key, session);
  return session;
}

/** The graph with its outputs; scalars become [1], which every backend takes. */
function built({ dtype, inputs, build, gradients: wanted }: GraphRequest) {
  const graph = new Graph(), read = new Map<string, Value>();
  const input = (name: string): Value => {
    const known = read.get(name), given = inputs[name];
    if (known) return known;
    if (given === undefined) {
      throw new RangeError(`Cannot evaluate the formula: it reads "${name}", which the case does not have`);
    }
    const value = graph.input(name, { dtype, shape: shapeOf(given) });
    read.set(name, value);
    return value;
  };
  const outputs: Record<string, Value> = { ...build(input, graph) };
  if (wanted) {
    const by = wanted.by.map(input);
    gradients(outputs[wanted.of]!.sum(), by).forEach((gradient, i) => outputs[`grad_${wanted.by[i]}`] = gradient);
  }
  for (const [name, value] of Object.entries(outputs)) {
    graph.output(`${name}.out`, value.dims.length ? value : value.reshape([1]));
  }
  return { graph, outputs };
}

async function evaluated(
  runtime: Runtime,
  session: Session,
  { dtype, inputs }: GraphRequest,
  graph: Graph,
  outputs: Readonly<Record<string, Value>>,
): Promise<Record<string, Nested>> {
  const array = dtype === "float64" ? Float64Array : Float32Array;
  const fed = Object.fromEntries(
    session.inputs.map((name) => {
      const given = inputs[name]!;
      return [name, runtime.tensor(dtype, shapeOf(given), array.from(flat(given)))];
    }),
  );
  const got = Object.fromEntries(graph.outputs.map(({ name, dtype, dims }) => [name, runtime.tensor(dtype, dims)]));
  const bound = session.bind(fed, got);
  await bound.run();
  const result = Object.fromEntries(
    Object.entries(outputs).map(([name, { dims }]) => {
      const values = Array.from(got[`${name}.out`]!.data as ArrayLike<number | bigint>, Number);
      return [name, nested(values, dims)];
    }),
  );
  bound.release();
  for (const tensor of [...Object.values(fed), ...Object.values(got)]) tensor.release();
  return result;
}

/** The shape of nested lists; RangeError for rows of unequal lengths. */
function shapeOf(value: Nested): number[] {
  if (typeof value === "number") return [];
  const inner = value.length ? shapeOf(value[0]!) : [];
  if (value.some((one) => String(shapeOf(one)) !== String(inner))) {
    throw new RangeError(`Cannot read ${value.length} rows as a tensor: their lengths differ`);
  }
  return [value.length, ...inner];
}

/** All numbers in row-major order. */
export function flat(value: Nested): number[] {
  return typeof value === "number" ? [value] : value.flatMap(flat);
}

function nested(values: readonly number[], [size, ...rest]: readonly number[]): Nested {
  if (size === undefined) return values[0]!;
  const each = rest.reduce((a, b) => a * b, 1);
  return Array.from({ length: size }, (_, i) => nested(values.slice(i * each, (i + 1) * each), rest));
}
