/** A command for tests of how commands are read and explained. @module */
import { type Command, defineCommand } from "../../../workflows/cli/command.ts";

const written = defineCommand({
  about: "Bake bread",
  usage: "FLOUR [options]   |   bake --old LOAF",
  words: [1, 2],
  options: {
    heat: { about: "how hot", value: "DEGREES", short: "t" },
    kind: { about: "which", value: "KIND", choices: ["rye", "wheat"] },
    add: { about: "more", value: "WHAT", multiple: true },
    slow: { about: "no hurry", short: "s" },
  },
  notes: ["A note."],
  examples: ["spelt -t 200"],
  run: () => Promise.resolve(0),
});

export const BREAD: Command = { name: "bake", ...written };

/** Hands everything to another program. */
export const PASSING: Command = { ...BREAD, name: "pass", usage: "[anything]", words: [0, 2], passesOn: true };
