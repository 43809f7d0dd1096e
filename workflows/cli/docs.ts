/**
 * Writes what is generated: the README's table of commands, docs/rules.md, docs/methods.md,
 * docs/visual_rewards.md, docs/preflight.md, the two JSON schemas, the notebooks' cells.
 *
 *     deno task docs           # writes; a test fails while one of them is not current
 * @module
 */
import { join } from "node:path/posix";
import { z } from "zod";
import { STEPS } from "../../steps/mod.ts";
import { rulesPage } from "../../steps/diagnoses/explain.ts";
import { COMMANDS } from "./mod.ts";
import { methodsPage } from "./methods_page.ts";
import { DIAGNOSIS_SCHEMA } from "../doctor/json_report.ts";
import { codeOf, parseNotebook } from "../explore/notebook_cells.ts";
import { writeJsonSchema } from "../language/json_schema.ts";
import { preflightPage } from "./preflight_page.ts";
import { visualRewardsPage } from "./visual_rewards_page.ts";

const ROOT = new URL("../../", import.meta.url);

/** The README with its table of commands between the two marks. Throws a SyntaxError when the marks are missing. */
export function withCommands(readme: string, table: string): string {
  const marks = /(<!-- commands -->\n)[^]*?(<!-- \/commands -->)/;
  if (!marks.test(readme)) {
    throw new SyntaxError("Cannot write the table of commands: README.md has no <!-- commands --> marks");
  }
  return readme.replace(marks, (_, open: string, close: string) => `${open}${table}\n${close}`);
}

/** Markdown: one row per command. */
export async function commandTable(): Promise<string> {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()));
  const rows = commands.map((c) => `| \`deno task ${`${c.name} ${cell(c.usage)}`.trim()}\` | ${cell(c.about)} |`);
  return ["| command | does |", "| --- | --- |", ...rows].join("\n");
}

/** The cells of a notebook as a module below tests/notebooks, so that its types are checked with all others. */
export function cellsModule(notebook: string): string {
  const code = codeOf(parseNotebook(notebook, "the notebook")).map((text) => text.replace(/;?\s*$/, ";\n"));
  const text = code.join("").replaceAll(
    / from "(\.[^"]+)"/g,
    (_, path) => ` from "${join("../../../notebooks", path)}"`,
  );
  return `// Cells of a notebook, written by deno task docs.\n// deno-lint-ignore-file\n// deno-fmt-ignore-file\n${text}`;
}

/** The cells of every notebook, by the path of the module that holds them. */
async function cellModules(): Promise<[string, string][]> {
  const folder = new URL("notebooks/", ROOT);
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => name.endsWith(".ipynb")).sort();
  return await Promise.all(names.map(async (name): Promise<[string, string]> => [
    `tests/notebooks/cells/${name.replace(".ipynb", ".ts")}`,
    cellsModule(await Deno.readTextFile(new URL(name, folder))),
  ]));
}

/** Every generated file: path from the project's root to its text. */
export async function generatedFiles(): Promise<Map<string, string>> {
  return new Map([
    ...await cellModules(),
    ["README.md", withCommands(await Deno.readTextFile(new URL("README.md", ROOT)), await commandTable())],
    ["docs/rules.md", rulesPage()],
    ["docs/methods.md", methodsPage()],
    ["docs/visual_rewards.md", visualRewardsPage()],
    ["docs/preflight.md", preflightPage()],
    ["diagnosis.schema.json", JSON.stringify(z.toJSONSchema(DIAGNOSIS_SCHEMA, { target: "draft-7" }), null, 2) + "\n"],
    ["workflow.schema.json", writeJsonSchema(STEPS)],
  ]);
}

if (import.meta.main) {
  for (const [path, text] of await generatedFiles()) await Deno.writeTextFile(new URL(path, ROOT), text);
}
