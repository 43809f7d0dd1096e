/** `start`: the first run, from the library of workflows. @module */
import { join } from "node:path";
import { PROJECT } from "../terminal/caller.ts";
import { defineCommand } from "./command.ts";
import { run } from "./run.ts";

export const start = defineCommand({
  ...run,
  about: "The first run: trains a tiny model to add, evaluates, diagnoses, writes the report",
  usage: "[options]",
  words: [0, 0],
  examples: ["", "-p train_steps=100 --seed 2"],
  run: (_words, values) => run.run([join(PROJECT, "workflows", "library", "first_run.yaml")], values),
});
