/** Faults of the step `score_rewards`: rewards that mislead, or are no numbers. @module */
import { z } from "zod";
import { setTimeout as sleep } from "node:timers/promises";
import { type Fault, faultsOf } from "./fault.ts";

const { fault, rewriting, setting } = faultsOf("score_rewards");

/** What a wrong reward function may look at. */
interface Scored {
  readonly text: string;
  readonly reward: number;
  readonly correct: boolean | null;
  readonly tokens: number;
  readonly row: number;
}

/** The reward of each completion replaced; the reward function's own column follows. */
function rewarded(
  fault: Parameters<typeof rewriting>[1],
  reward: (completion: Scored) => number | null,
  columns: (completion: Scored) => Readonly<Record<string, number>> = () => ({}),
): Fault {
  return rewriting("completions", fault, (column, { table }) => {
    const [before, correct] = [column<number>("reward"), column<boolean | null>("correct")];
    const tokens = column<number>("completion_tokens");
    const rows = column<string>("text").map((text, row): Scored => ({
      text,
      reward: before[row]!,
      correct: correct[row]!,
      tokens: tokens[row]!,
      row,
    }));
    const values = rows.map(reward);
    const functions = table.columnNames().filter((name) => name.startsWith("reward."));
    const own = functions.length === 1 ? { [functions[0]!]: values } : {};
    const extra = rows.map(columns);
    const added = Object.keys(extra[0] ?? {}).map((name) => [name, extra.map((row) => row[name]!)]);
    return { reward: values, ...own, ...Object.fromEntries(added) };
  });
}

export const REWARD_FAULTS = {
  // ***** no signal *****
  constant_reward: rewarded(
    { about: "Reward every completion with 0.5", causes: ["constant_reward"] },
    () => 0.5,
  ),
  zero_reward: rewarded({
    about: "Reward nothing, right answers included",
    causes: ["reward_parser_mismatch", "all_incorrect_reward_floor"],
    lookAlike: "hard_task",
  }, () => 0),
  always_right: rewarded({
    about: "Reward every completion as if it were right",
    causes: ["all_correct_saturated"],
    rule: "statistical",
    lookAlike: "solved_task",
  }, () => 1),
  cancelling_rewards: rewarded(
    {
      about: "Add two rewards that cancel",
      causes: ["zero_reward_variance"],
      rule: "statistical",
      lookAlike: "two_rewards",
    },
    () => 1,
    ({ correct }) => ({ "reward.style": correct ? 0 : 1, "reward.verifier": correct ? 1 : 0 }),
  ),
  format_never_fires: setting({
    about: "Add a format reward whose format the prompt never asks for",
    causes: ["format_reward_never_fires"],
    rule: "statistical",
    lookAlike: "two_rewards",
  }, (_, params) => ({
    rewards: [...params["rewards"] as unknown[], { uses: "format", weight: 0.1, with: {}, trusted: false }],
  })),
  slow_reward: fault({
    about: "Score slowly",
    causes: ["resource_stall"],
    rule: "statistical",
    params: z.strictObject({ milliseconds: z.int().min(1).default(500) }),
    async after({ milliseconds }, result, context) {
      await sleep(milliseconds, undefined, { signal: context.signal });
      return result;
    },
  }),
  // ***** no numbers *****
  nan_reward: rewarded({
    about: "Reward one sample with NaN",
    causes: ["invalid_reward_values"],
    lookAlike: "scaled_rewards",
  }, ({ reward, row }) => row === 3 ? NaN : reward),
  infinite_reward: rewarded({
    about: "Reward one sample with infinity",
    causes: ["invalid_reward_values"],
    lookAlike: "scaled_rewards",
  }, ({ reward, row }) => row === 3 ? Infinity : reward),
  missing_rewards: rewarded({
    about: "Return no reward at all",
    causes: ["invalid_reward_values"],
  }, () => null),
  huge_rewards: rewarded({
    about: "Multiply the rewards by a million",
    causes: ["invalid_reward_values"],
    lookAlike: "scaled_rewards",
  }, ({ reward }) => reward * 1e6),
  // ***** a wrong signal *****
  negated_reward: rewarded({
    about: "Reward wrong answers instead of right ones",
    causes: ["reward_parser_mismatch", "reward_hacking"],
    lookAlike: "penalties",
  }, ({ reward }) => -reward),
  length_hacking: rewarded({
    about: "Reward long completions, right or wrong",
    causes: ["reward_hacking", "truncated_completions"],
    rule: "statistical",
    lookAlike: "two_rewards",
  }, ({ tokens }) => tokens / 4),
  substring_hacking: rewarded({
    about: "Reward a digit that is easy to write",
    causes: ["reward_hacking", "mode_collapse"],
    rule: "statistical",
    lookAlike: "two_rewards",
  }, ({ text }) => text.includes("7") ? 1 : 0),
  constant_answer: rewarded({
    about: "Reward one answer whatever the prompt, and no other right one",
    causes: ["reward_hacking", "mode_collapse", "reward_parser_mismatch"],
    rule: "statistical",
    lookAlike: "two_rewards",
  }, ({ text }) => text === "10" ? 1 : 0),
} as const;
