/**
 * Whether groups have reward spread, record by record, from whatever the log prints.
 *
 * TRL's `reward_std` is within groups up to 0.26 and over the batch from 0.27: a batch deviation above 0 proves nothing,
 * 0 proves that every group is flat.
 * @module
 */
import { NO_SPREAD } from "../../../data/statistics/mod.ts";
import { impliedAt } from "./implied.ts";
import { isNumber, mean } from "./numbers.ts";
import type { Completion, RunView } from "./run_view.ts";

/** A share that is all, summed or printed with three decimals. */
export const ALL = 0.999;
const FEW = 4; // Groups from which rewards that cancel are no accident.

const STUCK = 5; // Batches whose mean cannot agree by chance.
const MANY = 16; // Groups that cannot all tie by chance where half of the groups do.

interface Spread {
  /** All groups flat at that record: true, false, or null where the log cannot tell. */
  readonly flat: readonly (boolean | null)[];
  /** Share of flat groups, where it is printed or follows. */
  readonly share: readonly (number | null)[];
  /** Column the answer came from, per record. */
  readonly from: readonly (string | null)[];
}

/** Its group is known: by its prompt, or by a number from 1 where none is printed. */
export const isGrouped = ({ prompt, promptId }: Completion): boolean => prompt !== null || promptId > 0;

