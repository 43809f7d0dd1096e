/**
 * Rewards completions by a person's pattern. Some patterns take longer than the universe on some texts, so this file runs
 * in the sandbox, where it can be ended; it imports nothing.
 * @module
 */

/** What a pattern is asked. */
export interface PatternOptions extends Readonly<Record<string, unknown>> {
  readonly source: string;
  readonly flags: string;
  /** Reward where it occurs, and where it does not. */
  readonly found: number;
  readonly missing: number;
}

/** One reward per text. */
export function score({ texts }: { readonly texts: readonly string[] }, options: PatternOptions): number[] {
  const expression = new RegExp(options.source, options.flags);
  return texts.map((text) => expression.test(text) ? options.found : options.missing);
}
