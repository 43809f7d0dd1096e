/** Visual-RFT's rewards of texts against those of `score_rewards`. @module */
import { REWARDS } from "../../../steps/rewards/mod.ts";
import type { Reward, RewardBatch } from "../../../steps/rewards/reward.ts";
import { defineTopic } from "../topic.ts";

interface Params {
  readonly task?: string;
}
interface Inputs {
  readonly completion?: unknown;
  readonly solution?: unknown;
  readonly completions?: readonly unknown[];
  readonly solutions?: readonly unknown[];
}

/** Our rewards of a task, by the name of their output. */
const SCORES = {
  detection: { accuracy_iou: REWARDS["visual/iou"], accuracy_confidence: REWARDS["visual/confidence"] },
  classification: { accuracy: REWARDS["visual/classification"] },
  grounding: { accuracy: REWARDS["visual/giou"] },
} as const;
type Task = keyof typeof SCORES;

/** Tasks whose original catches what a text that is none raises, and gives 0. */
const CATCHING: ReadonlySet<Task> = new Set(["detection", "classification"]);
const COMPAT = { compat: true } as const;

function batchOf(texts: readonly string[], answers: readonly string[]): RewardBatch {
  const rows = texts.map(() => ({})) as unknown as RewardBatch["rows"];
  return {
    prompts: texts.map(() => ""),
    texts,
    answers,
    completion_tokens: texts.map(() => 1),
    truncated: texts.map(() => false),
    rows,
  };
}

function scoresOf(task: Task, texts: readonly string[], answers: readonly string[]): Record<string, (number | null)[]> {
  const batch = batchOf(texts, answers);
  const rewards: Record<string, Reward> = { ...SCORES[task], format: REWARDS["visual/format"] };
  return Object.fromEntries(
    Object.entries(rewards).map(([name, { params, score }]) => [name, [...score(params.parse(COMPAT), batch)]]),
  );
}

export const visualRftRewards = defineTopic<Params, Inputs>({
  about: "Visual-RFT grpo.py, grpo_classification.py, grpo_lisa.py: rewards of a completion (steps/rewards/)",
  takes: {
    visual_rft_rewards: ({ params }) => Object.hasOwn(SCORES, String((params as Params).task)),
    edge: ({ name }) => name.startsWith("visual_rft/"),
  },
  texts: true,
  evaluate({ name, params, inputs }) {
    if (params.task) {
      const [text, answer] = [String(inputs.completion), String(inputs.solution)];
      const scores = scoresOf(params.task as Task, [text], [answer]);
      return Object.fromEntries(Object.entries(scores).map(([output, [score]]) => [output, score]));
    }
    return edgeOf(name, inputs);
  },
});

/** An edge: texts that are none, numbers of completions and solutions that differ. */
function edgeOf(name: string, { completion, solution, completions, solutions }: Inputs): unknown {
  const [, named, what] = name.split("/"), task = named as Task, [main] = Object.keys(SCORES[task]);
  // There a completion is a list of messages, here it is a text: one without that list is refused before the reward.
  if (what === "plain_string_completion") {
    throw new TypeError("Cannot read a completion: it is a text, want a list of messages with their content");
  }
  if (completion === undefined) {
    const texts = (completions ?? []) as string[], answers = ((solutions ?? []) as string[]).slice(0, texts.length);
    return { rewards: scoresOf(task, texts, answers)[main!] };
  }
  if (typeof completion !== "string" || typeof solution !== "string") {
    if (CATCHING.has(task)) return 0;
    throw new TypeError(`Cannot score a completion: ${typeof completion} and ${typeof solution} are given, want texts`);
  }
  return scoresOf(task, [completion], [solution])[main!]![0];
}
