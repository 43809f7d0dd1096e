import assert from "node:assert/strict";
import { join } from "node:path";
import {
  libraryWorkflow,
  pathArgument,
  PROJECT,
  runsFolder,
  workflowArgument,
} from "../../../workflows/terminal/paths.ts";

Deno.test("runsFolder() is the project's own, or what --runs says from where the caller stands", () => {
  assert.equal(runsFolder(), join(PROJECT, "runs"));
  assert.equal(runsFolder("mine"), pathArgument("mine"));
});

Deno.test("workflowArgument() is a path where there is one, else a workflow of the library by its name", () => {
  const library = join(PROJECT, "workflows", "library");
  assert.equal(workflowArgument("grpo"), join(library, "grpo.yaml"));
  assert.equal(workflowArgument("failures/nan_loss"), join(library, "failures", "nan_loss.yaml"));
  assert.equal(workflowArgument("workflows"), pathArgument("workflows"), "what is there has the name first");
  assert.equal(workflowArgument("gropo"), pathArgument("gropo"));
  assert.equal(libraryWorkflow("../../data/grpo"), null, "a name, no way out of the library");
});
