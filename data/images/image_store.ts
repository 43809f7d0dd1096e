/** The images of a run: a folder in which the file of each lies once, under the name that its content gives. @module */
import { basename, join } from "node:path";
import { replaceFile } from "../hub/atomic_write.ts";
import { isFile } from "../file_system.ts";
import { decodeImage, IMAGE_LIMITS, type ImageLimits, readImageHeader } from "./decode.ts";
import { imageId, isImageId } from "./image_id.ts";

export class ImageStore {
  /** Usually `images` in the run's folder; made when the first image is put. */
  constructor(readonly folder: string) {}

  /**
   * Keeps a file's bytes as they are, and returns the image's id. The whole image is decoded once, so that a broken one is
   * told where it is given, not when training first needs it. Throws RangeError as `decodeImage` does.
   */
  async put(bytes: Uint8Array, source: string, limits: ImageLimits = IMAGE_LIMITS): Promise<string> {
    await decodeImage(bytes, source, limits);
    const id = imageId(bytes, readImageHeader(bytes, source, limits));
    if (this.has(id)) return id;
    Deno.mkdirSync(this.folder, { recursive: true });
    replaceFile(this.path(id), [bytes], { sync: false });
    return id;
  }

  /** The file as it was given. Throws RangeError for an id that is none, or an image that is not here. */
  bytes(id: string): Uint8Array {
    try {
      return Deno.readFileSync(this.path(id));
    } catch (cause) {
      if (!(cause instanceof Deno.errors.NotFound)) throw cause;
      throw new RangeError(
        `Cannot find image ${id}: it is not in ${basename(this.folder)}, which load_prompts writes; ` +
          "load the prompts in this run, or copy the folder along",
        { cause },
      );
    }
  }

  /** Where the file lies, or would. Throws RangeError for what is no id: a path never comes out of a prompt's text. */
  path(id: string): string {
    if (isImageId(id)) return join(this.folder, id);
    throw new RangeError(`Cannot find image ${JSON.stringify(id.slice(0, 80))}: it is no image id`);
  }

  has(id: string): boolean {
    return isFile(this.path(id));
  }
}
