/** What the README and CONTRIBUTING promise is there: the tree, links, commands, examples that parse. */
import assert from "node:assert/strict";
import { STEPS } from "../steps/mod.ts";
import { PLAIN_VERIFIERS } from "../data/tasks/verifiers/mod.ts";
import { EXIT, EXIT_TEXT } from "../workflows/cli/failures.ts";
import { KINDS } from "../workflows/cli/scaffold/kinds.ts";
import { helpText } from "../workflows/cli/help_text.ts";
import { readArguments } from "../workflows/cli/read_arguments.ts";
import { COMMANDS } from "../workflows/cli/mod.ts";
import { REPAIRS_FILE } from "../workflows/repair/record.ts";
import { parseWorkflow } from "../workflows/language/parse.ts";
import { planRuns } from "../workflows/plan/plan_workflow.ts";

const ROOT = new URL("../", import.meta.url);
const DOCUMENTS = ["README.md", "CONTRIBUTING.md", "docs/visual.md"];
const read = (path: string) => Deno.readTextFileSync(new URL(path, ROOT));
const TASKS =
  (JSON.parse(read("deno.json")) as { tasks: Record<string, { description?: string; command: string }> }).tasks;

function exists(path: string): boolean {
  try {
    Deno.statSync(new URL(path, ROOT));
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Code blocks of a language in a document. */
function blocks(path: string, language: string): string[] {
  return Array.from(read(path).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm")), ([, text]) => text!);
}

/** The text between `<!-- name -->` and `<!-- /name -->`. */
function part(name: string): string {
  const found = new RegExp(`<!-- ${name} -->([^]*?)<!-- /${name} -->`).exec(read("README.md"));
  assert(found, `README.md has no part "${name}"`);
  return found[1]!;
}

Deno.test("README's tree is true: every entry exists, no folder is missing", () => {
  const listed = Array.from(part("tree").matchAll(/^([\w.-]+\/?)\s{2,}\S/gm), ([, name]) => name!);
  assert(listed.length > 5);
  for (const name of listed) assert(exists(name), `the tree names "${name}", which does not exist`);
  const folders = [...Deno.readDirSync(ROOT)].filter(({ name, isDirectory }) => isDirectory && !name.startsWith("."))
    .map(({ name }) => `${name}/`).filter((name) => !["node_modules/", "runs/"].includes(name));
  for (const name of folders) assert(listed.includes(name), `the tree does not name "${name}"`);
});

Deno.test("README links every page of docs", () => {
  const pages = [...Deno.readDirSync(new URL("docs/", ROOT))].map(({ name }) => name).filter((name) =>
    name.endsWith(".md")
  );
  for (const name of pages) assert(read("README.md").includes(`(docs/${name})`), `README does not link docs/${name}`);
  for (const word of ["posts", "browser"]) assert(new RegExp(`^docs/ .*\\b${word}\\b`, "m").test(part("tree")), word);
});

Deno.test("README says what each value of repair does, and which is the default", () => {
  const told = /^When `diagnose` stops a run, the key `repair`[^]*?\n\n/m.exec(read("README.md"))?.[0] ?? "";
  const { properties: { repair } } = JSON.parse(read("workflow.schema.json")) as {
    properties: { repair: { enum: string[]; default: string } };
  };
  for (const value of repair.enum) {
    assert(told.includes(`\`${value}\``), `README does not say what repair: ${value} does`);
  }
  assert(told.includes(`\`${repair.default}\` (the default)`));
  assert(told.includes(REPAIRS_FILE));
});

for (const path of DOCUMENTS) {
  Deno.test(`links of ${path} lead to files`, () => {
    for (const [, target] of read(path).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
      // Relative to the document's own folder.
      const place = path.replace(/[^/]*$/, "") + target;
      if (!/^https?:/.test(target!)) assert(exists(place), `there is no "${target}"`);
    }
  });

  Deno.test(`shell examples of ${path} are commands with arguments that are understood`, async () => {
    for (const block of blocks(path, "sh")) {
      for (const line of block.split("\n")) {
        const words = line.replace(/\s+#.*$/, "").trim().split(/\s+/);
        const at = words.indexOf("task");
        if (at < 0) {
          assert(words.every((word) => word === "" || word === "#"), `"${line}" is no deno task`);
          continue;
        }
        assert.match(words.slice(0, at).join(" "), /^(?:deno|npx -y deno@2\.9\.6)$/);
        const [name, ...rest] = words.slice(at + 1) as [string, ...string[]];
        assert(Object.hasOwn(TASKS, name), `"${line}": deno.json has no task "${name}"`);
        const open = COMMANDS[name as keyof typeof COMMANDS];
        if (open) readArguments(await open(), rest.map((word) => word.replace(/^["']|["']$/g, "")));
      }
    }
  });

  Deno.test(`workflows in ${path} can be planned`, () => {
    for (const text of blocks(path, "yaml")) {
      const loaded = parseWorkflow(text, `${path}.yaml`, { kinds: STEPS, folder: "/" });
      assert(planRuns(loaded, STEPS)[0]!.steps.length > 0);
    }
  });
}

Deno.test("README's table of commands names every command and nothing else", () => {
  const named = Array.from(part("commands").matchAll(/^\|\s*`deno task ([\w-]+)/gm), ([, name]) => name!);
  for (const name of Object.keys(COMMANDS)) assert(named.includes(name), `the table does not name "${name}"`);
  for (const name of named) assert(Object.hasOwn(TASKS, name), `deno.json has no task "${name}"`);
});

Deno.test("README's exit codes are those of the help, and every code is among them", async () => {
  assert(read("README.md").includes(`Exit codes: ${EXIT_TEXT}.`));
  assert(helpText(await COMMANDS.run()).replaceAll(/\s+/g, " ").includes(EXIT_TEXT));
  const codes = Array.from(EXIT_TEXT.matchAll(/(?:^|· )(\d+) /g), ([, code]) => Number(code));
  assert.deepEqual(codes, Object.values(EXIT));
});

Deno.test("docs/verifiers.md has a line of every verifier with all of its options", () => {
  const rows = read("docs/verifiers.md").split("\n").filter((line) => line.startsWith("| `"));
  for (const [name, { params }] of Object.entries(PLAIN_VERIFIERS)) {
    const row = rows.find((line) => line.startsWith(`| \`${name}\` |`));
    assert(row, `there is no line of "${name}"`);
    for (const option of Object.keys(params.shape)) assert(row.includes(`\`${option}\`:`), `${name}: ${option}`);
  }
});

Deno.test("README names every workflow of the library that is a method", () => {
  for (const name of ["lora_grpo", "lora_kto", "gsm8k_grpo"]) assert(read("README.md").includes(`\`${name}\``), name);
});

Deno.test("README names every format of export", async () => {
  const { choices } = (await COMMANDS.export()).options["format"]!;
  for (const format of choices!) assert.match(read("README.md"), new RegExp(`[\`| ]${format}[\`| ]`));
});

Deno.test("every command is a task that runs it, and every task says what it does", () => {
  for (const name of Object.keys(COMMANDS)) {
    assert.match(TASKS[name]?.command ?? "", new RegExp(`workflows/cli/main\\.ts ${name}$`));
  }
  for (const name of Object.keys(COMMANDS)) assert(Object.hasOwn(TASKS, name), `deno.json has no task "${name}"`);
  for (const [name, { description }] of Object.entries(TASKS)) assert(description, `task "${name}" has no description`);
});

Deno.test("every path that README or CONTRIBUTING names exists; of NAME and CAUSE, the folder", () => {
  const tops = [...Deno.readDirSync(ROOT)].filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
  const named = DOCUMENTS.flatMap((document) =>
    // Rooms of what is to come are made with their first files.
    Array.from(
      read(document).replace(/^\| to come [^]*?\n\n/m, "").matchAll(/`((?:[\w.-]+\/)+[\w.-]*)`/g),
      ([, path]) => ({ document, path: path! }),
    )
  ).filter(({ path }) => tops.includes(path.split("/")[0]!) && !path.startsWith("runs/"));
  assert(named.length > 30, `${named.length} paths`);
  for (const { document, path } of named) {
    const place = /NAME|CAUSE/.test(path) ? path.replace(/[^/]*$/, "") : path;
    assert(exists(place), `${document}: "${path}" has no place "${place}"`);
  }
});

Deno.test("no line of the changelog stands there twice", () => {
  const lines = read("CHANGELOG.md").split("\n").filter((line) => line.startsWith("* "));
  assert.deepEqual(lines.filter((line, i) => lines.indexOf(line) !== i), []);
});

Deno.test("CONTRIBUTING lists the kinds of `new` first, and no other among them", () => {
  const listed = Array.from(read("CONTRIBUTING.md").matchAll(/^\| ([^|]+?) \|/gm), ([, name]) => name!)
    .filter((name) => !/^to add|^-+$/.test(name));
  const kinds = Object.keys(KINDS);
  assert.deepEqual(listed.slice(0, kinds.length).toSorted(), kinds.toSorted());
});

Deno.test("CONTRIBUTING names deno task docs, whose output CI compares", () => {
  assert.match(read("CONTRIBUTING.md"), /`deno task docs`/);
});
