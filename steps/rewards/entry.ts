/** One entry of `rewards`: which function, its name, weight and options. @module */
import { basename } from "@deno/std/path/basename.js";
import { z } from "zod";
import { didYouMean } from "../../data/did_you_mean.ts";
import { RENAMED, type RewardName, REWARDS } from "./mod.ts";
import type { Reward } from "./reward.ts";

const USER_FILE = /\.(ts|js|mjs|tsx)$/;

/** True when `uses` names a file of the user's: by its ending, for a name such as visual/iou has a slash too. */
export function isUserFile(uses: string): boolean {
  return USER_FILE.test(uses);
}

/** The reward function of a name in REWARDS. */
export function rewardOf(uses: string): Reward {
  return REWARDS[uses as RewardName];
}

/** The entry's column is `reward.<name>`: its own name, else the function's or the file's without its ending. */
export function entryName({ uses, name }: { readonly uses: string; readonly name?: string | undefined }): string {
  return name ?? (isUserFile(uses) ? basename(uses).replace(USER_FILE, "") : uses);
}

function unknownOption(uses: string, key: string): string {
  const { params } = rewardOf(uses);
  const known = params instanceof z.ZodObject ? Object.keys(params.shape) : [];
  return `unknown key "${key}" of reward "${uses}"${didYouMean(key, known)}`;
}

export const rewardEntry = z.strictObject({
  uses: z.string().min(1).describe(
    `a reward function (${Object.keys(REWARDS).join(", ")}) or a file that exports one, e.g. ./my_reward.ts`,
  ),
  name: z.string().regex(/^[A-Za-z_][\w-]*$/).optional().describe("its column is reward.<name>; default: what it uses"),
  weight: z.number().default(1).describe("its share of the reward"),
  with: z.record(z.string(), z.unknown()).default({}).describe("options of the function"),
  permissions: z.strictObject({
    net: z.array(z.string().min(1)).default([]).describe("hosts a file's code may reach, e.g. localhost:8000"),
  }).optional().describe("what a file's code may do besides computing; default: nothing"),
  trusted: z.boolean().default(false).describe(
    "run a file's code inside this program, faster, with all its permissions and without limits",
  ),
}).superRefine((entry, context) => {
  const issue = (path: PropertyKey[], message: string) => context.addIssue({ code: "custom", path, message });
  if (isUserFile(entry.uses)) {
    if (entry.trusted && entry.permissions) {
      issue(["permissions"], "trusted code has all permissions; remove one of them");
    }
    return;
  }
  if (!Object.hasOwn(REWARDS, entry.uses)) {
    const now = Object.hasOwn(RENAMED, entry.uses) ? RENAMED[entry.uses] : undefined;
    const unknown = `unknown reward "${entry.uses}"${
      didYouMean(entry.uses, Object.keys(REWARDS))
    }, or a file such as ./my_reward.ts`;
    issue(["uses"], now === undefined ? unknown : `reward "${entry.uses}" is now "${now}", its option quirk compat`);
    return;
  }
  if (entry.permissions) issue(["permissions"], `only a file has permissions; "${entry.uses}" is built in`);
  if (entry.trusted) issue(["trusted"], `only a file is trusted or not; "${entry.uses}" is built in`);
  const parsed = rewardOf(entry.uses).params.safeParse(entry.with);
  for (const problem of parsed.error?.issues ?? []) {
    if (problem.code !== "unrecognized_keys") issue(["with", ...problem.path], problem.message);
    else for (const key of problem.keys) issue(["with", key], unknownOption(entry.uses, key));
  }
});

export type RewardEntry = z.output<typeof rewardEntry>;
