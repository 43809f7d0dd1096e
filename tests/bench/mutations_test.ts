/** The list of deliberate faults stays true to the code, and the bench counts only what a test notices because of them. */
import assert from "node:assert/strict";
import { chosen, type Outcome, type Project, report, tryAll, tryMutation } from "./mutations.ts";
import { MUTATIONS } from "./mutations/mod.ts";
import { mutate, mutationsOf } from "./mutations/mutation.ts";
import type { TestRun } from "./mutations/project_copy.ts";
import { importers, relatedTests } from "./mutations/related_tests.ts";

const ROOT = new URL("../../", import.meta.url);

Deno.test("every mutation applies to the code as it is, and to one place of it", async () => {
  const wrong: string[] = [];
  const texts = new Map<string, string>();
  for (const mutation of MUTATIONS) {
    const { file } = mutation;
    if (!texts.has(file)) texts.set(file, await Deno.readTextFile(new URL(file, ROOT)));
    try {
      if (mutate(texts.get(file)!, mutation) === texts.get(file)) wrong.push(`"${mutation.id}" changes nothing`);
    } catch (error) {
      wrong.push((error as Error).message);
    }
  }
  assert(wrong.length === 0, wrong.join("\n"));
});

Deno.test("there are at least 150 mutations under names of their own in every folder of code, each of which fits", () => {
  assert(MUTATIONS.length >= 150, `${MUTATIONS.length}`);
  assert.equal(new Set(MUTATIONS.map(({ id }) => id)).size, MUTATIONS.length);
  assert.deepEqual([...new Set(MUTATIONS.map(({ file }) => file.split("/")[0]))].sort(), [
    "data",
    "gpu",
    "notebooks",
    "steps",
    "workflows",
  ]);
  const project = new URL("../../", import.meta.url);
  for (const mutation of MUTATIONS) mutate(Deno.readTextFileSync(new URL(mutation.file, project)), mutation);
});

const [fault] = mutationsOf({ "gpu/a.ts": [["sign", "a + b", "a - b"]] });

Deno.test("mutate() refuses an expression that is there twice or not at all", () => {
  assert.equal(mutate("return a + b;", fault!), "return a - b;");
  assert.throws(
    () => mutate("a + b + a + b", fault!),
    /Cannot apply "gpu\/a:sign": "a \+ b" occurs 2 times in gpu\/a.ts/,
  );
  assert.throws(() => mutate("a * b", fault!), /occurs 0 times/);
});

Deno.test("relatedTests() gives the file's own test, then those that reach it, the nearest first", () => {
  const sources = new Map([
    ["gpu/a.ts", ""],
    ["gpu/b.ts", 'import { a } from "./a.ts";'],
    ["steps/child.ts", 'import { b } from "../gpu/b.ts";'],
    ["steps/c.ts", 'const CHILD = new URL("./child.ts", import.meta.url);'],
    ["tests/gpu/a_test.ts", 'import { b } from "../../gpu/b.ts";'],
    ["tests/gpu/a_goldens_test.ts", 'import { c } from "../../steps/c.ts";'],
    ["tests/gpu/b_test.ts", 'import { b } from "../../gpu/b.ts";'],
    ["tests/steps/c_test.ts", 'const { c } = await import("../../steps/c.ts");'],
    ["tests/gpu/other_test.ts", 'import { d } from "../../gpu/d.ts";'],
    ["tests/bench/b_test.ts", 'import { b } from "../../gpu/b.ts";'],
  ]);
  assert.deepEqual(relatedTests("gpu/a.ts", importers(sources)), [
    "tests/gpu/a_test.ts",
    "tests/gpu/a_goldens_test.ts",
    "tests/gpu/b_test.ts",
    "tests/bench/b_test.ts",
    "tests/steps/c_test.ts",
  ]);
});

/** A project of one file; `ends` says how each test file ends with a text. */
function projectOf(text: string, ends: (test: string, text: string) => TestRun["ended"]) {
  const ran: string[] = [];
  const project: Project & { text: string } = {
    text,
    read: () => project.text,
    write: (_, changed) => void (project.text = changed),
    test(paths) {
      for (const path of paths) {
        ran.push(`${path}: ${project.text}`);
        const ended = ends(path, project.text);
        if (ended !== "passed") return Promise.resolve({ ended, test: "adds", file: ended === "failed" ? path : null });
      }
      return Promise.resolve({ ended: "passed", test: null, file: null });
    },
  };
  return { project, ran };
}
const ended = ({ ended }: Outcome) => ended;

