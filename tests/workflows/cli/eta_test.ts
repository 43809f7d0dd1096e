import assert from "node:assert/strict";
import { Eta, reachedAt } from "../../../workflows/cli/eta.ts";

/** Accuracy after every 25th update of the first run's warm start, seed 1, until it reached 0.5 at update 850. */
const FIRST_RUN = [
  ...[0, 0.003, 0.013, 0.015, 0.013, 0.037, 0.043, 0.048, 0.048, 0.065, 0.055, 0.065, 0.043, 0.045, 0.08, 0.083, 0.095],
  ...[0.1, 0.168, 0.113, 0.138, 0.145, 0.122, 0.158, 0.168, 0.16, 0.163, 0.172, 0.147, 0.188, 0.2, 0.263, 0.335, 0.52],
].map((accuracy, i) => [25 * (i + 1), accuracy] as const);

Deno.test("reachedAt() is exact where the log-odds rise in a straight line", () => {
  const curve = Array.from({ length: 12 }, (_, i) => [25 * i, 1 / (1 + Math.exp(3 - 0.005 * 25 * i))] as const);
  assert(Math.abs(reachedAt(curve, 0.5)! - 600) < 1e-6);
  assert(Math.abs(reachedAt(curve, 0.9)! - (600 + Math.log(9) / 0.005)) < 1e-6);
});

Deno.test("reachedAt() says nothing of what falls, stands still or was measured rarely", () => {
  const rising = FIRST_RUN.slice(0, 7), falling = FIRST_RUN.map(([step, share]) => [step, 0.6 - share] as const);
  assert.equal(reachedAt(rising, 0.5), null);
  assert.equal(reachedAt(falling, 0.9), null);
  assert.equal(reachedAt(FIRST_RUN.map(([step]) => [step, 0.25] as const), 0.5), null);
});

/** Follows the first run at one train step per 10 ms, and gives the text of each measurement. */
function followed(): { step: number; seconds: number; mark: string }[] {
  const eta = new Eta({ count: 2500, atMost: true, until: 0.5 }, 0);
  const texts = [];
  for (let step = 1; step <= 850; step++) {
    const accuracy = step % 25 ? null : FIRST_RUN[step / 25 - 1]![1];
    eta.add(step, 10 * step, accuracy);
    if (accuracy === null) continue;
    const [, mark, number] = /^([~≤]) ([\d.]+) s$/.exec(eta.text()) ?? assert.fail(eta.text());
    texts.push({ step, mark: mark!, seconds: Number(number) });
  }
  return texts;
}

Deno.test("Eta of a warm start says what is known: a bound at first, then a trend that is near the truth", () => {
  const texts = followed();
  for (const { step, seconds, mark } of texts) {
    assert.equal(mark, step < 200 ? "≤" : "~");
    if (mark === "≤") assert(Math.abs(seconds - (2500 - step) / 100) < 1, `${step}: ${seconds} s`);
  }
  for (const { step, seconds } of texts.filter(({ step }) => step >= 300)) {
    const left = (850 - step) / 100, bound = (2500 - step) / 100;
    if (step <= 600) assert(seconds > left / 2 && seconds < 2 * left, `${step}: ${seconds} s of ${left} s`);
    assert(seconds < bound / 2, `${step}: ${seconds} s, the bound is ${bound} s`);
  }
});

Deno.test("Eta knows the end of a phase without a condition, and nothing after one train step", () => {
  const eta = new Eta({ count: 10, atMost: false }, 5);
  eta.add(6, 0, null);
  assert.equal(eta.text(), "–");
  eta.add(7, 2000, null);
  assert.deepEqual([eta.left(), eta.text()], [8, "16 s"]);
  eta.add(15, 10_000, null);
  assert.deepEqual([eta.left(), eta.text()], [0, "0.0 s"]);
  assert.equal(new Eta(undefined, 0).text(), "–");
});
