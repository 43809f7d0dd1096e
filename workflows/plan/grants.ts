/**
 * What a workflow may do besides computing and writing its own run: read off the plan, before anything of it happens.
 * @module
 */
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { entryName, isUserFile } from "../../steps/rewards/entry.ts";
import { formatPath, type Path, toIssues } from "../language/problems.ts";
import { type Plan, type PlannedStep, stepsOf } from "./plan.ts";

/** One thing that needs a person's word. */
export interface Grant {
  /** As the end of "This workflow …". */
  readonly text: string;
  /** file:line:column, or the path in a workflow written in TypeScript. */
  readonly place: string;
  readonly path: Path;
}

/** What a kind of step may be told to do. Parameters are read as written: a look-up that is open until the run counts. */
const OF_STEP: Readonly<Record<string, (step: PlannedStep, plan: Plan) => Omit<Grant, "place">[]>> = {
  score_rewards: ({ with: given, path }, { folder }) =>
    (Array.isArray(given["rewards"]) ? given["rewards"] as Record<string, unknown>[] : []).flatMap((entry, index) => {
      const uses = String(entry["uses"]);
      if (!isUserFile(uses)) return [];
      const at = [...path, "with", "rewards", index];
      const file = resolve(folder, uses);
      if (entry["trusted"] !== undefined && entry["trusted"] !== false) {
        const text =
          `runs ${file} inside this program: it may read, write, start programs and use the network as you may`;
        return [{ text, path: [...at, "trusted"] }];
      }
      const hosts = (entry["permissions"] as { readonly net?: readonly unknown[] } | undefined)?.net ?? [];
      if (hosts.length === 0) return [];
      const name = entryName({ uses, name: entry["name"] as string | undefined });
      const text = `lets ${file} (reward "${name}") send prompts, answers and completions to ${hosts.join(", ")}`;
      return [{ text, path: [...at, "permissions", "net"] }];
    }),
  export_model: ({ with: given, path }, { folder }) => {
    if (typeof given["folder"] !== "string") return [];
    const target = whereItLeads(resolve(folder, given["folder"])), way = relative(whereItLeads(folder), target);
    if (way !== ".." && !way.startsWith(`..${sep}`) && way !== target) return [];
    return [{
      text: `writes a model into ${target}, in place of one that lies there`,
      path: [...path, "with", "folder"],
    }];
  },
};

/** As many as Linux follows. */
const MAX_LINKS = 40;

/** The path without its links, as far as it exists: one in the workflow's folder may lead elsewhere. */
function whereItLeads(path: string, links = MAX_LINKS): string {
  try {
    return Deno.realPathSync(path);
  } catch {
    // A link to nothing leads to where its target would be; a loop of links leads nowhere, and nothing is written.
    if (links === 0 || dirname(path) === path) return path;
    const target = linkTarget(path);
    return target === null ? join(whereItLeads(dirname(path), links), basename(path)) : whereItLeads(target, links - 1);
  }
}

/** What a link names; null for all else. */
function linkTarget(path: string): string | null {
  try {
    return resolve(dirname(path), Deno.readLinkSync(path));
  } catch {
    return null;
  }
}

/** In the order of the file; none for most workflows. */
export function grantsOf(plan: Plan): Grant[] {
  return stepsOf(plan.steps).flatMap((step) => OF_STEP[step.uses]?.(step, plan) ?? []).map((grant) => {
    const [issue] = toIssues([{ path: grant.path, message: grant.text }], plan.source);
    const { file, position } = issue!;
    const place = position === null ? formatPath(grant.path) : `${position.line}:${position.column}`;
    return { ...grant, place: `${file}:${place}` };
  });
}
