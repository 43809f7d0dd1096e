/** Reads from EXIF which way up an image is. @module */

const ORIENTATION = 0x0112;

/**
 * The orientation, 1 to 8, in a TIFF header as EXIF has it; 1 where it says none or cannot be read, as Pillow's
 * `exif_transpose` takes it.
 */
export function orientationIn(exif: Uint8Array): number {
  // Six bytes "Exif\0\0" stand before it in JPEG, and in some files of WebP.
  const isNamed = exif[0] === 0x45 && exif[1] === 0x78 && exif[2] === 0x69 && exif[3] === 0x66;
  const tiff = isNamed ? exif.subarray(6) : exif;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  if (tiff.length < 8) return 1;
  const order = view.getUint16(0), isLittle = order === 0x4949;
  if (!isLittle && order !== 0x4d4d) return 1;
  const at = view.getUint32(4, isLittle);
  if (at + 2 > tiff.length) return 1;
  for (let entry = at + 2, left = view.getUint16(at, isLittle); left > 0 && entry + 12 <= tiff.length; left--) {
    if (view.getUint16(entry, isLittle) === ORIENTATION) {
      const value = view.getUint16(entry + 8, isLittle);
      return value >= 1 && value <= 8 ? value : 1;
    }
    entry += 12;
  }
  return 1;
}

/** Whether an orientation lays the image on its side: its width is then the file's height. */
export const isOnItsSide = (orientation: number) => orientation >= 5;

/**
 * Pixels of 3 bytes, row by row, turned as an orientation says. `width` and `height` are those of the file.
 *
 * Where a pixel of the result comes from, by EXIF 2.32, table "Orientation": 2 mirrors left and right, 3 turns by half,
 * 4 mirrors top and bottom, 5 to 8 are those after rows and columns changed places.
 */
export function upright(rgb: Uint8Array, width: number, height: number, orientation: number): Uint8Array {
  if (orientation === 1) return rgb;
  const side = isOnItsSide(orientation), [w, h] = side ? [height, width] : [width, height];
  // Of the file's axes: does x, does y run backwards?
  const backX = [2, 3, 7, 8].includes(orientation), backY = [3, 4, 6, 7].includes(orientation);
  const turned = new Uint8Array(rgb.length);
  for (let y = 0, to = 0; y < h; y++) {
    for (let x = 0; x < w; x++, to += 3) {
      const [fileX, fileY] = side ? [y, x] : [x, y];
      const from = ((backY ? height - 1 - fileY : fileY) * width + (backX ? width - 1 - fileX : fileX)) * 3;
      turned[to] = rgb[from]!;
      turned[to + 1] = rgb[from + 1]!;
      turned[to + 2] = rgb[from + 2]!;
    }
  }
  return turned;
}
