/** What a command is, how its arguments are read, and its help text. @module */
import { parseArgs } from "node:util";
import { didYouMean, suggest } from "../suggest.ts";
import { wrapped } from "./terminal.ts";

/** One option: its value's name for the help (absent for a switch), what it does. */
export interface Option {
  readonly about: string;
  /** Name of the value in the help; an option without one is a switch. */
  readonly value?: string;
  readonly short?: string;
  /** May be given several times. */
  readonly multiple?: boolean;
  readonly choices?: readonly string[];
}

/** Arguments after reading: text by option name, true for a switch. */
export type Values<Options extends Record<string, Option>> = {
  readonly [Name in keyof Options]?: Options[Name] extends { multiple: true } ? readonly string[]
    : Options[Name] extends { value: string } ? string
    : boolean;
};

export interface Command<Options extends Record<string, Option> = Record<string, Option>> {
  readonly name: string;
  /** One line, shown in the list of commands and in the README. */
  readonly about: string;
  /** What follows the name, e.g. `FILE [options]`. */
  readonly usage: string;
  /** How many words it takes besides options. */
  readonly words: readonly [least: number, most: number];
  readonly options: Options;
  /** Lines after the options in the help: examples, exit codes. */
  readonly notes?: readonly string[];
  /** With --json: the line on stdout that says why nothing ran, also when the arguments cannot be read. */
  readonly jsonRefusal?: (message: string) => string;
  run(words: readonly string[], values: Values<Options>): Promise<number>;
}

/** Identity; lets `run` see the types of its options. */
export function defineCommand<const Options extends Record<string, Option>>(command: Command<Options>): Command {
  return command as unknown as Command;
}

/** What a person typed cannot be used: printed in one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Reads the arguments of a command. Throws a UsageError naming the option, with a suggestion, for an unknown one, a
 * missing or unwanted value, a value outside its choices, or the wrong number of words.
 */
export function readArguments(
  command: Command,
  args: readonly string[],
): { words: string[]; values: Values<Record<string, Option>> } {
  const options = Object.fromEntries(
    Object.entries({ ...command.options, help: { about: "", short: "h" } as Option }).map(([name, o]) => [name, {
      type: o.value ? "string" as const : "boolean" as const,
      ...(o.short ? { short: o.short } : {}),
      ...(o.multiple ? { multiple: true } : {}),
    }]),
  );
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(explain(command, error as Error), { cause: error });
  }
  for (const [name, value] of Object.entries(parsed.values)) {
    const choices = command.options[name]?.choices;
    const wrong = [value].flat().find((v) => choices && typeof v === "string" && !choices.includes(v));
    if (choices && wrong !== undefined) {
      const meant = suggest(String(wrong), choices);
      throw new UsageError(
        `Cannot read --${name}: it is "${wrong}", want ${choices.join(" | ")}${
          meant === null ? "" : `; did you mean "${meant}"?`
        }`,
      );
    }
  }
  const [least, most] = command.words;
  const n = parsed.positionals.length;
  if (!parsed.values["help"] && (n < least || n > most)) {
    throw new UsageError(
      `Cannot run "${command.name}": it got ${n} word${n === 1 ? "" : "s"}, want ${
        least === most ? least : most === Infinity ? `at least ${least}` : `${least} to ${most}`
      }; usage: ${command.name} ${command.usage}`,
    );
  }
  return { words: parsed.positionals, values: parsed.values as Values<Record<string, Option>> };
}

function explain(command: Command, error: Error): string {
  const unknown = /Unknown option '(-{1,2})([^']+)'/.exec(error.message);
  if (unknown) {
    const names = Object.keys(command.options);
    return `Cannot run "${command.name}": unknown option "${unknown[1]}${unknown[2]}"${didYouMean(unknown[2]!, names)}`;
  }
  return `Cannot run "${command.name}": ${error.message.split(". ")[0]}`;
}

/** Width of the help, whatever the terminal: it is also read in files. */
const HELP_COLUMNS = 80;

/** The text of `COMMAND --help`. */
export function helpText(command: Command): string {
  const rows = Object.entries({ ...command.options, help: { about: "print this text", short: "h" } as Option }).map(
    ([name, o]) =>
      [
        `${o.short ? `-${o.short}, ` : "    "}--${name}${o.value ? ` ${o.value}` : ""}`,
        o.choices ? `${o.about}: ${o.choices.join(" | ")}` : o.about,
      ] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  const indent = " ".repeat(width + 2);
  return [
    `${command.about}`,
    "",
    `Usage: deno task ${command.name} ${command.usage}`,
    "",
    ...rows.flatMap(([left, right]) =>
      wrapped(right, HELP_COLUMNS - width - 2).map((line, i) => i ? indent + line : `  ${left.padEnd(width)}${line}`)
    ),
    ...(command.notes?.length ? ["", ...command.notes.flatMap((note) => wrapped(note, HELP_COLUMNS))] : []),
  ].join("\n");
}
