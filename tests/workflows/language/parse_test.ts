import assert from "node:assert/strict";
import { STEPS } from "../../../steps/mod.ts";
import { WorkflowError } from "../../../workflows/language/problems.ts";
import { loadWorkflow, parseWorkflow, workflowFromObject } from "../../../workflows/language/parse.ts";
import { issuesOf } from "./issues_of.ts";
import { GOOD, SMALL_KINDS } from "../small_kinds.ts";

Deno.test("parseWorkflow() reads a good file and knows where its parts stand", () => {
  const { document, source } = parseWorkflow(GOOD, "good.yaml");
  assert.equal(document.name, "small");
  assert.equal(document.steps.length, 5);
  assert.deepEqual(source.locate({ path: ["params", "size"] }), { line: 2, column: 28 });
  assert.deepEqual(source.locate({ path: ["params", "size"], key: true }), { line: 2, column: 22 });
});

Deno.test("parseWorkflow() reports every problem at once, sorted, with suggestions", () => {
  const text = `name: a
abuot: b
device: gpu
steps:
  - { uses: load_promts, with: { task: addition } }
  - { uses: load_prompts, with: { task: aditon, digit: 3 } }
  - repeat: 0
    untill: x
    steps:
      - { use: evaluate }
`;
  assert.deepEqual(
    issuesOf(() => parseWorkflow(text, "a.yaml", { kinds: SMALL_KINDS })).map((issue) =>
      issue.replace(/ ?(?<!un)[Kk]nown: .*/, "…")
    ),
    [
      '2:1 unknown key "abuot"; did you mean "about"?…',
      '3:9 "device" is "gpu", want one of "auto", "cpu", "cuda"; did you mean "cpu"?',
      '5:13 unknown step kind "load_promts"; did you mean "load_prompts"?…',
      '6:41 "task" is "aditon", want one of "addition", "countdown"; did you mean "addition"?',
      '6:49 unknown key "digit"; did you mean "digits"?…',
      '7:13 "repeat" is 0, want at least 1',
      '8:5 unknown key "untill"; did you mean "until"?…',
      '10:11 unknown key "use"; did you mean "uses"?…',
    ],
  );
});

Deno.test("parseWorkflow() refuses numbers that are not finite", () => {
  const text = "name: a\nparams: { x: .inf }\nsteps: [{ uses: x, with: { y: .nan, z: 1e400 } }]\n";
  assert.deepEqual(issuesOf(() => parseWorkflow(text, "a.yaml")), [
    '2:14 "x" is Infinity, want a finite number',
    '3:31 "y" is NaN, want a finite number',
    '3:40 "z" is Infinity, want a finite number',
  ]);
});

Deno.test("parseWorkflow() refuses a file that holds no keys", () => {
  assert.match(issuesOf(() => parseWorkflow("- a\n", "a.yaml"))[0]!, /no workflow in a.yaml/);
});

Deno.test("parseWorkflow() refuses more than 1 MB before it parses", () => {
  const text = `name: "${"x".repeat(1_000_001)}"`;
  assert.match(issuesOf(() => parseWorkflow(text, "a.yaml"))[0]!, /^ the file has 1.0 MB, want at most 1 MB/);
});

Deno.test("workflowFromObject() reports paths instead of lines", () => {
  assert.deepEqual(issuesOf(() => workflowFromObject({ name: "a", steps: [{ uses: "x", every: 0 }] }, "a.ts")), [
    'steps[0].every "every" is 0, want at least 1',
  ]);
  const { document } = workflowFromObject({ name: "a", steps: [{ uses: "x" }] }, "a.ts");
  assert.equal(document.seed, 0);
});

Deno.test("workflowFromObject() refuses what would reach the prototype or never ends", () => {
  const evil = JSON.parse('{"name":"a","params":{"__proto__":{"x":1}},"steps":[{"uses":"x"}]}');
  assert.match(issuesOf(() => workflowFromObject(evil, "a.ts"))[0]!, /unknown key "__proto__"/);
  const endless: Record<string, unknown> = { name: "a" };
  endless.steps = [{ uses: "x", with: endless }];
  assert.match(issuesOf(() => workflowFromObject(endless, "a.ts"))[0]!, /nested deeper than 100/);
});

Deno.test("loadWorkflow() reads YAML and TypeScript files alike", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/w.yaml`, "name: a\nsteps: [{ uses: x }]\n");
    await Deno.writeTextFile(`${folder}/w.ts`, "export default { name: 'a', steps: [{ uses: 'x' }] };\n");
    const yaml = await loadWorkflow(`${folder}/w.yaml`, { shown: "w.yaml" });
    const script = await loadWorkflow(`${folder}/w.ts`, { shown: "w.ts" });
    assert.deepEqual(yaml.document, script.document);
    assert.equal(yaml.folder, script.folder);
    assert.equal(yaml.source.file, "w.yaml");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("loadWorkflow() names a file that is missing, a folder, no text or without a default export", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeFile(`${folder}/bytes.yaml`, new Uint8Array([0x6e, 0xff, 0xfe]));
    await Deno.writeTextFile(`${folder}/none.ts`, "export const a = 1;\n");
    const message = async (name: string) => {
      const error = await loadWorkflow(`${folder}/${name}`, { shown: "shown" }).then(() => null, (reason) => reason);
      assert(error instanceof WorkflowError);
      return error.message;
    };
    assert.equal(await message("missing.yaml"), "shown: Cannot read the workflow: there is no such file");
    assert.match(await message("."), /it is a folder/);
    assert.match(await message("bytes.yaml"), /no UTF-8 text/);
    assert.match(await message("none.ts"), /want `export default defineWorkflow/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("parseWorkflow() says which step has a key that stands at the head, but first what it may be a misspelling of", () => {
  const said = (line: string) =>
    issuesOf(() => parseWorkflow(GOOD.replace("\n", `\n${line}\n`), "a.yaml", { kinds: STEPS })).join();
  assert.match(said("memory: 8GiB"), /unknown key "memory"; it is "memory" of load_model,/);
  assert.match(said("devices: cpu"), /unknown key "devices"; did you mean "device"\?/);
});

Deno.test("parseWorkflow() reads on without wrong keys of the head where somebody hears of them", () => {
  const heard: string[] = [];
  const hearHead = (issues: readonly { message: string }[]) => heard.push(...issues.map(({ message }) => message));
  const wrong = GOOD.replace("name: small", "name: my-run\ndevice: gpu");
  const { document } = parseWorkflow(wrong, "a.yaml", { hearHead });
  assert.deepEqual([document.name, document.device, document.steps.length], ["unnamed", "auto", 5]);
  assert.deepEqual(heard.map((message) => message.split(",")[0]), ['"name" is "my-run"', '"device" is "gpu"']);
  // Look-ups of parameters that are not read would be wrong as well.
  assert.equal(
    issuesOf(() => parseWorkflow(wrong.replace(/^params: .*$/m, "params: 3"), "a.yaml", { hearHead })).length,
    3,
  );
});
