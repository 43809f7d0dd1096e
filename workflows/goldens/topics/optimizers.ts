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
    readonly momentum?: number;
    readonly nesterov?: boolean;
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
  const adamw = settingsOf(name, options), { weightDecay, rule = "adamw" } = adamw;
  const n = start.length,
    graph = updateGraph("cpu", { masked: false, decay: weightDecay > 0, rule }),
    got: number[][] = [];
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

/** torch's optimizer by the beginning of the case's name, with torch's own defaults. */
function settingsOf(name: string, options: Case["options"]): AdamW {
  const { lr, betas: [beta1, beta2] = [0.9, 0.999], eps = 1e-8, weight_decay = 0, momentum = 0, nesterov } = options;
  const kind = /^(?:adamw|adam|sgd)/.exec(name)?.[0];
  if (kind === undefined) {
    throw new RangeError(`Cannot update with "${name}": it is no optimizer here, want adamw, adam or sgd`);
  }
  return {
    rule: kind === "sgd" && nesterov ? "sgd_nesterov" : kind as "adamw" | "adam" | "sgd",
    learningRate: lr,
    beta1,
    beta2,
    epsilon: eps,
    weightDecay: weight_decay,
    momentum,
    maxNorm: Infinity,
  };
}
