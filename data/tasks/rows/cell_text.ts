/** Reads a cell as the text of a prompt or an answer. @module */
import { briefly } from "../../error_text.ts";
import { isObject, pathsIn } from "../../datasets/cells.ts";
import { PLAIN_VERIFIERS, type VerifierName } from "../verifiers/mod.ts";
import type { Verifier } from "../verifiers/verifier.ts";

/** A cell as text; of an object one field is meant, and which one the user must say. Throws RangeError. */
export function cellText(value: unknown, name: string): string {
  if (value === null || value === undefined) return "";
  if (ArrayBuffer.isView(value)) throw new RangeError(`column "${name}" holds bytes, want a text or a number`);
  if (typeof value === "number" && !Number.isFinite(value)) {
    throw new RangeError(`column "${name}" holds ${value}, want a text or a finite number`);
  }
  if (!isObject(value)) return textOf(value);
  const paths = pathsIn(value, name).slice(0, MOST_PATHS).map((path) => briefly(path));
  throw new RangeError(
    `column "${name}" holds an object, want a text or a number; name ${
      paths.length > 1 ? "one of its fields" : "its field"
    }: ${paths.join(", ")}`,
  );
}

const MOST_PATHS = 20;

/** An answer: as `cellText`, but the JSON of an object where that is what the verifier reads. */
export function answerText(value: unknown, name: string, verifier: string): string {
  const own: Verifier | null = Object.hasOwn(PLAIN_VERIFIERS, verifier)
    ? PLAIN_VERIFIERS[verifier as VerifierName]
    : null;
  return own?.answersAreJson && isObject(value) ? JSON.stringify(value) : cellText(value, name);
}

/** A text; of a list its JSON. */
export const textOf = (value: unknown) => typeof value === "object" ? JSON.stringify(value) : String(value);
