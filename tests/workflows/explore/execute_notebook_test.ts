import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CellError, executeNotebook } from "../../../workflows/explore/execute_notebook.ts";

const PATHS = new URL("../../../workflows/terminal/paths.ts", import.meta.url).href;
const config = fileURLToPath(new URL("../../../deno.json", import.meta.url));

async function withNotebook(
  code: readonly string[],
  body: (path: string, folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir(), path = join(folder, "a b.ipynb");
  try {
    const cells = code.map((source, i) => ({ cell_type: "code", id: `c${i}`, metadata: {}, source, outputs: [] }));
    await Deno.writeTextFile(path, JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }));
    await body(path, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("executeNotebook() runs the cells in the notebook's folder and writes what they show into it", () =>
  withNotebook(["const a = 2;", 'console.log(a + 1, Deno.readTextFileSync("data.txt"));'], async (path, folder) => {
    await Deno.writeTextFile(join(folder, "data.txt"), "x");
    await executeNotebook(path, { config, keep: true });
    const { cells } = JSON.parse(await Deno.readTextFile(path));
    assert.deepEqual(cells[1].outputs, [{ output_type: "stream", name: "stdout", text: ["3 x\n"] }]);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["a b.ipynb", "data.txt"]);
  }));

Deno.test("executeNotebook() shows what a cell comes to, and what it prints as a cell of the kernel does", () =>
  withNotebook(["const a = [1, 2];\na", 'console.log("%d of %s", 1, "x");\nconsole.error("no");'], async (path) => {
    await executeNotebook(path, { config, keep: true });
    const { cells } = JSON.parse(await Deno.readTextFile(path));
    assert.deepEqual(cells[0].outputs, [
      { output_type: "execute_result", execution_count: 1, data: { "text/plain": "[ 1, 2 ]" }, metadata: {} },
    ]);
    assert.deepEqual(cells[1].outputs, [
      { output_type: "stream", name: "stdout", text: ["1 of x\n"] },
      { output_type: "stream", name: "stderr", text: ["no\n"] },
    ]);
  }));

/** What the cells of a notebook leave in it where one fails, and how that is told. */
async function failed(code: readonly string[]) {
  let message = "", cells: { outputs: Record<string, unknown>[]; execution_count: number | null }[] = [];
  await withNotebook(code, async (path, folder) => {
    await assert.rejects(executeNotebook(path, { config, keep: true, shown: "n.ipynb" }), (error: unknown) => {
      message = (error as Error).message;
      return error instanceof CellError;
    });
    cells = JSON.parse(await Deno.readTextFile(path)).cells;
    assert.equal([...Deno.readDirSync(folder)].length, 1);
  });
  return { message, cells };
}

for (
  const [what, code, told] of [
    ["throws", 'const a = 1;\nthrow new Error("broken");', 'line 2: Error: broken\n    throw new Error("broken");'],
    [
      "calls what throws",
      "const f = (x: number) => x;\n\n  f.call.nothing();",
      /^line 3: TypeError: .*\n {4}f\.call\.nothing\(\);$/,
    ],
    ["is no TypeScript", "const a = ;", "line 1: SyntaxError: Expression expected\n    const a = ;"],
    [
      "imports what is not there",
      'const b = 1;\nimport { x } from "./no.ts";',
      /^line 2: TypeError: Module not found .*\n {4}import \{ x \} from "\.\/no\.ts";$/,
    ],
    [
      "rejects later",
      "setTimeout(() => Promise.reject(new Error('late')), 1);\nawait new Promise((done) => setTimeout(done, 1000));",
      /^line 1: Error: late\n/,
    ],
    ["ends the process", "Deno.exit(3);", /^line 1: Exit: the process ended with exit code 3\n/],
    ["throws what is no error", "throw 5;", /^line 1: Error: 5\n/],
  ] as const
) {
  Deno.test(`executeNotebook() says which cell ${what}, and keeps what those before it showed`, async () => {
    const { message, cells } = await failed(["console.log(1);", code, "console.log(3);"]);
    const start = "Cannot run n.ipynb, cell [2], ";
    assert(message.startsWith(start), message);
    if (typeof told === "string") assert.equal(message.slice(start.length), told);
    else assert.match(message.slice(start.length), told);
    assert.deepEqual(cells[0]!.outputs.map(({ text }) => text), [["1\n"]]);
    const [error] = cells[1]!.outputs;
    assert.deepEqual([error!["output_type"], message.includes(String(error!["evalue"]))], ["error", true]);
    assert.doesNotMatch(JSON.stringify(error), /\.tmp-|capture\.ts/);
    assert.deepEqual([cells[2]!.outputs, cells[2]!.execution_count], [[], null]);
  });
}

Deno.test("executeNotebook() reads paths in a cell as relative to the notebook, wherever it was called from", () =>
  withNotebook(
    [`import { pathArgument } from ${JSON.stringify(PATHS)};\nconsole.log(pathArgument("x"));`],
    async (path, folder) => {
      Deno.env.set("INIT_CWD", "/elsewhere");
      try {
        const [cell] = await executeNotebook(path, { config, keep: false });
        assert.deepEqual(cell![0]!["text"], [`${join(await Deno.realPath(folder), "x")}\n`]);
      } finally {
        Deno.env.delete("INIT_CWD");
      }
    },
  ));

Deno.test({
  name: "executeNotebook() writes through a link, and leaves a file its permissions",
  ignore: Deno.build.os === "windows",
  fn: () =>
    withNotebook(["1 + 1"], async (path, folder) => {
      const link = join(folder, "link.ipynb");
      await Deno.symlink(path, link);
      await Deno.chmod(path, 0o600);
      await executeNotebook(link, { config, keep: true });
      assert((await Deno.lstat(link)).isSymlink);
      assert.equal((await Deno.stat(path)).mode! & 0o777, 0o600);
      assert.match(await Deno.readTextFile(path), /"execution_count": 1/);
    }),
});
