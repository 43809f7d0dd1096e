/** Every patch that a rule writes, with its cause; those of single checks too. @module */
import { DIAGNOSES } from "../../../../steps/diagnoses/mod.ts";
import type { Patch } from "../../../../steps/diagnoses/remedies/patch.ts";

export const EVERY_REMEDY: readonly (readonly [cause: string, patches: readonly Patch[]])[] = Object.entries(DIAGNOSES)
  .map(([cause, { remedy }]) => [cause, remedy] as const)
  .filter(([, remedy]) => remedy.length > 0);
