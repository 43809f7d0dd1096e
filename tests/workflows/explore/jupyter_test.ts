import assert from "node:assert/strict";
import { join } from "node:path";
import { findJupyter, installLine, writeKernel } from "../../../workflows/explore/jupyter.ts";

Deno.test("findJupyter() takes a virtual environment beside the caller before PATH, and null where there is none", () => {
  const there = (program: string, prints = "4.6.4\n") => (name: string) => name === program ? prints : null;
  assert.equal(findJupyter(["/a", "/b"], there("/b/.venv/bin/jupyter-lab"))?.program, "/b/.venv/bin/jupyter-lab");
  assert.deepEqual(findJupyter(["/a"], there("jupyter")), { program: "jupyter", args: ["lab"], version: 4 });
  assert.equal(findJupyter(["/a"], there("jupyter-lab", "a warning\n3.2.1\n"))?.version, 3);
  assert.equal(findJupyter(["/a"], there("jupyter-lab", "usage: jupyter\n")), null);
  assert.equal(findJupyter(["/a"], () => null), null);
});

Deno.test("installLine() is one command, by what the machine has", () => {
  assert.equal(installLine((name) => name === "uv" ? "" : null), "uv tool install jupyterlab");
  assert.equal(installLine((name) => name === "pipx" ? "" : null), "pipx install jupyterlab");
  assert.match(installLine(() => null), /^python3 -m venv \.venv && \.venv\/bin\/pip install jupyterlab$/);
});

Deno.test("writeKernel() puts the kernel where JUPYTER_PATH finds it, with the deno that is given", async () => {
  const folder = await Deno.makeTempDir();
  try {
    writeKernel(folder, "/opt/deno");
    const kernel = JSON.parse(await Deno.readTextFile(join(folder, "kernels", "deno", "kernel.json")));
    assert.deepEqual(kernel.argv, ["/opt/deno", "jupyter", "--kernel", "--conn", "{connection_file}"]);
    assert.equal(kernel.display_name, "Deno");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
