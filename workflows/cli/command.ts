/** What a command is. @module */

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

/** A command as its file writes it; its name is that of its row in the table. */
export interface WrittenCommand<Options extends Record<string, Option> = Record<string, Option>> {
  /** One line, shown in the list of commands and in the README. */
  readonly about: string;
  /** What follows the name, e.g. `FILE [options]`. */
  readonly usage: string;
  /** How many words it takes besides options. */
  readonly words: readonly [least: number, most: number];
  readonly options: Options;
  /** Lines after the options in the help, e.g. exit codes. */
  readonly notes?: readonly string[];
  /** What may follow the name, for the help. */
  readonly examples?: readonly string[];
  /** All that follows the name goes to another program as it is; only --help is read here. */
  readonly passesOn?: boolean;
  /** With `passesOn`: `NAME --help` goes there too. */
  readonly helpOfName?: boolean;
  /** With --json: the line on stdout that says why nothing ran, also when the arguments cannot be read. */
  readonly jsonRefusal?: (message: string) => string;
  run(words: readonly string[], values: Values<Options>): Promise<number>;
}

export interface Command extends WrittenCommand {
  readonly name: string;
}

/** Identity; lets `run` see the types of its options. */
export function defineCommand<const Options extends Record<string, Option>>(
  command: WrittenCommand<Options>,
): WrittenCommand {
  return command as unknown as WrittenCommand;
}

/** Options of every command. */
export const EVERYWHERE = {
  help: { about: "print this text", short: "h" },
  version: { about: "print the version" },
} as const satisfies Record<string, Option>;
