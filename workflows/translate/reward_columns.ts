/** Which columns TRL's reward functions read: those that their parameters are called. @module */
import type { Given, Settings } from "./table.ts";
import { isUnresolved, ownEntry, type Value, valueText } from "./written.ts";

/** What TRL passes besides the columns of the rows. */
const PASSED = new Set(
  "self prompts completions completion_ids trainer_state log_extra log_metric environments environment kwargs".split(
    " ",
  ),
);
/** Functions of TRL, open-r1 and ms-swift, with their columns. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  accuracy_reward: ["solution"],
  reasoning_accuracy_reward: ["solution"],
  accuracy: ["solution"],
  think_format_reward: [],
  format_reward: [],
  format: [],
  get_soft_overlong_punishment: [],
  soft_overlong: [],
  get_repetition_penalty_reward: [],
  repetition: [],
};

/** The options of load_prompts for what all rewards read; none where that is not known of one of them. */
export function rewardColumns(rewards: readonly Value[], given: Given): Settings {
  const read = rewards.map((reward) => columnsOf(reward, given.functions ?? {}));
  if (read.includes(null)) return {};
  const columns = [...new Set(read.flatMap((names) => names!))];
  const isJudged = rewards.some((reward) => KNOWN[nameOf(reward) ?? ""]?.length);
  const answer = columns.length === 1 ? columns[0]! : isJudged ? "solution" : null;
  const others = columns.filter((name) => name !== answer);
  return {
    "load_prompts.answer_column": answer,
    ...(answer === null ? { "load_prompts.verifier": "none" } : {}),
    ...(others.length > 0 ? { "load_prompts.columns": others } : {}),
  };
}

function columnsOf(reward: Value, functions: NonNullable<Given["functions"]>): readonly string[] | null {
  const name = nameOf(reward);
  if (name === null) return null;
  // A call makes the function: what that one reads does not stand in the script.
  const own = isUnresolved(reward) ? ownEntry(functions, reward.unresolved) : undefined;
  return own?.filter((parameter) => !PASSED.has(parameter)) ?? ownEntry(KNOWN, name) ?? null;
}

/** The last word of a name, or of a call. */
function nameOf(reward: Value): string | null {
  const call = typeof reward === "object" && reward !== null && "()" in reward ? String(reward["()"]) : null;
  const name = call ?? valueText(reward);
  return /^[\w.]+$/.test(name) ? name.split(".").at(-1)! : null;
}
