/** Gives back to the system what the shared arena holds and no run uses. @module */
import { Graph } from "../onnx/graph.ts";
import { encodeModel } from "../onnx/proto.ts";
import { type CApi, cString, cStrings, type Pointer } from "./c_api.ts";
import { type FfiTensor, valueOf } from "./ffi_tensor.ts";

const SHRINK = cString("memory.enable_memory_arena_shrinkage"), CPU_ARENA = cString("cpu:0");

/**
 * ONNX Runtime trims an arena only at the end of a run that asks for it, so trimming is a run of a model that does
 * nothing.
 */
export class ArenaTrim {
  readonly #value: FfiTensor;
  readonly #session: Pointer;
  readonly #x = cStrings(["x"]);
  readonly #y = cStrings(["y"]);

  constructor(readonly api: CApi, load: (model: Uint8Array) => Pointer, tensor: () => FfiTensor) {
    const graph = new Graph({ provider: "cpu" });
    graph.output("y", graph.input("x", { dtype: "float32", shape: [1] }).add(0));
    this.#session = load(encodeModel(graph));
    this.#value = tensor();
  }

  run(): void {
    const { api } = this, options = api.create("CreateRunOptions");
    try {
      api.run("AddRunConfigEntry", options, SHRINK, CPU_ARENA);
      const values = BigUint64Array.of(valueOf(this.#value)), one = 1n; // in place
      api.run("Run", this.#session, options, this.#x.pointers, values, one, this.#y.pointers, one, values);
    } finally {
      api.call("ReleaseRunOptions", options);
    }
  }

  release(): void {
    this.api.call("ReleaseSession", this.#session);
    this.#value.release();
  }
}
