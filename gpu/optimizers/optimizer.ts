/** Applies AdamW, Adam or SGD to the weights of a model, slice by slice, and keeps its moments. @module */
import { encodeModel } from "../onnx/proto.ts";
import type { BoundRun, Runtime, Session, Tensor } from "../ort/runtime.ts";
import type { Trainable, Weights } from "../weights/weights.ts";
import type { Parameter } from "../weights/layout.ts";
import { type AdamW, HYPER, hyperValues, normGraph, SLICE, updateGraph, type UpdateRule } from "./adamw.ts";
import { ditherShift } from "./block_codes.ts";
import { makeMoments, type Moments, type OptimizerStateKind, type Range, type SavedMoments } from "./moments.ts";
import { NORM_SUMS, tensorNormsGraph } from "./tensor_norms.ts";

export interface UpdateResult {
  /** False when loss or gradient was not finite: weights and moments are bitwise what they were. */
  readonly applied: boolean;
  /** Global L2 norm of the gradient before clipping. */
  readonly gradNorm: number;
  /** L2 norm of the weights' change. */
  readonly updateNorm: number;
  /** L2 norm of the weights after the update. */
  readonly weightNorm: number;
}

export interface ParameterNorms {
  readonly parameter: string;
  readonly gradNorm: number;
  readonly updateNorm: number;
  readonly parameterNorm: number;
  /** Non-finite values in gradient and tensor. */
  readonly nonFinite: number;
}

/** Everything a resumed run needs besides the weights. */
interface OptimizerState {
  readonly updates: number;
  readonly moments: SavedMoments;
}

/** Weight decay may differ between them. */
const REGIONS = ["matrices", "vectors"] as const;
type Region = (typeof REGIONS)[number];

interface Slice {
  readonly region: Region;
  readonly offset: number;
  readonly size: number;
}

/** By which rows of the table `gradients` are computed. */
interface NormsSession {
  readonly rule: UpdateRule;
  readonly session: Session;
  readonly sums: Tensor;
}

const NORM_PART = 1 << 20; // Numbers whose moments are made float32 at once, where they are codes.

export class Optimizer {
  readonly moments: Moments;
  /** Updates applied so far. */
  updates = 0;
  readonly #runtime: Runtime;
  readonly #sessions: Session[] = [];
  readonly #norm: BoundRun;
  readonly #mask: Tensor | null;
  readonly #loss: Tensor;
  readonly #hyper: Readonly<Record<Region, Tensor>>;
  readonly #control: Tensor;
  readonly #gradNorm: Tensor;
  readonly #slices: readonly Slice[];
  readonly #squares: Tensor;
  /** Bound runs of a region, with or without weight decay. */
  readonly #updates = new Map<string, BoundRun[]>();
  readonly #updateSessions = new Map<string, Promise<Session>>();
  /** Read by graphs of coded moments alone. */
  readonly #dither: Tensor;
  #norms: NormsSession | null = null;
  /** Of the last update. */
  #rule: UpdateRule = "adamw";

  static async create(
    weights: Weights,
    trainable: Trainable,
    state: OptimizerStateKind = "float32",
  ): Promise<Optimizer> {
    const { runtime, layout } = weights;
    const counted = layout.packed.filter(({ name }) => trainable.packed.has(name));
    const model = encodeModel(normGraph(counted, runtime.device, trainable.mask !== null));
    return new Optimizer(
      weights,
      trainable,
      state,
      counted,
      await runtime.session(model, { name: "norm", optimization: "none" }),
    );
  }

