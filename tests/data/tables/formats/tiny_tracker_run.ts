/** A run as trackers are told of it, and a step of it. @module */
import type { TrackedStep } from "../../../../data/tables/formats/tracked_steps.ts";
import type { TrackerRun } from "../../../../data/tables/formats/tracker_run.ts";

export const RUN: TrackerRun = {
  id: "20260102-030405-a.b-c",
  name: "a",
  about: 'a "run": é\n',
  started: Date.parse("2026-01-02T03:04:05.250Z") / 1000,
  finished: null,
  status: "ok",
  settings: new Map<string, unknown>([["text", 'x"\ny'], ["list", [1]]]),
  facts: new Map([["seed", "1"]]),
};

export const step = (trainStep: number, values: TrackedStep["values"], phase = "rollout"): TrackedStep => ({
  trainStep,
  phase,
  stepId: null,
  time: RUN.started + trainStep,
  values,
});
