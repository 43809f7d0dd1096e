/** Reads an image that has to lie below a folder, wherever links lead. @module */
import { resolve } from "node:path";
import { leadsToBlobs } from "../../hub/model_folder.ts";
import { wayFrom } from "../../real_path.ts";
import { briefly } from "../../error_text.ts";
import { orElse } from "../../file_system.ts";
import { type ImageFile, imageFile, LONGEST_PATH } from "./image_source.ts";

/** A revision in a Hugging Face cache, whose files are links into `blobs`. */
const SNAPSHOT = /^.*[\\/]snapshots[\\/][^\\/]+/;

/**
 * The file at a path from `folder` on. Throws RangeError, as the end of a sentence about the row, as `imageFile`, and for
 * one that lies elsewhere: a data set of a stranger may hold a link to any file of the machine.
 */
export function imageBelow(path: string, folder: string): ImageFile {
  const whole = resolve(folder, path), name = briefly(path, LONGEST_PATH);
  // One that is not there, or cannot be looked at, is told by reading it.
  if (orElse(() => Deno.realPathSync(whole), null) !== null && !isBelow(whole, folder)) {
    throw new RangeError(
      `${name} leads out of the folder of images, ${folder}, want a file in it; copy it there, or set image_folder`,
    );
  }
  // Whole, it is a path and nothing else: "file:///x" is a name here.
  return { ...imageFile(whole, folder), name };
}

function isBelow(path: string, folder: string): boolean {
  const way = wayFrom(folder, path), snapshot = SNAPSHOT.exec(Deno.realPathSync(folder))?.[0];
  return !/^(?:\.\.(?:\/|$)|\/|[a-z]:)/i.test(way) || (snapshot !== undefined && leadsToBlobs(snapshot, path));
}
