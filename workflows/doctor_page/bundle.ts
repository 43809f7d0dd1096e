/** Makes one program for a browser of ours: no import is left, none of a disk, of Deno or of Node. @module */
import type { BuildFailure } from "esbuild";
import { relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const HERE = new URL("in_browser/", import.meta.url);

const inBrowser = (name: string) => fileURLToPath(new URL(name, HERE));

/** What a browser has in place of modules of ours, by their path from the project's folder. */
const REPLACED: Readonly<Record<string, string>> = {
  "data/adapters/run_folder.ts": inBrowser("left_out.ts"),
  "data/adapters/mlflow.ts": inBrowser("left_out.ts"),
  "data/adapters/sqlite.ts": inBrowser("left_out.ts"),
  "workflows/terminal/command_line.ts": inBrowser("command_line.ts"),
};

/** And of Node's. */
const NODE: Readonly<Record<string, string>> = {
  "node:path": inBrowser("node_path.ts"),
  "node:zlib": inBrowser("node_zlib.ts"),
};

/**
 * Bundles the program whose entry is at `url`, minified. Throws TypeError where it needs what no browser has, Error where
 * there is no bundler for this machine.
 */
export async function bundle(url: URL): Promise<string> {
  const foreign: string[] = [], { build, stop } = await import("esbuild");
  try {
    const { outputFiles: [file] } = await build({
      entryPoints: [fileURLToPath(url)],
      absWorkingDir: ROOT,
      bundle: true,
      write: false,
      minify: true,
      legalComments: "none",
      charset: "utf8",
      format: "iife",
      platform: "browser",
      target: "es2022",
      logLevel: "silent",
      alias: { "@deno/std": "deno-std" },
      tsconfigRaw: {},
      plugins: [{
        name: "in a browser",
        setup(plugin) {
          plugin.onResolve({ filter: /^node:/ }, ({ path, importer }) => {
            const instead = NODE[path];
            if (instead !== undefined) return { path: instead };
            foreign.push(`${relative(ROOT, importer)} imports ${path}`);
            return { path, external: true };
          });
          plugin.onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir }) => {
            const instead = REPLACED[relative(ROOT, resolve(resolveDir, path)).split(sep).join("/")];
            return instead === undefined ? undefined : { path: instead };
          });
        },
      }],
    });
    const program = file!.text;
    const named = [...new Set(program.match(/\bDeno\.\w+/g) ?? [])].map((name) => `it asks for ${name}`);
    if (foreign.length + named.length > 0) {
      throw new TypeError(`Cannot make a program for a browser: ${[...foreign, ...named].join("; ")}`);
    }
    return program;
  } catch (error) {
    if (error instanceof TypeError) throw error;
    const { errors: [first] = [], message } = error as BuildFailure;
    const where = first?.location ? `${first.location.file}:${first.location.line}: ` : "";
    const what = first === undefined ? `${message.split("\n")[0]}; want esbuild as deno install gives it` : first.text;
    throw new Error(`Cannot make a program for a browser: ${where}${what}`, { cause: error });
  } finally {
    await stop();
  }
}
