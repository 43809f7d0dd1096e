import assert from "node:assert/strict";
import { join } from "node:path";
import { STEPS } from "../../../steps/mod.ts";
import { grantsOf } from "../../../workflows/plan/grants.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { planWorkflow } from "../../../workflows/plan/plan_workflow.ts";

const FOLDER = "/home/someone/work";

function grants(rewards: string, folder = "", workflow = FOLDER) {
  const text = `name: a
params: { yes: true, where: /etc/model }
steps:
  - { uses: load_prompts, with: { task: addition, digits: 1 } }
  - { uses: load_model, with: { model: tiny_qwen2 } }
  - { uses: sample_groups, with: { prompts_per_step: 2, group_size: 2, max_new_tokens: 4 } }
  - { uses: score_rewards, with: { rewards: [${rewards}] } }
  - { uses: export_model${folder && `, with: { folder: ${folder} }`} }
`;
  const loaded = parseWorkflow(text, "a.yaml", { folder: workflow, kinds: STEPS });
  return grantsOf(planWorkflow(loaded, STEPS)).map(({ text, place }) => `${place}: ${text}`);
}

Deno.test("grantsOf() names trusted code, hosts and folders elsewhere, each with its place", () => {
  assert.deepEqual(grants("{ uses: ./x.ts, trusted: true }"), [
    "a.yaml:7:71: runs /home/someone/work/x.ts inside this program: it may read, write, start programs and use the " +
    "network as you may",
  ]);
  assert.deepEqual(grants("{ uses: ./x.ts, name: judge, permissions: { net: [localhost:8000, b.org] } }"), [
    'a.yaml:7:95: lets /home/someone/work/x.ts (reward "judge") send prompts, answers and completions to ' +
    "localhost:8000, b.org",
  ]);
  assert.deepEqual(grants("{ uses: verifier }", "../elsewhere"), [
    "a.yaml:8:43: writes a model into /home/someone/elsewhere, in place of one that lies there",
  ]);
  assert.match(grants("{ uses: verifier }", "/etc/model")[0]!, /writes a model into \/etc\/model/);
});

Deno.test("grantsOf() hears a look-up as what it may become", () => {
  assert.equal(grants("{ uses: ./x.ts, trusted: '${{ params.yes }}' }").length, 1);
});

Deno.test("grantsOf() is silent where nothing but computing is asked", () => {
  for (
    const rewards of [
      "{ uses: verifier }",
      "{ uses: ./x.ts }",
      "{ uses: ./x.ts, trusted: false }",
      "{ uses: ./x.ts, permissions: { net: [] } }",
    ]
  ) assert.deepEqual(grants(rewards, "exports/model"), []);
  assert.deepEqual(grants("{ uses: verifier }"), []);
});

Deno.test("grantsOf() follows links: a name in the workflow's folder may lead elsewhere", () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync()), work = join(root, "work");
  try {
    for (const name of ["work", "work/own", "elsewhere"]) Deno.mkdirSync(join(root, name));
    for (
      const [name, to] of [["out", "../elsewhere"], ["open", "../absent"], ["in", "own"], ["self", "other"], [
        "other",
        "self",
      ]]
    ) {
      Deno.symlinkSync(to!, join(work, name!));
    }
    Deno.symlinkSync("work", join(root, "way"));
    const found = (folder: string, from = work) =>
      grants("{ uses: verifier }", folder, from).map((text) => text.slice(13));
    const into = (path: string) => [`writes a model into ${join(root, path)}, in place of one that lies there`];
    assert.deepEqual(found("out/model"), into("elsewhere/model"));
    assert.deepEqual(found("open/model"), into("absent/model"));
    for (const inside of ["in/model", "own/new/model", "self/model"]) assert.deepEqual(found(inside), []);
    assert.deepEqual(found("own/model", join(root, "way")), []);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});

Deno.test("grantsOf() reads the folder that a parameter gives", () => {
  assert.equal(grants("{ uses: verifier }", "'${{ params.where }}'").length, 1);
});
