/** torch's clip_grad_norm_ against the norm that every update is gated by. @module */
import { hyperValues, normGraph } from "../../../gpu/optimizers/adamw.ts";
import { withNumbers } from "../read.ts";
import { flat, type Nested } from "../run_graph.ts";
import { floats, runOnce } from "../run_once.ts";
import type { Check, Data, TorchTopic } from "../topic.ts";

interface Case {
  readonly name: string;
  readonly max_norm: number;
  readonly gradients: readonly Nested[];
  readonly total_norm: number;
  readonly clipped: readonly Nested[];
}

const TOLERANCE = { relative: 1e-6, absolute: 1e-9 };
const CLIPPED = { relative: 2e-6, absolute: 1e-9 };

export const clipGradNorm: TorchTopic = {
  about: "torch.nn.utils.clip_grad_norm_: the global norm and what is left (gpu/optimizers/adamw.ts normGraph)",
  takes: (file) => file === "clip_grad_norm",
  cases: ({ document }) =>
    (withNumbers(document["cases"] as Data) as unknown as readonly Case[]).map((one, i) => ({
      name: `${one.name}/${i}`,
      checks: () => checksOf(one),
    })),
};

/** An infinite norm closes the gate here, so that no weight moves; torch hands on zeros and NaN. */
async function checksOf({ max_norm, gradients, total_norm, clipped }: Case): Promise<Check[]> {
  const parts = gradients.map(flat);
  const graph = normGraph(parts.map((part, i) => ({ name: `g${i}`, size: part.length })), "cpu", false);
  const adamw = { learningRate: 0, beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weightDecay: 0, maxNorm: max_norm };
  const { control, grad_norm } = await runOnce(graph, {
    ...Object.fromEntries(parts.map((part, i) => [`g${i}`, floats([part.length], part)])),
    loss: floats([1], [0]),
    hyper: floats([8], hyperValues(adamw, 1)),
  }, { control: [2], grad_norm: [1] });
  const isFinite = Number.isFinite(total_norm), [factor, gate] = control!;
  const norm: Check = { name: "total_norm", want: total_norm, got: grad_norm![0], tolerance: TOLERANCE };
  if (!isFinite) return [norm, { name: "written", want: 0, got: gate, tolerance: TOLERANCE }];
  const got = parts.map((part) => part.map((g) => g * factor!));
  return [
    norm,
    { name: "written", want: 1, got: gate, tolerance: TOLERANCE },
    { name: "clipped", want: clipped.map(flat), got, tolerance: CLIPPED },
  ];
}
