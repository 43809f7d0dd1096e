/** Every command, in the order of the help and of the README. @module */
import type { Command } from "./command.ts";
import { diagnose } from "./diagnose.ts";
import { env } from "./env.ts";
import { install } from "./install.ts";
import { exportRun } from "./export.ts";
import { newThing } from "./new.ts";
import { report } from "./report.ts";
import { run } from "./run.ts";
import { sample } from "./sample.ts";

export const COMMANDS = {
  run,
  diagnose,
  sample,
  report,
  export: exportRun,
  new: newThing,
  env,
  install,
} as const satisfies Record<string, Command>;
