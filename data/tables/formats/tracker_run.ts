/** What a tracker is told of a run besides its rows. @module */
import type { RunManifest } from "../../run_folder.ts";

export interface TrackerRun {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  /** Seconds since 1970. */
  readonly started: number;
  /** The same; null while it runs. */
  readonly finished: number | null;
  readonly status: RunManifest["status"];
  /** Options in force, by name. */
  readonly settings: ReadonlyMap<string, unknown>;
  /** Short texts by name: seed, device, verdict, … */
  readonly facts: ReadonlyMap<string, string>;
}

/** The run of a manifest, with the values of its table `settings`. */
export function trackerRun(manifest: RunManifest, settings: ReadonlyMap<string, unknown>): TrackerRun {
  const { id, name, about, status, created, finished, seed, device, workflow, verdict, versions } = manifest;
  const facts = new Map([
    ["workflow", workflow],
    ["seed", String(seed)],
    ["device", device],
    ["status", status],
    ...Object.entries(versions).map(([program, version]) => [`version.${program}`, version] as const),
    ...verdict === null ? [] : [["verdict", [verdict.verdict, ...verdict.causes].join(" ")] as const],
  ]);
  const seconds = (time: string) => Date.parse(time) / 1000;
  return {
    id,
    name,
    about,
    status,
    settings,
    facts,
    started: seconds(created),
    finished: finished === null ? null : seconds(finished),
  };
}