/** Completions by train step and prompt. */
export function groupsOf(completions: readonly Completion[]): Completion[][] {
  const groups = new Map<string, Completion[]>();
  for (const row of completions) {
    const key = `${row.trainStep} ${row.promptId} ${row.prompt ?? ""}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()];
}

function at(view: RunView, record: number): { flat: boolean | null; share: number | null; from: string | null } {
  const cell = (name: string) => view.column(name)[record];
  const share = view.columns.get("zero_spread_fraction")?.[record];
  const reward = cell("reward");
  const deviation = cell("reward_std");
  // Equal rewards such as 0.7 differ by rounding once summed: a deviation of 1e-7 is no spread, whatever the share says.
  if (
    isNumber(deviation) && deviation > 0 && isNumber(reward) &&
    deviation <= NO_SPREAD.printed * Math.max(1, Math.abs(reward))
  ) {
    return { flat: true, share: 1, from: "reward_std" };
  }
  // Equal rewards such as 0.3 leave a deviation of 1e-8 in float32, and the printed share takes that for spread.
  if (isNumber(share) && share < ALL && everyGroupTies(view)) return { flat: true, share: 1, from: "reward" };
  if (isNumber(share) && !(reward !== undefined && reward !== null && !Number.isFinite(reward))) {
    return { flat: share >= ALL, share, from: "zero_spread_fraction" };
  }
  const group = cell("group_reward_std"), tied = impliedAt(view, "zero_spread_fraction", record);
  if (isNumber(group) && group > NO_SPREAD.deviation) return { flat: false, share: null, from: "group_reward_std" };
  if (tied !== null) return { flat: true, share: tied.value, from: tied.from.at(-1)! };
  // What is not 0 shows that some group has spread, and not how many have none.
  if (isNumber(cell("reward_std")) && view.rewardStdScope === "group") {
    return { flat: false, share: null, from: "reward_std" };
  }
  if (isNumber(cell("advantage_min")) && isNumber(cell("advantage_max"))) {
    return { flat: false, share: null, from: "advantage_max" };
  }
  // "The reward stays at 0.3" rounds; at 0 or 1 there is nothing to round.
  const isExact = !view.isTold("reward", record) || reward === 0 || reward === 1;
  if (isNumber(reward) && isExact && stuckReward(view)) return { flat: true, share: 1, from: "reward" };
  return { flat: null, share: null, from: null };
}

/** True if in every group of many printed ones all completions have the same rewards, function by function. */
function everyGroupTies(view: RunView): boolean {
  return view.memo("every group ties", () => {
    if (!view.imported) return false;
    const groups = groupsOf(view.completions.filter(isGrouped)).filter((group) => group.length > 1);
    const key = (row: Completion) => JSON.stringify([row.reward, Object.entries(row.rewards)]);
    const scored = (row: Completion) => isNumber(row.reward) || Object.values(row.rewards).some(isNumber);
    return groups.length >= MANY &&
      groups.every((group) => group.every((row) => scored(row) && key(row) === key(group[0]!)));
  });
}

/** True if the log prints one mean reward to all digits, batch after batch: then every sample got it. */
function stuckReward(view: RunView): boolean {
  return view.memo("stuck reward", () => {
    const known = view.column("reward").filter(isNumber);
    return view.imported && known.length >= STUCK && known.every((value) => value === known[0]);
  });
}

export function spreadOf(view: RunView): Spread {
  return view.memo("spread", () => {
    const rows = view.trainSteps.map((_, record) => at(view, record));
    return {
      flat: rows.map((row) => row.flat),
      share: rows.map((row) => row.share),
      from: rows.map((row) => row.from),
    };
  });
}

/** Share of flat groups at a record: one that shows some spread but not how much counts as 0, so it is a lower bound. */
export function shareAt({ share, flat }: Spread, record: number): number {
  return share[record] ?? (flat[record] ? 1 : 0);
}

/**
 * Records whose share of flat groups has a lower bound: all that print something of it, if one of them decides. A batch
 * deviation above 0 decides nothing, and left out it would leave only the records at 0, as if they were the run.
 */
export function sharedRecords(view: RunView): readonly number[] {
  return view.memo("records with a share", () => {
    const { flat } = spreadOf(view), deviation = view.column("reward_std");
    if (flat.every((value) => value === null)) return [];
    return flat.flatMap((value, record) => value !== null || isNumber(deviation[record]) ? [record] : []);
  });
}

/** Records whose groups are all flat, records with some spread, and the mean share of flat groups. */
export function spreadSummary(view: RunView): { flat: number[]; spread: number[]; share: number | null } {
  return view.memo("spread summary", () => {
    const { flat } = spreadOf(view);
    const flatRecords: number[] = [];
    const spreadRecords: number[] = [];
    flat.forEach((value, record) => {
      if (value === true) flatRecords.push(record);
      if (value === false) spreadRecords.push(record);
    });
    const shares = sharedRecords(view).map((record) => shareAt(spreadOf(view), record));
    return { flat: flatRecords, spread: spreadRecords, share: shares.length === 0 ? null : mean(shares) };
  });
}

/** Share of groups of the printed completions in which every reward is the same, or null without such groups. */
export function flatGroupShare(view: RunView): number | null {
  return view.memo("flat groups", () => {
    const groups = groupsOf(view.completions).filter((group) =>
      group.length > 1 && group.every((row) => isNumber(row.reward))
    );
    if (groups.length === 0) return null;
    return groups.filter((group) => group.every((row) => row.reward === group[0]!.reward)).length / groups.length;
  });
}

/** Reward functions that differ inside groups while the total does not, in at least half of the groups; else null. */
export function cancelling(view: RunView): readonly string[] | null {
  return view.memo("cancelling", () => {
    const names = Object.keys(view.completions[0]?.rewards ?? {});
    if (names.length < 2) return null;
    const groups = groupsOf(view.completions).filter((group) => group.length > 1);
    const varies = (values: readonly (number | null)[]) =>
      values.every(isNumber) && values.some((value) => Math.abs(value! - values[0]!) > NO_SPREAD.printed);
    const moving = (group: readonly Completion[]) =>
      names.filter((name) => varies(group.map((row) => row.rewards[name] ?? null)));
    const still = groups.filter((group) => {
      const rewards = group.map((row) => row.reward);
      return rewards.every(isNumber) && !varies(rewards) && moving(group).length > 1;
    });
    const flat = groups.every((group) => !varies(group.map((row) => row.reward)));
    return flat && still.length >= FEW && still.length >= 0.5 * groups.length ? moving(still[0]!) : null;
  });
}

/** True unless rewards that cancel are why groups are flat: that cause has a name of its own. */
export function isNotCancelling(view: RunView): boolean {
  return cancelling(view) === null;
}
