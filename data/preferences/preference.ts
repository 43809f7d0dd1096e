/** A preference: two completions of a prompt of which one is better, or one that is good or not. @module */

/** A completion that is preferred to another of the same prompt. */
export interface PreferencePair {
  readonly prompt: string;
  readonly chosen: string;
  readonly rejected: string;
  /** Where it stands in its file, from 1. */
  readonly line?: number;
}

/** A completion that is desirable or not. */
export interface LabelledCompletion {
  readonly prompt: string;
  readonly completion: string;
  readonly label: boolean;
  readonly line?: number;
}

/** What all rows of a set are; texts may hold lists of messages (data/datasets/messages.ts). */
export type Preferences =
  | { readonly form: "pairs"; readonly rows: readonly PreferencePair[] }
  | { readonly form: "unpaired"; readonly rows: readonly LabelledCompletion[] };

/** Every pair as a desirable and an undesirable completion; a set that is unpaired stays as it is. */
export function unpaired(preferences: Preferences): readonly LabelledCompletion[] {
  if (preferences.form === "unpaired") return preferences.rows;
  return preferences.rows.flatMap(({ prompt, chosen, rejected, ...place }) => [
    { prompt, completion: chosen, label: true, ...place },
    { prompt, completion: rejected, label: false, ...place },
  ]);
}
