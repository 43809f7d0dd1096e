/** The step load_prompts on annotations of images. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { loadPrompts } from "../../steps/load_prompts.ts";
import { stepContext } from "./contexts/reward_steps.ts";

/** Grey images of 8 × 6 and 6 × 8 pixels. */
const IMAGES = {
  "a.png":
    "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAGCAAAAADbboAnAAAAPklEQVR42mNg4BSSVtE1s2dg5RNX0DSydmHgEpZR1TN38GTgl1DUMrZx9WMQkVXTt3D0CmaQVNI2sXXzjwAAvX4IQVuEk+sAAAAASUVORK5CYII=",
  "b.png":
    "iVBORw0KGgoAAAANSUhEUgAAAAYAAAAICAAAAAD/rdHkAAAAQElEQVR42mNg4BSSVtFlYOUTV9A0YuASllHVM2fgl1DUMrZhEJFV07dwZJBU0jaxdWOQUzewdPJmUNYxtXMPAACq2AeBPouIUAAAAABJRU5ErkJggg==",
};

const FILE = {
  images: [{ id: 1, file_name: "a.png", width: 8, height: 6 }, { id: 2, file_name: "b.png", width: 6, height: 8 }],
  annotations: [
    { id: 1, image_id: 1, category_id: 1, bbox: [0, 0, 4, 3] },
    { id: 2, image_id: 2, category_id: 2, bbox: [3, 4, 3, 4] },
  ],
  categories: [{ id: 1, name: "dog" }, { id: 2, name: "bus" }],
};

async function load(given: Record<string, unknown>, file: unknown = FILE) {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, bytes] of Object.entries(IMAGES)) {
      await Deno.writeFile(join(folder, name), Uint8Array.from(atob(bytes), (one) => one.charCodeAt(0)));
    }
    await Deno.writeTextFile(join(folder, "instances.json"), JSON.stringify(file));
    const { tables, outputs } = await loadPrompts.run(
      loadPrompts.params.parse({ file: "instances.json", splits: { train: 1, validation: 0, held_out: 0 }, ...given }),
      stepContext({}, { workflow: folder }),
    );
    return { rows: tables!["prompts"]!.objects() as Record<string, unknown>[], outputs: outputs! };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("load_prompts asks annotated images for their categories", async () => {
  const { rows, outputs } = await load({});
  const told = (row: Record<string, unknown>) =>
    ["answer", "split", "image_id", "category", "category_split", "verifier"].map((name) => row[name]);
  const of = (category: string) => told(rows.find((row) => row["category"] === category)!);
  const answer = (position: string) => `<answer>[{'Position': [${position}], 'Confidence': 1}]</answer>`;
  assert.deepEqual(of("dog"), [answer("0, 0, 500, 500"), "train", 1, "dog", "base", "none"]);
  assert.deepEqual(of("bus"), [answer("500, 500, 1000, 1000"), "train", 2, "bus", "base", "none"]);
  assert.deepEqual([rows.length, outputs["train"], outputs["unreadable"]], [2, 2, 0]);
});

Deno.test("load_prompts hands on what is asked of annotations, and keeps further columns", async () => {
  const detection = { categories: ["bus"], box_unit: "pixels", prompt_template: "Any {category}?" };
  const { rows } = await load({ detection, columns: ["width"] });
  assert.equal(rows.length, 1);
  assert.match(String(rows[0]!["prompt"]), /Any bus\?/);
  assert.match(String(rows[0]!["answer"]), /\[3, 4, 6, 8\]/);
  assert.deepEqual([rows[0]!["width"], rows[0]!["image_id"]], [6, 2]);
});

Deno.test("load_prompts names a bad annotation, or leaves out its category of its image", async () => {
  const bad = {
    ...FILE,
    annotations: [...FILE.annotations, { id: 3, image_id: 2, category_id: 2, bbox: [0, 0, 60, 5] }],
  };
  await assert.rejects(
    load({}, bad),
    /Cannot load prompts from instances.json: "bus" in image 2: annotation 3 has bbox .* 54 pixels beyond .*; mend it, or set/,
  );
  const { rows, outputs } = await load({ unreadable: "skip" }, bad);
  assert.deepEqual([rows.map((row) => row["category"]), outputs["unreadable"]], [["dog"], 1]);
});

Deno.test("load_prompts refuses detection for a task, and for rows", async () => {
  const params = loadPrompts.params.parse({ task: "addition", detection: {} });
  assert.match(loadPrompts.check!(params)[0]!, /Cannot use "detection": the prompts are a task's/);
  await assert.rejects(load({ detection: {} }, [{ prompt: "a", answer: "b" }]), /has no annotations of images/);
});
