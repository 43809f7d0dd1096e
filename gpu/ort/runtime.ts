/** What a runtime is, whichever backend it has: tensors, sessions and their bound runs. @module */
import type { DType, TypedArray } from "../onnx/dtype.ts";
import type { Provider } from "../onnx/lowering.ts";
import type { MemoryBudget } from "./memory_budget.ts";

export type BackendName = "ffi" | "napi";

export interface RuntimeOptions {
  readonly backend: BackendName;
  readonly device: Provider;
  /** Threads that compute inside an op, the caller's included. */
  readonly threads: number;
  /** Idle threads spin for work: faster on an idle machine, ruinous on a shared one. Default false. */
  readonly spinning?: boolean;
  /** Kernels that give the same bits for the same shapes; wants threads 1. Default false. */
  readonly deterministic?: boolean;
}

/** A tensor in the device's memory. */
export interface Tensor {
  readonly dtype: DType;
  readonly shape: readonly number[];
  readonly size: number;
  /** The memory itself on the CPU, read and written in place; RangeError for a tensor on a GPU: use download. */
  readonly data: TypedArray;
  /** Another tensor over the same memory, from `elementOffset` on; it keeps the memory alive. */
  view(shape: readonly number[], elementOffset?: number): Tensor;
  upload(data: TypedArray): void;
  download<T extends TypedArray>(into: T): T;
  release(): void;
}

export interface BoundRun {
  /** Runs once; undefined where the backend is synchronous. Allocates nothing ("ffi"). */
  run(): void | Promise<void>;
  /** Rebinds one input (or one output, if no input has the name). */
  set(name: string, tensor: Tensor): void;
  release(): void;
}

export interface Session {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** RangeError for a missing input or an unknown name. */
  bind(
    inputs: Readonly<Record<string, Tensor>>,
    outputs: Readonly<Record<string, Tensor>>,
    options?: { readonly nonblocking?: boolean },
  ): BoundRun;
  release(): void;
}

export interface SessionOptions {
  /** For messages. */
  readonly name?: string;
  /** How much ONNX Runtime rewrites the graph: less loads faster. Default "all". */
  readonly optimization?: "none" | "basic" | "extended" | "all";
  /**
   * Before its first run the shared arena gives back what no run uses: for sessions that need much memory and come in
   * many sizes, or the pieces of all sizes would add up. Default false.
   */
  readonly trim?: boolean;
  /** The memory of the model's initializers. */
  readonly initializers?: SharedInitializers;
}

/** Constants of several sessions, by name; what kernels make of them is there once. Release it after the sessions. */
export interface SharedInitializers {
  /** They must stay, unchanged, until this is released. */
  readonly tensors: Readonly<Record<string, Tensor>>;
  release(): void;
}

export interface Runtime {
  readonly backend: BackendName;
  readonly device: Provider;
  /** ONNX Runtime's version. */
  readonly version: string;
  readonly threads: number;
  /** What all its models may take together; null = no bound. */
  budget: MemoryBudget | null;
  /** Zeros, or a copy of `data`. */
  tensor(
    dtype: DType,
    shape: readonly number[],
    data?: TypedArray,
    options?: { readonly place?: "device" | "host" },
  ): Tensor;
  /** Constants for sessions; a TypeError where the backend cannot share them. */
  shareInitializers(tensors: Readonly<Record<string, Tensor>>): SharedInitializers;
  /** Loads a model; an error that quotes ONNX Runtime if it refuses. */
  session(model: Uint8Array, options?: SessionOptions): Promise<Session> | Session;
  /** Gives back what the arena holds and no run uses; nothing where the backend has no arena that can. */
  trim(): void;
  /** Ends the use of the environment; release sessions and tensors before. */
  release(): void;
}
