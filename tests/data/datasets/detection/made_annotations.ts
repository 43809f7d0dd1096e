/** Small annotations for tests: two images, three categories. */
import { type Annotations, readAnnotations } from "../../../../data/datasets/detection/annotations.ts";

type Item = Record<string, unknown>;

export const box = (id: number, image_id: number, category_id: number, bbox: unknown, more: Item = {}): Item => ({
  id,
  image_id,
  category_id,
  bbox,
  ...more,
});

export const images: readonly Item[] = [
  { id: 1, file_name: "a.png", width: 200, height: 100 },
  { id: 2, file_name: "b.png", width: 50, height: 50 },
];
export const categories: readonly Item[] = [
  { id: 5, name: "dog" },
  { id: 3, name: "traffic_light" },
  { id: 9, name: "bus" },
];

/** The annotations that such a file holds. */
export async function annotationsOf(file: Item | string): Promise<Annotations> {
  const path = await Deno.makeTempFile({ suffix: ".json" });
  try {
    await Deno.writeTextFile(path, typeof file === "string" ? file : JSON.stringify(file));
    return await readAnnotations(path);
  } finally {
    await Deno.remove(path);
  }
}
