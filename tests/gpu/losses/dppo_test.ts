import { dppo, type DppoLoss } from "../../../gpu/losses/dppo.ts";
import { evaluateRollout, near } from "./rollout_case.ts";

const P = [0.5, 0.9, 0.1, 0.3], OLD = [0.45, 0.3, 0.6, 0.35];
const evaluate = (given: Parameters<typeof dppo.lossOf>[0], advantage: number) =>
  evaluateRollout({ ...dppo.lossOf(given), onPolicy: false, kl: null } as DppoLoss, {
    logprobs: [P.map(Math.log)],
    inputs: { old_logprobs: [OLD.map(Math.log)], advantages: [P.map(() => advantage)] },
  });
const weights = P.map((p, i) => Math.min(p / OLD[i]!, 2));

Deno.test("dppo drops tokens whose probability moved further than the bound on the side of the advantage", async () => {
  const bounds = { clip_low: 0.2, clip_high: 0.1, ratio_cap: 2 };
  const up = await evaluate(bounds, 1), down = await evaluate(bounds, -1);
  near(up.gradient, [1, 0, 1, 1].map((stays, i) => -stays * weights[i]!));
  near(down.gradient, [1, 1, 0, 1].map((stays, i) => stays * weights[i]!));
  near(up.loss, P.map((p, i) => i === 1 ? 0 : -weights[i]! * Math.log(p)));
  near(down.metrics["clip_fraction"]!, [0, 0, 1, 0]);
});

Deno.test("dppo with divergence kl drops by the binary KL, and what moves back is free", async () => {
  const kl = P.map((p, i) => OLD[i]! * Math.log(OLD[i]! / p) + (1 - OLD[i]!) * Math.log((1 - OLD[i]!) / (1 - p)));
  const bound = (kl[0]! + Math.min(kl[1]!, kl[2]!)) / 2;
  const given = { divergence: "kl", clip_low: bound, clip_high: bound, ratio_cap: 2 } as const;
  near((await evaluate(given, 1)).gradient, [1, 0, 1, 1].map((stays, i) => -stays * weights[i]!));
  near((await evaluate(given, -1)).gradient, [1, 1, 0, 1].map((stays, i) => stays * weights[i]!));
});
