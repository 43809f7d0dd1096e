import assert from "node:assert/strict";
import { join } from "node:path";
import { openRuntime } from "../../../gpu/session.ts";
import { policyFromFolder, requireTemplate, scorerFromFolder } from "../../../steps/resources/open_policy.ts";
import { folderSource } from "../../../steps/resources/model_source.ts";
import { editJson, modelFolder } from "../contexts/model_folders.ts";

const CONVERSATION = JSON.stringify([{ role: "user", content: "1+2=" }]);

Deno.test("policyFromFolder() reads a folder, and a list of messages by its chat template; a scorer wants a scalar head", async () => {
  const root = Deno.makeTempDirSync();
  try {
    const folder = modelFolder(root, "qwen2"), tokenizer = join(folder, "tokenizer_config.json");
    editJson(tokenizer, (config) => config["chat_template"] = "{% for m in messages %}[{{ m.content }}]{% endfor %}");
    const runtime = await openRuntime({ backend: "ffi", device: "cpu", threads: 1 });
    const policy = policyFromFolder(runtime, folder, { chat: { always: false }, images: folder });
    assert.equal(policy.tokenizer.decode(policy.encodePrompt(CONVERSATION, 1)), "[1+2=]");
    assert.equal(policy.tokenizer.decode(policy.encodePrompt("1+2=", 1)), "1+2=");
    assert.throws(() => scorerFromFolder({ deterministic: false, images: folder }, runtime, folder, false), {
      name: "TypeError",
      message: /qwen2 has a language head, want a model for sequence classification/,
    });
    policy.release();

    editJson(tokenizer, (config) => config["chat_template"] = "{{ raise_exception('never') }}");
    const broken = folderSource(folder).tokenizer;
    const refused =
      /^Cannot render the chat template \(.*qwen2\/tokenizer_config\.json, line 1 of chat_template\): never$/;
    assert.throws(() => requireTemplate(broken, { always: true }), { name: "SyntaxError", message: refused });
    assert.match(String(requireTemplate(broken, { always: false })), refused);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
