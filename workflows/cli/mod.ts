/** Every command, in the order of the help and of the README. @module */
import type { Command } from "./command.ts";
import { diagnose } from "./diagnose.ts";
import { env } from "./env.ts";
import { install } from "./install.ts";
import { newThing } from "./new.ts";

export const COMMANDS = {
  diagnose,
  new: newThing,
  env,
  install,
} as const satisfies Record<string, Command>;
