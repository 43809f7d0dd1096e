/** The workflow files that come with the project. */
import assert from "node:assert/strict";
import { TASKS } from "../../../data/tasks/mod.ts";
import { lookUpsOf } from "../../../workflows/language/expressions.ts";
import { loadWorkflow } from "../../../workflows/language/parse.ts";
import { expressionTexts } from "../../../workflows/language/expressions.ts";

const FOLDER = new URL("../../../workflows/library/", import.meta.url);
const FILES = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => name.endsWith(".yaml")).sort();

for (const file of FILES) {
  Deno.test(`${file} passes the schema, is named as its file and says what it is for`, async () => {
    const { document } = await loadWorkflow(new URL(file, FOLDER).pathname, { shown: file });
    assert.equal(`${document.name}.yaml`, file);
    assert(document.about.length > 10);
  });

  Deno.test(`${file} uses every parameter it has`, async () => {
    const { document } = await loadWorkflow(new URL(file, FOLDER).pathname, { shown: file });
    const used = expressionTexts(document).flatMap(({ text }) => lookUpsSafely(text));
    for (const name of Object.keys(document.params)) {
      assert(used.includes(`params.${name}`), `"${name}" is never looked up`);
    }
  });
}

/** Names looked up in a value or, by pattern, in a condition. */
function lookUpsSafely(text: string): string[] {
  return /[<>=]/.test(text) ? text.match(/\w+\.[\w.]+/g) ?? [] : lookUpsOf(text).map((lookUp) => lookUp.text);
}

Deno.test("the library has a first run, the zero loss and one workflow per task", () => {
  for (const name of ["first_run", "zero_loss", ...Object.keys(TASKS)]) assert(FILES.includes(`${name}.yaml`), name);
});

Deno.test("zero_loss.yaml has the sampling settings that Visual-RFT inherited", async () => {
  const { document } = await loadWorkflow(new URL("zero_loss.yaml", FOLDER).pathname);
  assert.deepEqual([document.params.temperature, document.params.top_p], [0.01, 0.001]);
  assert.match(await Deno.readTextFile(new URL("zero_loss.yaml", FOLDER)), /Visual-RFT inherited/);
});
