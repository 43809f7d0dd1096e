/** Parameters that torch's optimizers reach against the updates here. @module */
import { type AdamW, hyperValues, updateGraph } from "../../../gpu/optimizers/adamw.ts";
import { floats, runOnce } from "../run_once.ts";
import type { Check, TorchTopic } from "../topic.ts";

interface Case {
  readonly name: string;
  readonly options: {
    readonly lr: number;
    readonly betas?: readonly [number, number];
    readonly eps?: number;
    readonly weight_decay?: number;
  };
  readonly values: readonly (readonly number[])[];
}
interface Document {
  readonly start: readonly number[];
  readonly gradients: readonly (readonly number[])[];
  readonly cases: readonly Case[];
}

const TOLERANCE = { relative: 1e-6, absolute: 1e-6 };

export const optimizers: TorchTopic = {
  about: "torch.optim: parameters after each step (gpu/optimizers/adamw.ts)",
  takes: (file) => file === "optimizers",
  cases({ document }) {
    const given = document as unknown as Document;
    return given.cases.map((one) => ({ name: one.name, checks: () => checksOf(one, given) }));
  },
};

async function checksOf({ name, options, values }: Case, { start, gradients }: Document): Promise<Check[]> {
  const { lr, betas, eps, weight_decay = 0 } = options;
  // torch's Adam adds its decay to the gradient, AdamW does not.
  if (!betas || eps === undefined || (!name.startsWith("adamw") && weight_decay !== 0)) {
    throw new RangeError(`Cannot update with "${name}": the optimizer here is AdamW; there is no other`);
  }
  const adamw: AdamW = {
    learningRate: lr,
    beta1: betas[0],
    beta2: betas[1],
    epsilon: eps,
    weightDecay: weight_decay,
    maxNorm: Infinity,
  };
  const n = start.length, graph = updateGraph("cpu", { masked: false, decay: weight_decay > 0 }), got: number[][] = [];
  let w: readonly number[] = start, m: readonly number[] = start.map(() => 0), v = m;
  for (const [i, g] of gradients.entries()) {
    const inputs = { g: floats([n], g), w: floats([n], w), m: floats([n], m), v: floats([n], v) };
    const hyper = floats([8], hyperValues(adamw, i + 1)), control = floats([2], [1, 1]);
    const shapes = { new_w: [n], new_m: [n], new_v: [n], squares: [2] };
    const after = await runOnce(graph, { ...inputs, hyper, control }, shapes);
    [w, m, v] = [after["new_w"]!, after["new_m"]!, after["new_v"]!];
    got.push([...w]);
  }
  return [{ name: "values", want: values, got, tolerance: TOLERANCE }];
}
