/** What has to be known of a run's rewards to read them beside the IoU of boxes: from which IoU on they count one. @module */
import { z } from "zod";
import { entryName, rewardOf } from "../../steps/rewards/entry.ts";
import { REWARDS } from "../../steps/rewards/mod.ts";
import { listOf, optionsIn } from "./step_options.ts";

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
  const found = /\brewards\b/.test(workflow) ? optionsIn(workflow).flatMap(({ rewards }) => listOf(rewards)) : [];
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
