import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Captured } from "../../../workflows/explore/capture.ts";

const at = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** Runs a program as that of a notebook. */
async function captured(program: string): Promise<Captured> {
  const folder = await Deno.makeTempDir();
  try {
    const [file, outputs] = [join(folder, "a.js"), join(folder, "out.json")];
    await Deno.writeTextFile(file, program);
    const flags = ["-A", "-q", "--no-check", "--config", at("deno.json")];
    const args = ["run", ...flags, at("workflows/explore/capture.ts"), file, outputs];
    await new Deno.Command(Deno.execPath(), { args, env: { NO_COLOR: "1" }, stderr: "null" }).output();
    return JSON.parse(await Deno.readTextFile(outputs));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const BEGIN = 'const kernel = globalThis[Symbol.for("nonzero.kernel")];\nkernel.begin(0);\n';
const DISPLAY = JSON.stringify(new URL("../../../notebooks/display.ts", import.meta.url).href);

Deno.test("a program that capture runs is in a notebook: show() and console.log() go to the cell", async () => {
  const { outputs, thrown, isOver } = await captured(`${BEGIN}
const { isNotebook, show } = await import(${DISPLAY});
console.log(isNotebook(), { a: 1 });
await show("text");`);
  assert.deepEqual([thrown, isOver], [null, true]);
  assert.deepEqual(outputs, [[
    { output_type: "stream", name: "stdout", text: ["true { a: 1 }\n"] },
    { output_type: "display_data", data: { "text/plain": "text" }, metadata: {} },
  ]]);
});

Deno.test("what a program throws is told with its line; what it showed before is kept", async () => {
  const { outputs, thrown } = await captured(`${BEGIN}console.log(1);\nthrow new RangeError("far");`);
  assert.deepEqual(thrown, { name: "RangeError", message: "far", line: 3 });
  assert.equal(outputs[0]!.length, 1);
});

Deno.test("a program that ends its process leaves what it showed until then", async () => {
  const { outputs, isOver } = await captured(`${BEGIN}console.log(1);\nDeno.exit(4);`);
  assert.deepEqual([outputs[0]!.length, isOver], [1, false]);
});
