import assert from "node:assert/strict";
import { isLarge, NO_IMAGES, ShownImages } from "../../../notebooks/pictures/shown_images.ts";

const ID = `${"c".repeat(32)}-56x40.png`, PHOTO = `${"d".repeat(32)}-640x480.jpg`;

Deno.test("ShownImages has an image once, however often it is drawn, and asks for it once", () => {
  let asked = 0;
  const images = new ShownImages(() => ({ href: `data:image/png;base64,${++asked}` }));
  assert.equal(images.definitions, "");
  const drawn = [images.svg(ID, 224, 160), images.svg(ID, 56, 40)];
  assert.equal(drawn[0], `<use href="#image-${"c".repeat(32)}-56x40" width="224" height="160"/>`);
  assert.equal(asked, 1);
  assert.equal(images.definitions.match(/data:/g)!.length, 1);
  assert.match(images.symbols, /^<symbol id="image-c+-56x40" viewBox="0 0 56 40"/);
  assert.match(images.symbols, /image-rendering="optimizeSpeed" class="hard"/);
});

Deno.test("ShownImages draws an address where it stands, and in place of an image that is not shown a frame that says why", () => {
  const images = new ShownImages((id) => id === PHOTO ? { href: "/run/a&b/images/x?token=1" } : { why: "<too large>" });
  assert.match(
    images.svg(PHOTO, 320, 240),
    /^<image href="\/run\/a&amp;b\/images\/x\?token=1" width="320" height="240"/,
  );
  assert.doesNotMatch(images.svg(PHOTO, 320, 240), /hard/);
  assert.match(images.svg(ID, 224, 160), /^<rect [^>]*><title>&lt;too large&gt;<\/title><\/rect>$/);
  assert.deepEqual([images.why(PHOTO), images.why(ID), images.definitions], [null, "<too large>", ""]);
  assert.deepEqual([isLarge(ID), isLarge(PHOTO)], [false, true]);
  assert("why" in NO_IMAGES(ID));
});
