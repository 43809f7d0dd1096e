/** What has to be known of a run's rewards to read them beside the IoU of boxes: from which IoU on they count one. @module */
import { parse } from "yaml";
import { z } from "zod";
import { orElse } from "../../data/file_system.ts";
import { entryName, rewardOf } from "../../steps/rewards/entry.ts";
import { REWARDS } from "../../steps/rewards/mod.ts";

const entry = z.looseObject({
  uses: z.string(),
  name: z.string().optional(),
  with: z.record(z.string(), z.unknown()).optional(),
});

/**
 * A note for each reward with a threshold, by its name, from a run's workflow, the text of a YAML file. Rewards of one name
 * that say different things, as of two steps, have all of it.
 */
export function rewardNotes(workflow: string): Record<string, string> {
  const notes = new Map<string, Set<string>>();
  const found = /\brewards\b/.test(workflow) ? rewardsIn(orElse(() => parse(workflow) as unknown, null)) : [];
  for (const one of found) {
    const { success, data } = entry.safeParse(one);
    if (!success || !Object.hasOwn(REWARDS, data.uses)) continue;
    const options = rewardOf(data.uses).params.safeParse(data.with ?? {});
    const threshold = options.success ? Reflect.get(options.data as object, "iou_threshold") : undefined;
    if (typeof threshold !== "number" || threshold === 0) continue;
    const name = entryName(data), told = notes.get(name) ?? new Set();
    notes.set(name, told.add(`a box counts from IoU ${threshold} on`));
  }
  return Object.fromEntries([...notes].map(([name, told]) => [name, [...told].join(", or ")]));
}

/** Every entry of a list called `rewards`, in the order of the file. */
function rewardsIn(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === "rewards" && Array.isArray(inner) ? inner as unknown[] : rewardsIn(inner)
  );
}
