/** Fabricated runs that a schedule has started. @module */
import { join } from "node:path";
import type { RunManifestInput } from "../../../data/run_folder.ts";
import { fabricateRun } from "../cli/fabricated_run.ts";

export const FILE = "/home/me/nightly.yaml";

/** `<runs>/<day>-033000-nightly-aaaa`, for the schedule's time of that day, with an export where it says so. */
export function scheduledRun(
  runs: string,
  day: string,
  { hasModel = false, ...changes }: Partial<RunManifestInput> & { readonly hasModel?: boolean } = {},
): string {
  const id = `${day.replaceAll("-", "")}-033000-nightly-aaaa`;
  const folder = fabricateRun(runs, id, {
    name: "nightly",
    workflow_folder: "/home/me",
    trigger: "schedule",
    scheduled_for: `${day}T03:30:00Z`,
    ...changes,
  });
  if (hasModel) {
    Deno.mkdirSync(join(folder, "model"));
    Deno.writeTextFileSync(join(folder, "model", "config.json"), "{}");
  }
  return id;
}

/** A folder for runs, removed afterwards. */
export async function withFolder(body: (folder: string) => unknown): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
