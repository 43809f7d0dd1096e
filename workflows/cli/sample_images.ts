/** Images of one's own in prompts that a policy is asked: files as they are typed, which no run has stored. @module */
import { basename } from "node:path";
import { messageOf } from "../../data/error_text.ts";
import { notAFile } from "../../data/file_system.ts";
import { IMAGE_LIMITS } from "../../data/images/decode.ts";
import { textOfPrompt } from "../../data/datasets/prompt_images.ts";
import { imagePrompt, MARKER } from "../../data/tasks/rows/image_prompt.ts";
import type { Policy } from "../../steps/resources/policy.ts";
import { pathArgument } from "../terminal/paths.ts";
import { UsageError } from "../terminal/usage_error.ts";

interface TypedImage {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads the files that were typed. Throws a UsageError for one that is not there or cannot be meant. */
export function typedImages(paths: readonly string[]): TypedImage[] {
  return paths.map((typed) => {
    const path = pathArgument(typed),
      refuse = (why: string) => {
        throw new UsageError(`Cannot read --image ${typed}: ${why}, want a PNG, JPEG or WebP file`);
      };
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(typed)) {
      throw new UsageError(
        `Cannot read --image ${typed}: it is an address, and nothing is fetched; download the image, and name its file`,
      );
    }
    let info: Deno.FileInfo;
    try {
      info = Deno.statSync(path);
    } catch (error) {
      const isAbsent = error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory;
      return refuse(isAbsent ? `there is no file ${path}` : messageOf(error));
    }
    const kind = notAFile(info);
    if (kind !== null) return refuse(`it is ${kind}`);
    const { mostBytes } = IMAGE_LIMITS;
    if (info.size > mostBytes) return refuse(`it has ${info.size} bytes, more than ${mostBytes}`);
    return { name: basename(path), bytes: Deno.readFileSync(path) };
  });
}

/**
 * The prompts with all of the images: where a text has `<image>`, else before it. Those of a prompt itself are left out.
 * Throws a UsageError for a text with other than as many places, and a RangeError for an image that cannot be read and a
 * model that reads none.
 */
export async function withTypedImages(
  { images }: Pick<Policy, "images">,
  prompts: readonly string[],
  typed: readonly TypedImage[],
): Promise<string[]> {
  if (images === null) {
    throw new RangeError(
      "Cannot show images to the model of this run: it reads words alone, want a run of a model with a vision tower " +
        "(qwen2_vl, qwen2_5_vl); leave --image out",
    );
  }
  const ids: string[] = [];
  for (const { bytes, name } of typed) ids.push(await images.give(bytes, name));
  return prompts.map((prompt) => {
    const text = textOfPrompt(prompt), places = text.split(MARKER).length - 1;
    if (places > 0 && places !== ids.length) {
      throw new UsageError(
        `Cannot show images to the model: the prompt has ${places} ${MARKER} and there are ${ids.length} --image, want ` +
          `as many, or none of ${MARKER}`,
      );
    }
    try {
      return imagePrompt(text, { sources: ids, read: String });
    } catch (error) {
      if (error instanceof RangeError) throw new UsageError(`Cannot read --prompt: ${error.message}`, { cause: error });
      throw error;
    }
  });
}
