/** The verifier `numeric`: the completion's last number is the answer's. @module */
import { z } from "zod";
import { lastNumber } from "./numbers.ts";
import { sameLastNumber } from "./same_number.ts";
import { defineVerifier } from "./verifier.ts";

const params = z.strictObject({
  tolerance: z.number().min(0).max(1).default(1e-6).describe("largest |difference| over the larger of the two numbers"),
  absolute_tolerance: z.number().min(0).default(0).describe(
    "a |difference| that is small enough whatever the numbers; 0: only 0 is 0",
  ),
});

export const numeric = defineVerifier({
  about: "its last number is the answer's last, within a tolerance; 42k, 10-12 and 3/4 are none",
  params,
  findsOneValue: true,
  problem: (answer) => lastNumber(answer) === null ? "has no number that stands for itself" : null,
  verify: (completion, row, { tolerance, absolute_tolerance }) =>
    sameLastNumber(completion, row, tolerance, absolute_tolerance),
});
