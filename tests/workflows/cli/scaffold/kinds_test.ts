import assert from "node:assert/strict";
import { join } from "node:path";
import { scaffold } from "../../../../workflows/cli/new.ts";
import { PROJECT } from "../../../../workflows/cli/paths.ts";
import { type KindName, KINDS } from "../../../../workflows/cli/scaffold/kinds.ts";
import { STEPS } from "../../../../steps/mod.ts";
import { parseWorkflow } from "../../../../workflows/parse.ts";
import { planWorkflow } from "../../../../workflows/plan.ts";

const REGISTERED = (Object.keys(KINDS) as KindName[]).filter((kind) => KINDS[kind].registered);

Deno.test("what new writes for each kind type-checks and passes its own test", async () => {
  const project = await Deno.makeTempDir();
  try {
    for (const folder of ["steps", "data", "gpu", "notebooks", "deno.json", "deno.lock"]) {
      await new Deno.Command("cp", { args: ["-r", join(PROJECT, folder), project] }).output();
    }
    await Deno.symlink(join(PROJECT, "node_modules"), join(project, "node_modules"));
    await Deno.mkdir(join(project, "tests/notebooks/charts"), { recursive: true });
    await Deno.copyFile(
      join(PROJECT, "tests/notebooks/charts/check_chart.ts"),
      join(project, "tests/notebooks/charts/check_chart.ts"),
    );
    const written: string[] = [];
    for (const kind of REGISTERED) written.push(...await scaffold(KINDS[kind], `my_${kind}`, project));
    const tests = written.filter((path) => path.endsWith("_test.ts"));
    assert.equal(tests.length, REGISTERED.length);
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", ...tests],
      cwd: project,
      env: { NO_COLOR: "1" },
    }).output();
    const printed = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    assert.equal(code, 0, printed);
  } finally {
    await Deno.remove(project, { recursive: true });
  }
});

Deno.test("what new writes for a workflow is one that can be planned", () => {
  const text = KINDS.workflow.source("my_workflow");
  const plan = planWorkflow(parseWorkflow(text, "my_workflow.yaml", { kinds: STEPS }), STEPS);
  assert.equal(plan.name, "my_workflow");
});
