/** Validates by a JSON schema in a bounded number of steps: one that refers to itself twice doubles them at each level. @module */
import { dereference, type SchemaDraft, Validator } from "@cfworker/json-schema";

/** Schemas that are held against a value and what is in it; a completion of 20,000 characters has 10,000 values at most. */
export const MOST_STEPS = 300_000;

/**
 * Whether a value is valid. What it gives throws RangeError for a value that takes more steps than there may be, and
 * for a schema that leads to itself without end. The schema is kept, and written into.
 */
export function boundedValidator(schema: object | boolean, draft: SchemaDraft): (value: unknown) => boolean {
  const validator = new Validator(schema as boolean, draft);
  let steps = 0;
  // The library reads this word of each schema each time that it uses it, and has no other place to count at.
  for (const inner of new Set(Object.values(dereference(schema as boolean)))) {
    if (typeof inner !== "object") continue;
    const { $recursiveAnchor } = inner;
    Object.defineProperty(inner, "$recursiveAnchor", {
      enumerable: false,
      get() {
        if (++steps > MOST_STEPS) {
          throw new RangeError(`it takes more than ${MOST_STEPS} steps; let it refer to itself once in each schema`);
        }
        return $recursiveAnchor;
      },
    });
  }
  return (value) => {
    steps = 0;
    try {
      return validator.validate(value).valid;
    } catch (error) {
      if (!(error instanceof RangeError) || !/call stack/.test(error.message)) throw error;
      throw new RangeError("it refers to itself without end", { cause: error });
    }
  };
}
