import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inProcess } from "./in_process.ts";

const NOTEBOOK = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: {},
  cells: [{
    cell_type: "code",
    id: "a",
    metadata: {},
    source: 'console.log("ran");',
    outputs: [],
    execution_count: null,
  }],
};

Deno.test("notebook --execute runs a notebook and writes what it shows, without Jupyter", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "n.ipynb");
    await Deno.writeTextFile(path, JSON.stringify(NOTEBOOK));
    const { code, out } = await inProcess(["notebook", "--execute", path]);
    assert.equal(code, 0);
    assert.match(out, /n\.ipynb: 1 cells, 0 charts, [\d.]+ s/);
    assert.match(await Deno.readTextFile(path), /"ran\\n"/);
    await Deno.writeTextFile(path, JSON.stringify(NOTEBOOK).replace("console.log", "no_such"));
    const failed = await inProcess(["notebook", "--execute", path]);
    assert.deepEqual([failed.code, /no_such is not defined/.test(failed.err)], [1, true]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("notebook refuses what it cannot open, exit 2", async () => {
  for (
    const [words, problem] of [
      [["no_such"], /there is no such notebook/],
      [["deno.json"], /it is no notebook/],
      [["--execute"], /want the notebooks to run/],
      [["01_first_run", "02_inside_a_train_step"], /want one, or --execute/],
      [["--port", "x"], /want a number from 0 to 65535/],
      [["--port", "70000"], /want a number from 0 to 65535/],
      [["--execute", "01_first_run", "--", "--debug"], /Cannot pass --debug on: --execute starts no JupyterLab/],
    ] as const
  ) {
    const { code, err } = await inProcess(["notebook", ...words]);
    assert.equal(code, 2, words.join(" "));
    assert.match(err, problem);
  }
});

Deno.test("notebook --execute refuses what is no notebook in one line, and runs the others", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const [bad, good, none] = ["bad", "good", "none"].map((name) => join(folder, `${name}.ipynb`));
    await Deno.writeTextFile(bad!, "{");
    await Deno.writeTextFile(good!, JSON.stringify(NOTEBOOK));
    await Deno.writeTextFile(none!, JSON.stringify({ ...NOTEBOOK, cells: [] }));
    const { code, out, err } = await inProcess(["notebook", "--execute", bad!, good!, none!]);
    assert.equal(code, 1);
    assert.match(err, /^Cannot read .*bad\.ipynb as a Jupyter notebook: it is no JSON .*$/m);
    assert.doesNotMatch(err, /^\s+at /m);
    assert.match(out, /good\.ipynb: 1 cells, .*\n.*none\.ipynb: 0 cells, 0 charts/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** What notebook starts in place of JupyterLab: it prints how it was started. */
const FAKE = `#!/bin/sh
if [ "$1" = --version ]; then echo VERSION; exit; fi
echo "args: $*"
echo "cwd set by the task: $INIT_CWD; kernels: $JUPYTER_PATH"
exit 7
`;

Deno.test({
  name: "notebook starts JupyterLab of .venv with our kernel and what follows --; warns of an old one; as root says so",
  ignore: Deno.build.os === "windows",
  fn: async () => {
    const folder = await Deno.makeTempDir(), program = join(folder, ".venv/bin/jupyter-lab");
    const main = fileURLToPath(new URL("../../../workflows/cli/main.ts", import.meta.url));
    try {
      await Deno.mkdir(join(folder, ".venv/bin"), { recursive: true });
      for (const version of ["4.6.4", "3.1.0"]) {
        await Deno.writeTextFile(program, FAKE.replace("VERSION", version), { mode: 0o755 });
        const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
          args: ["run", "-A", "-q", "--no-check", main, "notebook", "--no-browser", "--port", "8123", "--", "--debug"],
          env: { INIT_CWD: folder, NO_COLOR: "1" },
        }).output();
        const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)) as [string, string];
        const root = Deno.uid() === 0;
        assert.equal(code, 7);
        assert.match(
          out,
          new RegExp(`^args: .*notebooks --no-browser --port=8123${root ? " --allow-root" : ""} --debug$`, "m"),
        );
        assert.match(out, /cwd set by the task: ; kernels: .*\.jupyter/);
        assert.equal(/--allow-root/.test(err), root);
        assert.equal(/JupyterLab 3 is older/.test(err), version === "3.1.0");
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
