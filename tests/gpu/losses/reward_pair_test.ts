/** The pairwise loss against Bradley-Terry written once more on plain numbers, its gradient by its derivative and differences. */
import assert from "node:assert/strict";
import { gradients } from "../../../gpu/autodiff/gradients.ts";
import { rewardPair } from "../../../gpu/losses/reward_pair.ts";
import { Graph } from "../../../gpu/onnx/graph.ts";
import { doubles, runGraph } from "../run_graph.ts";

const T = 3;

async function evaluate(values: number[], mask: number[], margin: number[], center: number) {
  const graph = new Graph(), shape = [values.length / T, T], pairs = [shape[0]! / 2, 1];
  const x = graph.input("values", { dtype: "float64", shape }), m = graph.input("mask", { dtype: "float64", shape });
  const input = (name: string) => graph.input(name, { dtype: "float64", shape: pairs });
  const never = () => assert.fail("a reward model has no log-probs");
  const terms = rewardPair.graph({ objective: "reward_pair", center }, {
    values: x,
    logprobs: x,
    mask: m,
    input,
    statistic: never,
  });
  graph.output("loss", terms.loss);
  graph.output("gradient", gradients(terms.loss.sum(), [x])[0]!);
  for (const [name, value] of Object.entries(terms.metrics)) graph.output(name, value);
  const shapes = Object.fromEntries(Object.keys(terms.metrics).map((name) => [name, pairs]));
  return await runGraph(graph, {
    values: doubles(shape, values),
    mask: doubles(shape, mask),
    margin: doubles(pairs, margin),
  }, { loss: pairs, gradient: shape, ...shapes });
}
function near(got: readonly number[], want: readonly number[], tolerance = 1e-12): void {
  assert.equal(got.length, want.length);
  got.forEach((x, i) =>
    assert(Math.abs(x - want[i]!) <= tolerance * (1 + Math.abs(want[i]!)), `${i}: ${got}, want ${want}`)
  );
}

// Two pairs; the score of each completion is read at its last counted position.
const VALUES = [9, 0.7, 9, 9, 9, -0.2, 1.5, 9, 9, 9, 9, 2.5];
const MASK = [0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1];
const SCORES = [[0.7, -0.2], [1.5, 2.5]] as const, MARGIN = [0.3, 0];

/** TRL's RewardTrainer in plain numbers: softplus of minus the margin. */
const plain = (chosen: number, rejected: number, margin: number, center: number) =>
  Math.log1p(Math.exp(-(chosen - rejected - margin))) + center * (chosen + rejected) ** 2;

Deno.test("rewardPair is -log sigmoid of the margin plus the centred sum, with the derivative of both", async () => {
  for (const center of [0, 0.01]) {
    const { loss, gradient } = await evaluate(VALUES, MASK, MARGIN, center);
    near(loss!, SCORES.map(([chosen, rejected], i) => plain(chosen, rejected, MARGIN[i]!, center)));
    const want = new Array(VALUES.length).fill(0), at = [[1, 5], [6, 11]];
    SCORES.forEach(([chosen, rejected], i) => {
      const pull = 1 / (1 + Math.exp(chosen - rejected - MARGIN[i]!)), sum = 2 * center * (chosen + rejected);
      want[at[i]![0]!] = sum - pull;
      want[at[i]![1]!] = sum + pull;
    });
    near(gradient!, want);
  }
});

Deno.test("rewardPair has the gradient of its own differences, and counts pairs in the right order", async () => {
  const exact = await evaluate(VALUES, MASK, MARGIN, 0.05), epsilon = 1e-6;
  for (const i of [1, 5, 6, 11, 0]) {
    const moved = async (sign: number) => {
      const values = VALUES.map((x, j) => j === i ? x + sign * epsilon : x);
      return (await evaluate(values, MASK, MARGIN, 0.05)).loss!.reduce((a, b) => a + b, 0);
    };
    near([(await moved(1) - await moved(-1)) / (2 * epsilon)], [exact.gradient![i]!], 1e-8);
  }
  near(exact.preference_accuracy!, [1, 0]);
  near(exact.reward_margin!, [0.9, -1]);
  near(exact.chosen_reward!, [0.7, 1.5]);
  near(exact.rejected_reward!, [-0.2, 2.5]);
});

Deno.test("rewardPair stays finite where scores are far apart", async () => {
  const { loss, gradient } = await evaluate(
    [0, 0, -1e4, 0, 0, 1e4, 0, 0, 1e4, 0, 0, -1e4],
    [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1],
    [0, 0],
    0,
  );
  near(loss!, [2e4, 0]);
  assert(gradient!.every(Number.isFinite));
});
