import assert from "node:assert/strict";
import { join } from "node:path";
import { FINGERPRINT, otherBase } from "../../../data/hub/adapter_base.ts";
import { baseFingerprint } from "../../../data/hub/base_fingerprint.ts";
import { readAdapter } from "../../../data/hub/peft_adapter.ts";
import { openModelTensors } from "../../../data/hub/model_tensors.ts";
import { writeSafetensors } from "../../../data/hub/safetensors_write.ts";
import { editJson, modelFolder } from "../../steps/contexts/model_folders.ts";
import { withCached } from "./remote/cached.ts";

/** A model, one of the same shapes, and an adapter. */
function withFolders(body: (folders: Record<"model" | "other" | "adapter", string>) => void): void {
  const root = Deno.makeTempDirSync();
  try {
    const [model, other, adapter] = [["qwen2", "Tiny-0.5B"], ["qwen2", "other"], ["qwen2_lora", "adapter"]].map((
      [name, as],
    ) => modelFolder(root, name!, { as: as!, tokenizer: false })) as [string, string, string];
    changeWeights(other);
    body({ model, other, adapter });
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

/** Every weight half as large. */
function changeWeights(folder: string): void {
  using file = openModelTensors(folder);
  const tensors = new Map([...file.tensors].map(([name, { shape }]) => {
    return [name, { shape, data: file.float32(name).map((x) => x / 2) }];
  }));
  Deno.removeSync(join(folder, "model.safetensors"));
  writeSafetensors(join(folder, "model.safetensors"), tensors);
}

/** Writes what the adapter says of its base. */
function upon(adapter: string, base: string | null, fingerprint: string | null = null): void {
  editJson(join(adapter, "adapter_config.json"), (json) => json["base_model_name_or_path"] = base);
  if (fingerprint === null) return;
  using file = openModelTensors(adapter, "adapter_model");
  const tensors = new Map([...file.tensors].map(([name, { shape }]) => [name, { shape, data: file.float32(name) }]));
  Deno.removeSync(join(adapter, "adapter_model.safetensors"));
  writeSafetensors(join(adapter, "adapter_model.safetensors"), tensors, {
    metadata: { format: "pt", [FINGERPRINT]: fingerprint },
  });
}

Deno.test("otherBase() tells of a name that the model does not go by, and is silent on one that it does", () =>
  withFolders(({ model, other, adapter }) => {
    for (const base of [null, "", "org/Tiny-0.5B", "org/tiny-0.5b", model, "../Tiny-0.5B", "/gone/Tiny-0.5B"]) {
      upon(adapter, base);
      assert.equal(otherBase(adapter, model), null, `${base}`);
    }
    for (const base of ["org/Tiny-1.5B", other, "../other", "/gone/model"]) {
      upon(adapter, base);
      const found = otherBase(adapter, model);
      assert.equal(found!.certain, false);
      assert.match(
        found!.text,
        /^its adapter_config\.json says that it was trained upon .*, and the model is .*Tiny-0\.5B/,
      );
    }
    // A folder that was renamed says what it was; a copy elsewhere has the same weights.
    editJson(join(model, "config.json"), (json) => json["_name_or_path"] = "org/Tiny-1.5B");
    upon(adapter, "org/Tiny-1.5B");
    assert.equal(otherBase(adapter, model), null);
    const copy = modelFolder(join(model, ".."), "qwen2", { as: "copy", tokenizer: false });
    upon(adapter, copy);
    assert.equal(otherBase(adapter, model), null);
  }));

Deno.test("otherBase() is certain where our own fingerprint of the base differs, whatever the names say", () =>
  withFolders(({ model, other, adapter }) => {
    upon(adapter, "org/Tiny-0.5B", baseFingerprint(other));
    const found = otherBase(adapter, model);
    assert.equal(found!.certain, true);
    assert.match(
      found!.text,
      /^it was trained upon other weights \(org\/Tiny-0\.5B\) than those in .*Tiny-0\.5B: the finger/,
    );
    upon(adapter, "org/another", baseFingerprint(model));
    assert.equal(otherBase(adapter, model), null);
    using own = openModelTensors(model);
    const rounded = new Map([...own.tensors].map(([name, { shape }]) => [name, { shape, data: own.float32(name) }]));
    writeSafetensors(join(other, "model.safetensors"), rounded, { dtype: "F16" });
    upon(adapter, "org/another", baseFingerprint(other));
    const near = otherBase(adapter, model);
    assert.equal(near!.certain, false, "a copy as float16 is no other model");
    assert.match(near!.text, /^it was trained upon weights \(org\/another\) that differ a little from those in/);
  }));

Deno.test("otherBase() compares what PEFT saved of the model beneath an adapter on its head", () =>
  withFolders(({ model, other, adapter }) => {
    upon(adapter, "org/Tiny-0.5B");
    const name = "model.layers.0.mlp.up_proj.weight", path = join(adapter, "adapter_model.safetensors");
    const hold = (from: string) => {
      using own = openModelTensors(adapter, "adapter_model");
      using file = openModelTensors(from);
      const tensors = new Map(
        [...own.tensors].map(([name, { shape }]) => [name, { shape, data: own.float32(name) }]),
      );
      const held = { shape: file.tensors.get(name)!.shape, data: file.float32(name) };
      tensors.set(`base_model.model.${name.replace(".weight", ".base_layer.weight")}`, held);
      Deno.removeSync(path);
      writeSafetensors(path, tensors);
      return otherBase(adapter, model);
    };
    assert.equal(hold(model), null);
    assert.equal(readAdapter(adapter).saved.size, 0);
    const found = hold(other)!;
    assert.equal(found.certain, true);
    assert.match(
      found.text,
      /^it was trained upon another "model\.layers\.0\.mlp\.up_proj\.weight" than that in .*grow\?/,
    );
  }));

Deno.test("otherBase() of a model of the Hub goes by its name and commit", () =>
  withCached({ "org/tiny": "tests/models/qwen2" }, ({ "org/tiny": snapshot }) =>
    withFolders(({ adapter }) => {
      const at = (base: string, revision: string | null) => {
        editJson(join(adapter, "adapter_config.json"), (json) => Object.assign(json, { revision }));
        upon(adapter, base);
        return otherBase(adapter, snapshot!);
      };
      assert.deepEqual([at("org/tiny", null), at("Org/Tiny", "main"), at("org/tiny", "1".repeat(40))], [
        null,
        null,
        null,
      ]);
      assert.match(
        at("org/tiny", "2".repeat(40))!.text,
        /trained upon org\/tiny at 2{40}, and the model is org\/tiny at 1{40}/,
      );
      assert.match(
        at("org/tiny-instruct", null)!.text,
        /trained upon org\/tiny-instruct, and the model is org\/tiny at/,
      );
    })));
