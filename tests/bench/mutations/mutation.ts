/** A deliberate small fault in one line of the code, which some test must notice. @module */

/** A name, the expression as it stands once in its file, what takes its place; and why it survives, if it may. */
export type Line = readonly [name: string, find: string, replace: string, survives?: string];

export interface Mutation {
  /** `gpu/optimizers/adamw:no_bias_correction` */
  readonly id: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Why no test can notice it, where that is known. */
  readonly survives: string | null;
}

/** The mutations of files, each with its lines. */
export function mutationsOf(files: Readonly<Record<string, readonly Line[]>>): Mutation[] {
  return Object.entries(files).flatMap(([file, lines]) =>
    lines.map(([name, find, replace, survives = null]) => ({
      id: `${file.replace(/\.ts$/, "")}:${name}`,
      file,
      find,
      replace,
      survives,
    }))
  );
}

/** Puts the fault in; throws where the expression is not there exactly once. */
export function mutate(text: string, { id, file, find, replace }: Mutation): string {
  const parts = text.split(find);
  if (parts.length !== 2) {
    throw new RangeError(
      `Cannot apply "${id}": ${JSON.stringify(find)} occurs ${parts.length - 1} times in ${file}, want once; ` +
        "take an expression that is there once",
    );
  }
  return parts.join(replace);
}