  private constructor(
    readonly weights: Weights,
    readonly trainable: Trainable,
    state: OptimizerStateKind,
    counted: readonly Parameter[],
    norm: Session,
  ) {
    const { runtime, layout, gradients } = weights;
    this.#runtime = runtime;
    this.#sessions.push(norm);
    const vector = (n: number) => runtime.tensor("float32", [n]);
    [this.#loss, this.#control, this.#gradNorm] = [vector(1), vector(2), vector(1)];
    this.#hyper = { matrices: vector(HYPER.length), vectors: vector(HYPER.length) };
    this.#mask = trainable.mask && runtime.tensor("float32", [layout.size], trainable.mask);
    this.#slices = [...slices("matrices", 0, layout.matrixSize), ...slices("vectors", layout.matrixSize, layout.size)];
    this.moments = makeMoments(runtime, state, layout.size, this.#slices);
    this.#dither = vector(1);
    this.#squares = vector(2 * this.#slices.length);
    const inputs: Record<string, Tensor> = { loss: this.#loss, hyper: this.#hyper.matrices };
    for (const { name, offset, size } of counted) {
      inputs[name] = gradients.view([size], offset);
      if (this.#mask) inputs[`mask.${name}`] = this.#mask.view([size], offset);
    }
    this.#norm = norm.bind(inputs, { control: this.#control, grad_norm: this.#gradNorm });
  }

  /** The runs that update a region. */
  async #bound(region: Region, decay: boolean): Promise<BoundRun[]> {
    const rule = this.#rule, key = `${region} ${decay} ${rule}`, known = this.#updates.get(key);
    if (known) return known;
    const slices = [...this.#slices.entries()].filter(([, slice]) => slice.region === region);
    const bound = await Promise.all(slices.map(async ([i, slice]) => {
      const session = await this.#updateSession(decay, slice.size),
        at = (tensor: Tensor) => tensor.view([slice.size], slice.offset);
      const { values, gradients } = this.weights, w = at(values), moments = this.moments.bound(slice);
      const read = {
        g: at(gradients),
        w,
        hyper: this.#hyper[region],
        control: this.#control,
        ...(this.#mask ? { mask: at(this.#mask) } : {}),
        ...(this.moments.kind === "int8" ? { dither: this.#dither } : {}),
      };
      const squares = this.#squares.view([2], 2 * i);
      return session.bind({ ...read, ...moments.inputs }, { new_w: w, ...moments.outputs, squares });
    }));
    this.#updates.set(key, bound);
    return bound;
  }

  /** One for all sizes, but of coded moments one per size. */
  #updateSession(decay: boolean, size: number): Promise<Session> {
    const rule = this.#rule, { kind } = this.moments, key = `${decay} ${rule} ${kind === "int8" ? size : ""}`;
    // Slices ask for it at once: the promise is kept, or each would load its own.
    const session = this.#updateSessions.get(key) ?? this.#loadUpdate(rule, decay, size);
    this.#updateSessions.set(key, session);
    return session;
  }

  async #loadUpdate(rule: UpdateRule, decay: boolean, size: number): Promise<Session> {
    const state = { kind: this.moments.kind, size };
    const graph = updateGraph(this.#runtime.device, { masked: this.#mask !== null, decay, rule, state });
    const session = await this.#runtime.session(encodeModel(graph), { name: "update" });
    this.#sessions.push(session);
    return session;
  }

  /**
   * Clips the gradient and updates the weights in place.
   *
   * loss    of the batch whose gradient this is, nats; when it or the gradient's norm is not finite nothing changes
   * decay   which tensors weight decay applies to
   */
  async apply(options: AdamW, loss: number, decay: "matrices" | "all" = "matrices"): Promise<UpdateResult> {
    const rates = { matrices: options.weightDecay, vectors: decay === "all" ? options.weightDecay : 0 };
    this.#rule = options.rule ?? "adamw";
    this.#loss.upload(Float32Array.of(loss));
    this.#dither.upload(Float32Array.of(ditherShift(this.updates + 1)));
    for (const region of REGIONS) {
      this.#hyper[region].upload(hyperValues({ ...options, weightDecay: rates[region] }, this.updates + 1));
    }
    await this.#norm.run();
    for (const region of REGIONS) {
      for (const slice of await this.#bound(region, rates[region] !== 0)) await slice.run();
    }
    const applied = this.#control.download(new Float32Array(2))[1] === 1;
    if (applied) this.updates++;
    const squares = this.#squares.download(new Float32Array(this.#squares.size));
    let changed = 0, total = 0;
    for (let i = 0; i < squares.length; i += 2) {
      changed += squares[i]!;
      total += squares[i + 1]!;
    }
    return {
      applied,
      gradNorm: this.#gradNorm.download(new Float32Array(1))[0]!,
      updateNorm: Math.sqrt(changed),
      weightNorm: Math.sqrt(total),
    };
  }

  /** One entry per parameter, of the last update; ask before the next gradient is computed. */
  async parameterNorms(applied = true): Promise<ParameterNorms[]> {
    const { layout } = this.weights;
    const norms = await this.#normsNow(), found: ParameterNorms[] = [];
    for (const { name, shape, offset, size } of layout.parameters) {
      const hyper = this.#hyper[shape.length === 2 ? "matrices" : "vectors"], sums = new Float64Array(NORM_SUMS);
      for (let at = 0; at < size; at += NORM_PART) {
        const part = await this.#sums(norms, { offset: offset + at, size: Math.min(NORM_PART, size - at) }, hyper);
        part.forEach((sum, i) => sums[i]! += sum);
      }
      const [gradient, change, value, nonFinite] = sums;
      const moves = applied && this.trainable.names.has(name);
      found.push({
        parameter: name,
        gradNorm: Math.sqrt(gradient!),
        updateNorm: moves ? Math.sqrt(change!) : 0,
        parameterNorm: Math.sqrt(value!),
        nonFinite: nonFinite!,
      });
    }
    return found;
  }

  async #normsNow(): Promise<NormsSession> {
    const rule = this.#rule;
    if (this.#norms?.rule === rule) return this.#norms;
    const model = encodeModel(tensorNormsGraph(this.#runtime.device, rule));
    const session = await this.#runtime.session(model, { name: "tensor_norms", optimization: "none" });
    this.#sessions.push(session);
    return this.#norms = { rule, session, sums: this.#runtime.tensor("float32", [NORM_SUMS]) };
  }

  async #sums({ rule, session, sums }: NormsSession, range: Range, hyper: Tensor): Promise<Float32Array> {
    const { values, gradients } = this.weights, view = (tensor: Tensor) => tensor.view([range.size], range.offset);
    const { m, v, release } = this.moments.floats(range);
    const control: Record<string, Tensor> = rule === "sgd_nesterov" ? { control: this.#control } : {};
    const run = session.bind({ g: view(gradients), w: view(values), m, v, hyper, ...control }, { sums });
    await run.run();
    run.release();
    release();
    return sums.download(new Float32Array(NORM_SUMS));
  }

  /** The state; the arrays are copies. */
  save(): OptimizerState {
    return { updates: this.updates, moments: this.moments.save() };
  }
  /** Restores bitwise what `save` gave. */
  restore({ updates, moments }: OptimizerState): void {
    this.moments.restore(moments);
    this.updates = updates;
  }
  /** As if no update had been made. */
  reset(): void {
    this.moments.reset();
    this.updates = 0;
  }
  release(): void {
    this.#sessions.forEach((session) => session.release());
    this.moments.release();
  }
}

function slices(region: Region, from: number, to: number): Slice[] {
  const result = [];
  for (let offset = from; offset < to; offset += SLICE) {
    result.push({ region, offset, size: Math.min(SLICE, to - offset) });
  }
  return result;
}
