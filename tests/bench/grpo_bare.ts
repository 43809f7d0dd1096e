/** The same GRPO step as a loop over the model, without workflow, tables or events. @module */
import { uniform } from "../../data/random.ts";
import type { Policy } from "../../steps/resources/policy.ts";
import { ADVANTAGES } from "../../steps/advantages/mod.ts";
import { adamw, CLIPPED } from "./clipped_update.ts";
import type { GrpoTimes } from "./grpo_workflow.ts";
import { evenShare, peerPrompts } from "./peer_model.ts";

const PROMPTS = 8, GROUP = 8;
const ADAMW = adamw(1e-4);

/** Times of `steps` train steps. */
export async function grpoBare(
  policy: Policy,
  { steps, newTokens }: { readonly steps: number; readonly newTokens: number },
): Promise<GrpoTimes[]> {
  const { model } = policy, all = peerPrompts(512), times: GrpoTimes[] = [];
  const groups = Array.from({ length: PROMPTS * GROUP }, (_, row) => Math.floor(row / GROUP));
  for (let step = 0; step < steps; step++) {
    const marks = [performance.now()], mark = () => marks.push(performance.now());
    const at = (step * PROMPTS) % all.length;
    const prompts = all.slice(at, at + PROMPTS).map((prompt) => policy.encodePrompt(prompt, newTokens));
    const sampled = await model.sample(prompts, GROUP, {
      temperature: 1,
      topK: 0,
      topP: 1,
      minP: 0,
      repetitionPenalty: 1,
      maxNewTokens: newTokens,
      eosIds: [],
      uniforms: (row, token) => uniform(1, "sample_groups", step, row, token),
    });
    mark();
    const completions = sampled.map(({ tokenIds }) => tokenIds), rewards = completions.map(evenShare);
    const { grpo } = ADVANTAGES;
    const advantages = grpo.advantages(grpo.params.parse({}), { rewards, groups } as never) as number[];
    mark();
    const settings = {
      loss: { ...CLIPPED, onPolicy: true },
      aggregation: "rollout_token_mean",
      temperature: 1,
    } as const;
    await model.accumulateGradient({ prompts, group: GROUP, completions, inputs: { advantages } }, settings);
    await model.applyUpdate(ADAMW);
    mark();
    const part = (i: number) => (marks[i + 1]! - marks[i]!) / 1000;
    const seconds = (marks.at(-1)! - marks[0]!) / 1000;
    times.push({ seconds, gen_seconds: part(0), score_seconds: part(1), update_seconds: part(2) });
  }
  return times;
}
