import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

Deno.test("a program that imports capture first is in a notebook: show() and console.log() go to the cell", async () => {
  const at = (path: string) => new URL(`../../../${path}`, import.meta.url).href;
  const out = await Deno.makeTempFile();
  try {
    const program = `import { capture } from "${at("workflows/explore/capture.ts")}";
import { isNotebook, show } from "${at("notebooks/display.ts")}";
capture.begin(0);
console.log(isNotebook(), { a: 1 });
await show("text");
await capture.end(${JSON.stringify(out)});`;
    const config = fileURLToPath(at("deno.json"));
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "-q", "--no-check", "--config", config, "-"],
      stdin: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(program));
    await writer.close();
    assert.equal((await child.status).code, 0);
    assert.deepEqual(JSON.parse(await Deno.readTextFile(out)), [[
      { output_type: "stream", name: "stdout", text: ["true { a: 1 }\n"] },
      { output_type: "display_data", data: { "text/plain": "text" }, metadata: {} },
    ]]);
  } finally {
    await Deno.remove(out);
  }
});
