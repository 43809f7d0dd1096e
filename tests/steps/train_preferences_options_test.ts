/** Options of one loss of train_preferences: its value and its gradient, through the step, as the formula has them. */
import assert from "node:assert/strict";
import { sums } from "./contexts/sequence_sums.ts";
import { ONE_LAYER, type TrainingRun, withTinyPolicy } from "./contexts/training_run.ts";

const BETA = 0.5;
const PAIR = { loss: "dpo", beta: BETA, batch_size: 1, epsilon: 1e-8, beta2: 0.999 };
const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** A policy that has left its reference, and the log-ratios of the pair that comes first. */
const withApart = (body: (run: TrainingRun, chosen: number, rejected: number) => Promise<void>) =>
  withTinyPolicy(async (run) => {
    await run.run("load_preferences", { task: "addition", digits: 1 });
    await run.run("train_preferences", { ...PAIR, learning_rate: 2e-3, max_updates: 3 });
    type Row = Readonly<Record<"prompt" | "chosen" | "rejected" | "split", string>>;
    const rows = run.tables.table("preferences").objects() as Row[],
      first = rows.find(({ split }) => split === "train")!;
    const { ours, theirs } = await sums(
      run,
      [first.chosen, first.rejected].map((completion) => ({ prompt: first.prompt, completion })),
    );
    const [chosen, rejected] = ours.map((value, i) => value - theirs[i]!);
    assert(Math.abs(BETA * (chosen! - rejected!)) > 0.02, `${chosen}, ${rejected}`);
    await body(run, chosen!, rejected!);
  }, { ...ONE_LAYER, reference: "copy" });

/** Loss and gradient norm of that pair; nothing moves. */
async function update(run: TrainingRun, given: Record<string, unknown>) {
  await run.run("train_preferences", { ...PAIR, learning_rate: 0, max_updates: 1, ...given });
  const { loss, grad_norm } = run.tables.table("metrics").objects().at(-1) as Record<string, number>;
  return { loss: loss!, norm: grad_norm! };
}
const near = (value: number, want: number, what: string, tolerance = 1e-4) =>
  assert(Math.abs(value - want) <= tolerance * (1 + Math.abs(want)), `${what}: ${value}, want ${want}`);
/** Its derivative, by central differences in float64. */
const slope = (of: (x: number) => number, x: number) => (of(x + 1e-5) - of(x - 1e-5)) / 2e-5;

/** DiscoPOP, arXiv:2406.08414 eq. 5. */
const discopop = (tau: number) => (x: number) => {
  const gate = sigmoid(x / tau);
  return -(1 - gate) * Math.log(sigmoid(x)) + gate * Math.exp(-x);
};

Deno.test("train_preferences takes the gate of discopop at discopop_tau: value and gradient, 0.05 by default", () =>
  withApart(async (run, chosen, rejected) => {
    const x = BETA * (chosen - rejected);
    const plain = await update(run, {}), ofPlain = slope((x) => -Math.log(sigmoid(x)), x);
    for (const tau of [0.05, 0.3, 2]) {
      const given = { dpo_loss: "discopop", ...(tau === 0.05 ? {} : { discopop_tau: tau }) };
      const { loss, norm } = await update(run, given);
      near(loss, discopop(tau)(x), `loss at ${tau}`);
      // Of one pair every loss of the margin has the margin's gradient, times its own slope.
      near(norm / plain.norm, Math.abs(slope(discopop(tau), x) / ofPlain), `gradient at ${tau}`, 1e-3);
    }
  }));

Deno.test("train_preferences takes the alpha divergence at f_divergence_alpha: value and gradient, 0.5 by default", () =>
  withApart(async (run, chosen, rejected) => {
    const score = (alpha: number) => (ratio: number) =>
      alpha === 1 ? ratio : Math.expm1((alpha - 1) * ratio) / (alpha - 1);
    const of = (alpha: number) => {
      const x = BETA * (score(alpha)(chosen) - score(alpha)(rejected)), outer = BETA * (1 - sigmoid(x));
      return {
        loss: -Math.log(sigmoid(x)),
        // The gradient is a ∇lp_c − b ∇lp_r: its square is linear in three numbers that no α changes.
        parts: [outer * slope(score(alpha), chosen), outer * slope(score(alpha), rejected)] as const,
      };
    };
    const rows: number[][] = [], squares: number[] = [];
    for (const alpha of [0, 1, 2, 0.5, -1]) {
      const given = { f_divergence: "alpha_divergence", ...(alpha === 0.5 ? {} : { f_divergence_alpha: alpha }) };
      const { loss, norm } = await update(run, given), [a, b] = of(alpha).parts;
      near(loss, of(alpha).loss, `loss at ${alpha}`, 2e-5);
      rows.push([a * a, -2 * a * b, b * b]);
      squares.push(norm * norm);
    }
    const known = solved(rows.slice(0, 3), squares.slice(0, 3));
    for (const i of [3, 4]) {
      near(rows[i]!.reduce((total, value, k) => total + value * known[k]!, 0) / squares[i]!, 1, "gradient", 2e-3);
    }
    assert(Math.max(...squares) > 1.05 * Math.min(...squares), `${squares}`);
  }));

/** Three equations in three unknowns, by Cramer's rule. */
function solved(rows: readonly (readonly number[])[], right: readonly number[]): number[] {
  const det = (m: readonly (readonly number[])[]) => {
    const [a, b, c, d, e, f, g, h, i] = m.flat() as [number, number, number, ...number[]];
    return a * (e! * i! - f! * h!) - b * (d! * i! - f! * g!) + c * (d! * h! - e! * g!);
  };
  return [0, 1, 2].map((k) => det(rows.map((row, i) => row.map((v, j) => j === k ? right[i]! : v))) / det(rows));
}
