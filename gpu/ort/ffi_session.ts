/** A loaded model, and prepared calls of it that allocate nothing. @module */
import { type CApi, cStrings, type Pointer, text } from "./c_api.ts";
import { type FfiTensor, isGone, valueOf } from "./ffi_tensor.ts";
import { oneLine } from "./one_line.ts";
import type { BoundRun, Session, SharedInitializers, Tensor } from "./runtime.ts";

export class FfiSession implements Session {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  released = false;
  /** What happens before a run of any binding. */
  readonly #prepare: ((session: FfiSession, isFirst: boolean) => void) | null;
  /** Told when it is released. */
  readonly #ended: ((session: FfiSession) => void) | undefined;
  #ran = false;
  /** Memory that the session reads without owning it. */
  readonly #keep: unknown;
  constructor(
    readonly api: CApi,
    readonly pointer: Pointer,
    readonly name: string,
    { prepare = null, initializers, ended }: {
      readonly prepare?: ((session: FfiSession, isFirst: boolean) => void) | null;
      readonly initializers?: SharedInitializers | undefined;
      readonly ended?: (session: FfiSession) => void;
    } = {},
  ) {
    this.#prepare = prepare;
    this.#ended = ended;
    this.#keep = initializers;
    this.inputs = names(api, pointer, "SessionGetInputCount", "SessionGetInputName");
    this.outputs = names(api, pointer, "SessionGetOutputCount", "SessionGetOutputName");
  }
  bind(
    inputs: Readonly<Record<string, Tensor>>,
    outputs: Readonly<Record<string, Tensor>>,
    { nonblocking = false }: { readonly nonblocking?: boolean } = {},
  ): BoundRun {
    if (this.released) throw new Error(`Cannot bind "${this.name}": the session is released`);
    checkNames(this, inputs, outputs);
    return new FfiBoundRun(this, inputs, outputs, nonblocking);
  }
  /** Called before each run. */
  prepare(): void {
    if (this.released) throw new Error(`Cannot run "${this.name}": the session is released`);
    this.#prepare?.(this, !this.#ran);
    this.#ran = true;
  }
  release(): void {
    if (this.released) return;
    this.released = true;
    this.api.call("ReleaseSession", this.pointer);
    this.#ended?.(this);
  }
}

/** Every input once, outputs that exist. Shared by both backends. */
export function checkNames(
  { name, inputs: wantInputs, outputs: wantOutputs }: Session,
  inputs: Readonly<Record<string, Tensor>>,
  outputs: Readonly<Record<string, Tensor>>,
): void {
  const list = (names: readonly string[]) => (names.length > 12 ? [...names.slice(0, 12), "…"] : names).join(", ");
  for (const [kind, given, known] of [["input", inputs, wantInputs], ["output", outputs, wantOutputs]] as const) {
    const set = new Set(known);
    const unknown = Object.keys(given).find((key) => !set.has(key));
    if (unknown !== undefined) {
      throw new RangeError(`Cannot bind ${kind} "${unknown}" of "${name}": it has ${list(known) || "none"}`);
    }
  }
  const missing = wantInputs.filter((key) => !(key in inputs));
  if (missing.length) throw new RangeError(`Cannot bind "${name}": no tensor for input ${list(missing)}`);
}

class FfiBoundRun implements BoundRun {
  readonly #tensors: Record<"inputs" | "outputs", Map<string, [number, Tensor]>>;
  readonly #values: Record<"inputs" | "outputs", BigUint64Array<ArrayBuffer>>;
  readonly #keep: unknown;
  readonly #call: () => unknown;

  constructor(
    private readonly session: FfiSession,
    inputs: Readonly<Record<string, Tensor>>,
    outputs: Readonly<Record<string, Tensor>>,
    nonblocking: boolean,
  ) {
    const inputNames = cStrings(Object.keys(inputs)), outputNames = cStrings(Object.keys(outputs));
    const values = { inputs: pointers(inputs), outputs: pointers(outputs) };
    const run = session.api.function("Run", nonblocking), inputCount = BigInt(inputNames.strings.length);
    const outputCount = BigInt(outputNames.strings.length), { pointer } = session;
    this.#values = values;
    this.#tensors = { inputs: indexed(inputs), outputs: indexed(outputs) };
    this.#keep = [inputNames, outputNames];
    this.#call = () =>
      run(
        pointer,
        null,
        inputNames.pointers,
        values.inputs,
        inputCount,
        outputNames.pointers,
        outputCount,
        values.outputs,
      );
  }
  run(): void | Promise<void> {
    this.session.prepare();
    this.#requireMemory();
    const status = this.#call();
    if (status instanceof Promise) return status.then((status) => this.#check(status));
    if (status !== null) this.#check(status as Deno.PointerValue);
  }
  /** ONNX Runtime has bare addresses: of memory that is gone it would compute something. */
  #requireMemory(): void {
    for (const side of ["inputs", "outputs"] as const) {
      for (const [name, [, tensor]] of this.#tensors[side]) {
        if (!isGone(tensor as FfiTensor)) continue;
        throw new Error(`Cannot run "${this.session.name}": the tensor of "${name}" is released`);
      }
    }
  }
  #check(status: Deno.PointerValue): void {
    try {
      this.session.api.check(status);
    } catch (cause) {
      throw new Error(`Cannot run "${this.session.name}": ONNX Runtime answers ${oneLine(cause)}`, { cause });
    }
  }
  set(name: string, tensor: Tensor): void {
    const side = this.#tensors.inputs.has(name) ? "inputs" : "outputs", place = this.#tensors[side].get(name);
    if (!place) throw new RangeError(`Cannot set "${name}" of "${this.session.name}": it was not bound`);
    place[1] = tensor;
    this.#values[side][place[0]] = valueOf(tensor);
  }
  release(): void {
    this.#tensors.inputs.clear();
    this.#tensors.outputs.clear();
  }
}

function pointers(tensors: Readonly<Record<string, Tensor>>): BigUint64Array<ArrayBuffer> {
  const list = Object.values(tensors), array = new BigUint64Array(new ArrayBuffer(8 * Math.max(1, list.length)));
  for (const [i, tensor] of list.entries()) array[i] = valueOf(tensor);
  return array;
}
function indexed(tensors: Readonly<Record<string, Tensor>>): Map<string, [number, Tensor]> {
  return new Map(Object.entries(tensors).map(([name, tensor], i) => [name, [i, tensor]]));
}
function names(
  api: CApi,
  session: Pointer,
  count: "SessionGetInputCount" | "SessionGetOutputCount",
  name: "SessionGetInputName" | "SessionGetOutputName",
): string[] {
  const out = new BigUint64Array(new ArrayBuffer(8));
  api.run(count, session, out);
  const allocator = api.create("GetAllocatorWithDefaultOptions");
  return Array.from({ length: Number(out[0]) }, (_, i) => {
    const pointer = api.create(name, session, BigInt(i), allocator), value = text(pointer);
    api.run("AllocatorFree", allocator, pointer);
    return value;
  });
}
