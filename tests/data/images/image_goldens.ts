/** What Pillow and transformers made of images, and the noise that they made it of. @module */
const FOLDER = new URL("../../goldens/images/", import.meta.url);

export interface PatchCase {
  readonly image: string | readonly [width: number, height: number];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly grid: readonly number[];
  readonly shape: readonly number[];
  readonly sha256: string;
  readonly spots: readonly (readonly [row: number, column: number, value: number])[];
}

interface ImageGoldens {
  readonly decoded: Readonly<Record<string, { readonly width: number; readonly height: number; readonly rgb: string }>>;
  readonly resized: readonly {
    readonly size: readonly [number, number];
    readonly to: readonly [number, number];
    readonly sha256: string;
    readonly first: readonly number[];
  }[];
  readonly smart_resize: readonly (readonly number[])[];
  readonly patches: readonly PatchCase[];
}

export const imageGoldens = (): ImageGoldens => JSON.parse(Deno.readTextFileSync(new URL("goldens.json", FOLDER)));

/** A file of tests/goldens/images. */
export const goldenImage = (name: string): Uint8Array => Deno.readFileSync(new URL(name, FOLDER));

/** The bytes that tests/peers/images_goldens.py draws. */
export function noise(width: number, height: number): Uint8Array {
  let state = 1;
  return Uint8Array.from({ length: width * height * 3 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  });
}