Deno.test("tryMutation() tries tests until one fails, takes the fault back and sees that the test passes without it", async () => {
  const { project, ran } = projectOf("a + b", (test, text) => test === "2" && text !== "a + b" ? "failed" : "passed");
  const outcome = await tryMutation(fault!, ["1", "2", "3"], project, 1000);
  assert.deepEqual([outcome.ended, outcome.by], ["caught", "adds (2)"]);
  assert.deepEqual(ran, ["1: a - b", "2: a - b", "2: a + b"]);
  assert.equal(project.text, "a + b");
});

Deno.test("tryMutation() does not take a test that is red anyway for one that notices", async () => {
  const red = projectOf("a + b", (test) => test === "1" ? "failed" : "passed");
  const sound = new Map<string, boolean>();
  const outcome = await tryMutation(fault!, ["1", "2"], red.project, 1000, sound);
  assert.deepEqual([outcome.ended, outcome.by], ["survived", "red without it: 1"]);
  assert.deepEqual([...sound], [["1", false]]);
  assert.deepEqual(red.ran, ["1: a - b", "1: a + b", "2: a - b"]);
});

Deno.test("tryMutation() counts a hang, a fault that does not compile and lost time as not caught", async () => {
  for (
    const [how, want] of [["hangs", "hangs"], ["does not compile", "does not compile"], ["out of time", "survived"]]
  ) {
    const { project } = projectOf("a + b", () => how as TestRun["ended"]);
    assert.equal(ended(await tryMutation(fault!, ["1"], project, 1000)), want);
    assert.equal(project.text, "a + b");
  }
  const slow = projectOf("a + b", () => "passed");
  assert.equal((await tryMutation(fault!, ["1"], slow.project, 0)).by, "out of time with 1 test files left");
});

Deno.test("tryAll() shares the work among projects, tries each fault once and tells each as it ends", async () => {
  const ends = (_: string, text: string) => text === "a - b" ? "failed" : "passed";
  const copies = [projectOf("a + b", ends), projectOf("a + b", ends)], told: string[] = [];
  const faults = mutationsOf({ "gpu/a.ts": [["one", "a + b", "a - b"], ["two", "a", "b"], ["three", "b", "a"]] });
  const outcomes = await tryAll(faults, copies.map(({ project }) => project), (file) => [`${file}'s`], 1000, (one) => {
    told.push(one.mutation.id);
  });
  assert.deepEqual(told.toSorted(), faults.map(({ id }) => id).toSorted());
  assert.deepEqual(outcomes.filter((one) => one.ended === "caught").map(({ mutation }) => mutation.id), ["gpu/a:one"]);
  for (const { project, ran } of copies) {
    assert(project.text === "a + b" && ran.length > 0 && ran[0]!.startsWith("gpu/a.ts's"));
  }
});

Deno.test("report() has the share, and each fault that was not caught with its reason", () => {
  const [known] = mutationsOf({ "gpu/a.ts": [["speed", "8", "4", "only the speed changes"]] });
  const text = report([
    { mutation: fault!, ended: "caught", by: "adds (1)", seconds: 1 },
    { mutation: { ...fault!, id: "gpu/a:other" }, ended: "hangs", by: "1", seconds: 60 },
    { mutation: known!, ended: "survived", by: "every related test passed", seconds: 2 },
  ]);
  assert.match(text, /faults 3, caught 1: 33\.3 % \(want 95 %\)/);
  assert.match(text, /median 2\.0, most 60\.0/);
  assert.match(text, /hangs: gpu\/a:other: a \+ b -> a - b\n +1/);
  assert.match(text, /survived: gpu\/a:speed: 8 -> 4\n +only the speed changes/);
});

Deno.test("chosen() takes folders and parts of ids", () => {
  const all = mutationsOf({
    "gpu/a.ts": [["x", "1", "2"]],
    "gpu/b.ts": [["y", "1", "2"]],
    "data/a.ts": [["x", "1", "2"]],
  });
  const ids = (folder = "", only = "") => chosen(all, { folder, only }).map(({ id }) => id);
  assert.deepEqual(ids(), ["gpu/a:x", "gpu/b:y", "data/a:x"]);
  assert.deepEqual(ids("gpu"), ["gpu/a:x", "gpu/b:y"]);
  assert.deepEqual(ids("gpu,data", ":x"), ["gpu/a:x", "data/a:x"]);
});
