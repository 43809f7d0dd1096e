/**
 * What an option is: a sentence, a unit and its names in other systems.
 * @module
 */

/** What one option means and how others call it; the first name of a system is the one to print in a remedy. */
export interface Option {
  readonly about: string;
  readonly unit: string;
  readonly names: Readonly<Record<string, readonly string[]>>;
}
