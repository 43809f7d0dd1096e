import assert from "node:assert/strict";
import { join } from "node:path";
import { embeddedImages, runImage } from "../../../workflows/run/run_images.ts";

const ID = (letter: string, format = "png") => `${letter.repeat(32)}-9x9.${format}`;

async function withFolder(body: (folder: string) => void): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    Deno.mkdirSync(join(folder, "run", "images"), { recursive: true });
    body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("runImage() reads what lies in the run's folder of images under an id, and nothing else", () =>
  withFolder((folder) => {
    const run = join(folder, "run");
    Deno.writeTextFileSync(join(run, "images", ID("a", "jpg")), "abc");
    Deno.writeTextFileSync(join(run, "images", "notes.txt"), "secret");
    Deno.writeTextFileSync(join(run, ID("b")), "secret");
    Deno.writeTextFileSync(join(folder, "secret"), "secret");
    const found = runImage(run, ID("a", "jpg"), 100);
    assert("bytes" in found && found.type === "image/jpeg" && new TextDecoder().decode(found.bytes) === "abc");
    const others = [
      "notes.txt",
      "../secret",
      `../${ID("b")}`,
      ID("c"),
      "",
      ".",
      "images",
      `${ID("a", "jpg")}/../notes.txt`,
    ];
    for (const id of others) assert("why" in runImage(run, id, 100), id);
    assert.deepEqual(runImage(run, ID("a", "jpg"), 2), {
      why: "The image is not shown: its file has 1 kB, more than 1 kB",
    });
  }));

Deno.test({
  name: "runImage() follows no link out of the folder",
  ignore: Deno.build.os === "windows", // a link wants rights there
  fn: () =>
    withFolder((folder) => {
      const run = join(folder, "run"), other = join(folder, "other");
      Deno.writeTextFileSync(join(folder, "secret"), "secret");
      Deno.symlinkSync(join(folder, "secret"), join(run, "images", ID("d")));
      assert("why" in runImage(run, ID("d"), 100));
      Deno.mkdirSync(join(folder, "elsewhere"));
      Deno.writeTextFileSync(join(folder, "elsewhere", ID("e")), "secret");
      Deno.mkdirSync(other);
      Deno.symlinkSync(join(folder, "elsewhere"), join(other, "images"));
      assert("why" in runImage(other, ID("e"), 100));
      // The run's own folder may be reached by a link.
      Deno.writeTextFileSync(join(run, "images", ID("f")), "abc");
      Deno.symlinkSync(run, join(folder, "link"));
      assert("bytes" in runImage(join(folder, "link"), ID("f"), 100));
    }),
});

Deno.test("embeddedImages() embeds small files of any of the runs until the page is full", () =>
  withFolder((folder) => {
    const run = join(folder, "run");
    for (const [letter, size] of [["a", 30], ["b", 60], ["c", 30], ["d", 30]] as const) {
      Deno.writeFileSync(join(run, "images", ID(letter)), new Uint8Array(size));
    }
    const images = embeddedImages([join(folder, "none"), run], { each: 50, together: 140 });
    assert.deepEqual(images(ID("a")), { href: `data:image/png;base64,${"A".repeat(40)}` });
    assert.match((images(ID("b")) as { why: string }).why, /^The image is not shown: its file has 1 kB/);
    assert("href" in images(ID("c")));
    assert.match(
      (images(ID("d")) as { why: string }).why,
      /^The image is not shown: the page has 1 kB of images already/,
    );
    assert.match((images(ID("9")) as { why: string }).why, /^The image is not in the run's folder images/);
    assert("why" in embeddedImages([])(ID("a")));
  }));
