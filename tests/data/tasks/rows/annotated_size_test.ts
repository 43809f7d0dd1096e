import assert from "node:assert/strict";
import { readImageHeader } from "../../../../data/images/decode.ts";
import { annotatedSizeProblem } from "../../../../data/tasks/rows/annotated_size.ts";
import { goldenImage } from "../../images/image_goldens.ts";

const header = (name: string) => readImageHeader(goldenImage(name), name);

Deno.test("annotatedSizeProblem() is null where annotations have the size of the image as it is seen", () => {
  assert.equal(annotatedSizeProblem("a.png", { width: 7, height: 5 }, header("rgb.png")), null);
  assert.equal(annotatedSizeProblem("a.jpg", { width: 18, height: 24 }, header("turned_6.jpg")), null);
});

Deno.test("annotatedSizeProblem() names both sizes, and which of them is stored, where they differ", () => {
  const of = (width: unknown, height: unknown, name = "rgb.png") =>
    annotatedSizeProblem(name, { width, height }, header(name));
  assert.match(
    of(70, 50)!,
    /^rgb\.png is 7 × 5 pixels, and its annotations say 70 × 50, by which its boxes are scaled; /,
  );
  assert.match(of(7, 6)!, /say 7 × 6/);
  assert.match(of(5, 7)!, /say 5 × 7, by which/);
  assert.equal(
    of(24, 18, "turned_6.jpg"),
    "turned_6.jpg is 18 × 24 pixels as it is seen, for its EXIF turns it (orientation 6), and its annotations say " +
      "24 × 18, as it is stored; annotate what is seen, or take the orientation out of the file",
  );
  assert.match(of(24, 17, "turned_6.jpg")!, /by which its boxes are scaled/);
});
