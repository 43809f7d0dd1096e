import assert from "node:assert/strict";
import { cispo, type CispoLoss } from "../../../gpu/losses/cispo.ts";
import { evaluateRollout, near } from "./rollout_case.ts";

const RATIOS = [0.5, 1, 1.5], LOGPROBS = [[-1, -2, -0.5]];
const OLD = [LOGPROBS[0]!.map((x, t) => x - Math.log(RATIOS[t]!))];
const evaluate = (loss: CispoLoss, advantage: number) =>
  evaluateRollout(loss, {
    logprobs: LOGPROBS,
    inputs: { old_logprobs: OLD, advantages: [[advantage, advantage, advantage]] },
  });
const settings = (given: Parameters<typeof cispo.lossOf>[0]) =>
  ({ ...cispo.lossOf(given), onPolicy: false, kl: null }) as CispoLoss;

Deno.test("cispo weighs log-probs by the bounded ratio, whose gradient is stopped, and counts every bounded one", async () => {
  const { loss, gradient, metrics } = await evaluate(settings({ clip_low: 0.2, clip_high: 0.3 }), 2);
  const weights = [0.8, 1, 1.3];
  near(loss, weights.map((w, t) => -w * 2 * LOGPROBS[0]![t]!));
  near(gradient, weights.map((w) => -2 * w));
  near(metrics["clip_fraction"]!, [1, 0, 1]);
});

Deno.test("cispo with ratio_cap bounds from above alone, at the cap itself, and counts positive advantages (TRL)", async () => {
  const capped = settings({ clip_low: null, ratio_cap: 0.7 });
  const up = await evaluate(capped, 1), down = await evaluate(capped, -1);
  near(up.gradient, [-0.5, -0.7, -0.7]);
  near(up.metrics["clip_fraction"]!, [0, 1, 1]);
  near(down.metrics["clip_fraction"]!, [0, 0, 0]);
  assert.deepEqual(cispo.settings(capped), { ratio_lowest: null, ratio_highest: 0.7 });
});

Deno.test("cispo with ratio_cap has no lower bound unless clip_low sets one, and 1 - 0.2 without a cap", async () => {
  const bounds = (given: Parameters<typeof cispo.lossOf>[0]) => {
    const { lowest, highest, counts } = cispo.lossOf(given);
    return [lowest, highest, counts];
  };
  assert.deepEqual(bounds({ ratio_cap: 0.2 }), [null, 0.2, "positive"]);
  assert.deepEqual(bounds({ clip_low: 0.9, ratio_cap: 0.2 }), [1 - 0.9, 0.2, "positive"]);
  assert.deepEqual(bounds({}), [0.8, 1.2, "all"]);
  assert.deepEqual(bounds({ clip_low: null, ratio_cap: null }), [null, 1.2, "all"]);
  const { gradient } = await evaluate(settings({ ratio_cap: 0.7 }), 1);
  near(gradient, RATIOS.map((ratio) => -Math.min(ratio, 0.7)));
});

Deno.test("cispo refuses a lower bound above the cap and two upper bounds, and takes every other pair", () => {
  const problems = (given: Parameters<typeof cispo.lossOf>[0]) => cispo.problems!(given);
  assert.match(
    problems({ clip_low: 0.2, ratio_cap: 0.2 }).join(),
    /by 1 - clip_low = 0\.8 and ratio_cap 0\.2: .* want /,
  );
  assert.match(
    problems({ clip_high: 0.3, ratio_cap: 1.3 }).join(),
    /by clip_high 0\.3 and ratio_cap 1\.3: .* want one/,
  );
  for (
    const given of [
      {},
      { clip_low: 0.2, clip_high: 0.3 },
      { clip_low: null, ratio_cap: 0.2 },
      { ratio_cap: 0.2 },
      { clip_low: 0.2, ratio_cap: 0.8 },
      { clip_high: 0.3, ratio_cap: null },
    ]
  ) assert.deepEqual(problems(given), [], JSON.stringify(given));
});
