/** Each loss of pairs at numbers that a person can follow; 250 values of TRL and OpenRLHF stand in the goldens. */
import assert from "node:assert/strict";
import { dpo, type DpoLoss } from "../../../../gpu/losses/dpo.ts";
import { DPO_LOSSES, dpoLoss, type DpoLossName } from "../../../../gpu/losses/preferences/dpo_losses.ts";
import { evaluate, near } from "./evaluate.ts";

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x)), nll = (x: number) => -Math.log(sigmoid(x));
const BETA = 0.5, E = 0.2, TAU = 0.5;
/** ρ of the chosen and the rejected completion, and their lengths. */
const PAIRS = [{ c: 1.5, r: -0.5, n: 2, m: 1 }, { c: -1, r: 2, n: 1, m: 3 }];
type Pair = (typeof PAIRS)[number];

/** The formulas again, in plain numbers. */
const PLAIN: Record<Exclude<DpoLossName, "aot" | "aot_unpaired">, (pair: Pair) => number> = {
  sigmoid: ({ c, r }) => nll(BETA * (c - r)),
  sigmoid_smoothed: ({ c, r }) => (1 - E) * nll(BETA * (c - r)) + E * nll(BETA * (r - c)),
  hinge: ({ c, r }) => Math.max(0, 1 - BETA * (c - r)),
  ipo: ({ c, r, n, m }) => (c / n - r / m - 1 / (2 * BETA)) ** 2,
  ipo_sum: ({ c, r }) => (c - r - 1 / (2 * BETA)) ** 2,
  exo_pair({ c, r }) {
    const q = sigmoid(BETA * (c - r));
    return q * Math.log(q / (1 - E)) + (1 - q) * Math.log((1 - q) / E);
  },
  nca_pair: ({ c, r }) => nll(BETA * c) + 0.5 * nll(-BETA * c) + 0.5 * nll(-BETA * r),
  robust: ({ c, r }) => ((1 - E) * nll(BETA * (c - r)) - E * nll(BETA * (r - c))) / (1 - 2 * E),
  bco_pair: ({ c, r }) => nll(BETA * c) + nll(-BETA * r),
  sppo_hard: ({ c, r }) => (c - 1 / (2 * BETA)) ** 2 + (r + 1 / (2 * BETA)) ** 2,
  apo_zero: ({ c, r }) => 1 - sigmoid(BETA * c) + sigmoid(BETA * r),
  apo_down: ({ c, r }) => sigmoid(BETA * c) + 1 - sigmoid(BETA * (c - r)),
  discopop({ c, r }) {
    const x = BETA * (c - r), g = sigmoid(x / TAU);
    return (1 - g) * nll(x) + g * Math.exp(-x);
  },
  sft: ({ c }) => -c * 2 / 3,
  sigmoid_norm: ({ c, r, n, m }) => nll(BETA * (c / n - r / m)),
};

async function lossOf(name: DpoLossName): Promise<number> {
  const loss: DpoLoss = {
    objective: "dpo",
    losses: [{ name, weight: 1 }],
    beta: BETA,
    labelSmoothing: E,
    ldAlpha: null,
    divergence: "reverse_kl",
    divergenceAlpha: 0.5,
    discopopTau: TAU,
    weighting: false,
    referenceFree: false,
  };
  const rows = PAIRS.flatMap(({ c, r, n, m }) => [[c, n], [r, m]]) as [number, number][];
  const logprobs = rows.map(([sum]) => [sum, 0, 0]), zeros = logprobs.map((row) => row.map(() => 0));
  const mask = rows.map(([, count]) => [0, 1, 2].map((t) => (t < count ? 1 : 0)));
  return (await evaluate(dpo, loss, logprobs, { ref_logprobs: zeros, chosen_share: [[2 / 3]] }, mask)).loss;
}

Deno.test("every loss of pairs is its formula in plain numbers", async () => {
  for (const [name, plain] of Object.entries(PLAIN)) {
    near(await lossOf(name as DpoLossName), (plain(PAIRS[0]!) + plain(PAIRS[1]!)) / 2, name);
  }
});

Deno.test("aot and aot_unpaired compare what is sorted across the batch", async () => {
  const smoothed = (x: number) => (1 - E) * nll(BETA * x) + E * nll(-BETA * x);
  // Margins 2 and -3 against a reference of 0 and 0; chosen 1.5, -1 against rejected 2, -0.5.
  near(await lossOf("aot"), (smoothed(2) + smoothed(-3)) / 2, "aot");
  near(await lossOf("aot_unpaired"), (smoothed(1.5 - 2) + smoothed(-1 + 0.5)) / 2, "aot_unpaired");
});

Deno.test("every loss of pairs tells its formula and its names; those that smooth say from where to where", () => {
  for (const name of Object.keys(DPO_LOSSES) as DpoLossName[]) {
    const { method, smoothing } = dpoLoss(name);
    assert(method.formula.length > 5 && method.names.trl !== undefined, name);
    assert.equal(smoothing !== undefined, /ε/.test(method.formula) || /smoothed/.test(method.formula), name);
  }
});
