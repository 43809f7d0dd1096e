import assert from "node:assert/strict";
import { join } from "node:path";
import { sizeOfId } from "../../../data/images/image_id.ts";
import { ImageStore } from "../../../data/images/image_store.ts";
import { goldenImage } from "./image_goldens.ts";

async function withStore(body: (store: ImageStore, folder: string) => Promise<void>) {
  const folder = await Deno.makeTempDir();
  try {
    await body(new ImageStore(join(folder, "images")), join(folder, "images"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name);

Deno.test("ImageStore keeps the bytes as given, once, under the size that a person sees", () =>
  withStore(async (store, folder) => {
    const bytes = goldenImage("turned_6.jpg");
    const id = await store.put(bytes, "a.jpg");
    assert.equal(await store.put(bytes.slice(), "b.jpg"), id);
    assert.deepEqual(sizeOfId(id), { width: 18, height: 24 });
    assert.deepEqual(names(folder), [id]);
    assert.deepEqual(store.bytes(id), bytes);
    assert.equal(store.path(id), join(folder, id));
    assert(store.has(id));
  }));

Deno.test("ImageStore refuses a broken image when it is put, and leaves nothing behind", () =>
  withStore(async (store, folder) => {
    const whole = goldenImage("rgb.jpg");
    await assert.rejects(
      store.put(whole.subarray(0, whole.length - 60), "row 2"),
      /^RangeError: Cannot read image row 2: its/,
    );
    await assert.rejects(store.put(goldenImage("moving.gif"), "row 3"), /Cannot read image row 3: it is a GIF/);
    assert.throws(() => names(folder), Deno.errors.NotFound);
  }));

Deno.test("ImageStore names an image that is not there, and takes no path for an id", () =>
  withStore((store) => {
    const id = `${"0".repeat(32)}-4x4.png`;
    assert(!store.has(id));
    assert.throws(
      () => store.bytes(id),
      /Cannot find image 0{32}-4x4\.png: it is not in images, which load_prompts writes/,
    );
    assert.throws(() => store.path(`../${id}`), /Cannot find image "\.\.\/0+-4x4\.png": it is no image id/);
    return Promise.resolve();
  }));

Deno.test("ImageStore.keep() looks at the header alone, tells what is new, and remove() takes it out", () =>
  withStore((store, folder) => {
    const bytes = goldenImage("rgb.jpg").subarray(0, 690), first = store.keep(bytes, "a");
    assert.deepEqual([first.isNew, store.keep(bytes, "a")], [true, { id: first.id, isNew: false }]);
    store.remove(first.id);
    assert.deepEqual(names(folder), []);
    return Promise.resolve();
  }));

Deno.test("ImageStore.keep() writes a file again that is no longer what it was, and is not new for that", () =>
  withStore((store, folder) => {
    const bytes = goldenImage("rgb.png"), { id } = store.keep(bytes, "a");
    for (const other of [goldenImage("grey.png"), bytes.subarray(0, bytes.length - 1), new Uint8Array()]) {
      Deno.writeFileSync(store.path(id), other);
      assert.deepEqual(store.keep(bytes, "a"), { id, isNew: false });
      assert.deepEqual(store.bytes(id), bytes);
    }
    assert.deepEqual(names(folder), [id]);
    return Promise.resolve();
  }));

Deno.test("ImageStore names a file that is no longer what it was, in whatever byte", () =>
  withStore(async (store) => {
    const bytes = goldenImage("rgb.png"), id = await store.put(bytes, "a.png");
    for (const at of [0, 40, bytes.length - 1]) {
      const other = bytes.slice();
      other[at]! ^= 1;
      Deno.writeFileSync(store.path(id), other);
      assert.throws(() => store.bytes(id), {
        name: "RangeError",
        message:
          `Cannot read image ${id}: its bytes are others than when it was stored, want the file whose content has this ` +
          "name; copy it there again, begin the run again with --from-start, or load the prompts in a new run",
      });
    }
    Deno.writeFileSync(store.path(id), bytes);
    assert.deepEqual(store.bytes(id), bytes);
  }));
