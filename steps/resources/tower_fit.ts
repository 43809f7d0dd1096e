/** Whether a model that reads the policy's prompts beside it can read their images. @module */
import type { ModelConfig } from "../../gpu/models/config.ts";

type Tower = Pick<ModelConfig, "vision" | "imageToken">;

/** What a prompt's tokens and patches depend on: the policy cuts images for all who read its prompts. */
const CUT = ["patchSize", "temporalPatchSize", "channels", "mergeSize"] as const;

/** Throws a RangeError that begins with `what`, for a model that would not see what the policy sees. */
export function requireTower(what: string, own: Tower, policy: Tower): void {
  if (policy.vision === null) return;
  if (own.vision === null) {
    throw new RangeError(
      `${what}: it reads words alone and the policy reads images, want one with a vision tower as the policy's`,
    );
  }
  const other = CUT.find((key) => own.vision![key] !== policy.vision![key]);
  if (other !== undefined) {
    throw new RangeError(
      `${what}: ${other} of its tower is ${own.vision[other]}, want ${policy.vision[other]} as the policy`,
    );
  }
  if (own.imageToken !== policy.imageToken) {
    throw new RangeError(
      `${what}: images stand at token ${own.imageToken} (image_token_id), want ${policy.imageToken} as the policy`,
    );
  }
}
