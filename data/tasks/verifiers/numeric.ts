/** The verifier `numeric`: the completion's last number is the answer's. @module */
import { z } from "zod";
import { lastNumber } from "./numbers.ts";
import { sameLastNumber } from "./same_number.ts";
import { defineVerifier } from "./verifier.ts";

export const numeric = defineVerifier({
  about: "its last number is the answer's last, to 1e-6",
  params: z.strictObject({}),
  problem: (answer) => lastNumber(answer) === null ? "has no number" : null,
  verify: sameLastNumber,
});
