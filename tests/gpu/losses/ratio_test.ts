import { Graph } from "../../../gpu/onnx/graph.ts";
import { type RatioLevel, ratioOf } from "../../../gpu/losses/ratio.ts";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { doubles, runGraph } from "../run_graph.ts";
import { near } from "./rollout_case.ts";

/** Ratios and the slope of the first row's sum, of log-ratios 0.2, 0.4 (and one that does not count) and 3, 0, 0. */
async function evaluate(ratioLevel: RatioLevel, logRatioBound: number | null = null) {
  const shape = [2, 3], graph = new Graph(), input = (name: string) => graph.input(name, { dtype: "float64", shape });
  const logprobs = input("x"), tokens = { logprobs, mask: input("m"), input, statistic: input };
  const { ratio } = ratioOf({ onPolicy: false, ratioLevel, logRatioBound }, tokens);
  graph.output("ratio", ratio.mul(1));
  graph.output("slope", gradients(ratio.sum(), [logprobs])[0]!);
  const inputs = {
    x: doubles(shape, [0.2, 0.4, 8, 3, 0, 0]),
    old_logprobs: doubles(shape, Array(6).fill(0)),
    m: doubles(shape, [1, 1, 0, 1, 1, 1]),
  };
  return await runGraph(graph, inputs, { ratio: ratio.dims, slope: shape });
}
const exp = Math.exp;

Deno.test("ratioOf() is of a token, of a completion's mean or sum, or the mean at every token with its own gradient", async () => {
  const token = await evaluate("token"), mean = await evaluate("sequence"), sum = await evaluate("sequence_sum");
  near(token.ratio!, [exp(0.2), exp(0.4), 1, exp(3), 1, 1]);
  near(mean.ratio!, [exp(0.3), exp(1)]);
  near(mean.slope!, [exp(0.3) / 2, exp(0.3) / 2, 0, exp(1) / 3, exp(1) / 3, exp(1) / 3]);
  near(sum.ratio!, [exp(0.6), exp(3)]);
  near(sum.slope!, [exp(0.6), exp(0.6), 0, exp(3), exp(3), exp(3)]);
  const both = await evaluate("sequence_token"), wide = [exp(0.3), exp(0.3), exp(0.3), exp(1), exp(1), exp(1)];
  near(both.ratio!, wide);
  near(both.slope!, wide);
});

Deno.test("ratioOf() bounds a token's log-ratio on both sides, a completion's from above, without gradient there", async () => {
  const token = await evaluate("token", 0.3), mean = await evaluate("sequence", 0.3 + 1e-9);
  near(token.ratio!, [exp(0.2), exp(0.3), 1, exp(0.3), 1, 1]);
  near(token.slope!, [exp(0.2), 0, 0, 0, 1, 1]);
  near(mean.ratio!, [exp(0.3), exp(0.3 + 1e-9)]);
  near(mean.slope!.slice(3), [0, 0, 0]);
});

Deno.test("ratioOf() with rawPadding leaves a token's ratio on padding, and makes a completion's 0 there", async () => {
  const evaluate = async (ratioLevel: RatioLevel) => {
    const shape = [1, 2], graph = new Graph(), input = (name: string) => graph.input(name, { dtype: "float64", shape });
    const tokens = { logprobs: input("x"), mask: input("m"), input, statistic: input };
    const { ratio } = ratioOf({ onPolicy: false, ratioLevel, rawPadding: true }, tokens);
    graph.output("ratio", ratio.mul(1));
    const inputs = { x: doubles(shape, [0.2, 0.4]), old_logprobs: doubles(shape, [0, 0]), m: doubles(shape, [1, 0]) };
    return (await runGraph(graph, inputs, { ratio: ratio.dims })).ratio!;
  };
  near(await evaluate("token"), [exp(0.2), exp(0.4)]);
  near(await evaluate("sequence"), [exp(0.2), 0]);
});
