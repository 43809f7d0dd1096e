/**
 * A process that runs a fake workflow, for tests that kill it: RUNS_FOLDER ID new|resume [ms per place].
 * @module
 */
import { listenForSignals, StopControl } from "../../../workflows/engine/run_plan.ts";
import { fakeRun } from "./fake_runs.ts";

/** Checkpoints at every train step, so that most of its time is saving. */
export const SAVING = `
name: saving
checkpoint: { every: 1, keep: 2 }
steps:
  - uses: load_prompts
  - { uses: load_model, with: { size: 20000 } }
  - repeat: 12
    steps:
      - uses: sample_groups
      - uses: apply_update
`;

if (import.meta.main) {
  const [runs, id, mode, pause] = Deno.args as [string, string, string, string?];
  const stop = new StopControl();
  const unlisten = listenForSignals(stop);
  const result = await fakeRun(SAVING, {
    runs,
    stop,
    ...(mode === "resume" ? { resume: id } : { runId: id }),
    at: async () => {
      if (pause !== undefined) await new Promise((resolve) => setTimeout(resolve, Number(pause)));
    },
    onEvent: (event) => console.log(JSON.stringify(event)),
  });
  unlisten();
  Deno.exit(result.exitCode);
}
