/** The options of a reward that Visual-RFT has too: with `compat` it computes what that program does, mistakes included. @module */
import { z } from "zod";
import { withoutEffect } from "../../options/without_effect.ts";

const compat = z.boolean().default(false).describe(
  "exactly as Visual-RFT computes it, its mistakes included; docs/visual_rewards.md has each difference",
);

/** `compat` and options that only the sound form reads: beside `compat: true` one that is not its default is refused. */
export function visualParams<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape), types = shape as unknown as Record<string, z.ZodType>;
  return z.strictObject({ compat, ...shape }).superRefine((given, context) => {
    const values = given as Readonly<Record<string, unknown>>;
    if (!values["compat"]) return;
    for (const name of names) {
      const [message] = withoutEffect(values, types, [name], "compat is true, which reads no other option");
      if (message !== undefined) context.addIssue({ code: "custom", path: [name], message });
    }
  });
}
