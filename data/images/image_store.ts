/** The images of a run: a folder in which the file of each lies once, under the name that its content gives. @module */
import { basename, join } from "node:path";
import { isFile } from "../file_system.ts";
import { TEMPORARY_PREFIX } from "../run_folder.ts";
import { decodeImage, IMAGE_LIMITS, type ImageLimits, readImageHeader } from "./decode.ts";
import { imageId, isImageId, isOf } from "./image_id.ts";

/** The folder of a run's images, in the run's. */
export const IMAGES = "images";

export class ImageStore {
  /** Usually `images` in the run's folder; made when the first image is put. */
  constructor(readonly folder: string) {}

  /**
   * Keeps a file's bytes as they are, and returns the image's id. The whole image is decoded once, so that a broken one is
   * told where it is given, not when training first needs it. Throws RangeError as `decodeImage` does.
   */
  async put(bytes: Uint8Array, source: string, limits: ImageLimits = IMAGE_LIMITS): Promise<string> {
    await decodeImage(bytes, source, limits);
    return this.keep(bytes, source, limits).id;
  }

  /**
   * As `put`, without decoding: only the header is looked at. Tells whether the image was not here before; one that is here
   * and is no longer what it was is written again.
   */
  keep(
    bytes: Uint8Array,
    source: string,
    limits: ImageLimits = IMAGE_LIMITS,
  ): { readonly id: string; readonly isNew: boolean } {
    const id = imageId(bytes, readImageHeader(bytes, source, limits));
    const isNew = !this.has(id);
    if (!isNew && isOf(id, this.#read(id))) return { id, isNew };
    Deno.mkdirSync(this.folder, { recursive: true });
    // Whoever reads at the same time sees all of it or nothing.
    const temporary = join(this.folder, TEMPORARY_PREFIX + id);
    Deno.writeFileSync(temporary, bytes);
    Deno.renameSync(temporary, this.path(id));
    return { id, isNew };
  }

  /** Takes an image out that nothing needs after all. */
  remove(id: string): void {
    Deno.removeSync(this.path(id));
  }

  /**
   * The file as it was given. Throws RangeError for an id that is none, an image that is not here, and a file that is no
   * longer what it was: an update would silently be another one.
   */
  bytes(id: string): Uint8Array {
    const bytes = this.#read(id);
    if (isOf(id, bytes)) return bytes;
    throw new RangeError(
      `Cannot read image ${id}: its bytes are others than when it was stored, want the file whose content has this name; ` +
        "copy it there again, begin the run again with --from-start, or load the prompts in a new run",
    );
  }

  #read(id: string): Uint8Array {
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
