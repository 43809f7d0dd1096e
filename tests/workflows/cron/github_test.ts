import assert from "node:assert/strict";
import { join } from "node:path";
import { parse } from "yaml";
import { actionsWorkflow, github, repositoryOf } from "../../../workflows/cron/github.ts";
import { schemaProblems } from "./schema_problems.ts";
import { someJob } from "./some_job.ts";

const JOB = someJob(['cron: "30 3 * * fri-sun", timezone: Europe/Berlin', 'cron: "0 12 * * *"'], {
  file: '/repo/my flows/100% "a".yaml',
});
const problems = (text: string) => schemaProblems(text, "github", () => "workflow-root-strict");

Deno.test("actionsWorkflow() is what GitHub's published schema accepts", async () => {
  assert.deepEqual(await problems(actionsWorkflow(JOB, "/repo")), []);
  const inside = someJob(['cron: "0 3 * * *"'], { file: "/opt/nonzero/a.yaml" });
  assert.deepEqual(await problems(actionsWorkflow(inside, "/opt/nonzero")), []);
});

for (
  const [what, from, to] of [
    ["an entry without cron", "- cron: 30 3 * * 0,5,6\n      timezone", "- timezone"],
    ["an unknown key of the schedule", "timezone:", "time_zone:"],
    ["a job without runs-on", "runs-on: ubuntu-latest", "name: x"],
    ["a step without run and uses", "uses: denoland/setup-deno@v2", "name: x"],
    ["a permission that there is not", "contents: read", "contents: maybe"],
  ] as const
) {
  Deno.test(`the schema of the test refuses ${what}`, async () => {
    const text = actionsWorkflow(JOB, "/repo");
    assert(text.includes(from), from);
    assert.notDeepEqual(await problems(text.replace(from, to)), []);
  });
}

Deno.test("actionsWorkflow() says times as GitHub reads them, and calls the file as a shell reads it back", async () => {
  const { on, jobs } = parse(actionsWorkflow(JOB, "/repo"));
  assert.deepEqual(on.schedule, [
    { cron: "30 3 * * 0,5,6", timezone: "Europe/Berlin" },
    { cron: "0 12 * * *", timezone: "UTC" },
  ]);
  const { run } = jobs.run.steps.find((step: { run?: string }) => step.run !== undefined);
  const echo = run.replace('"$(command -v deno)"', "echo");
  const { stdout } = await new Deno.Command("bash", { args: ["-ec", echo], env: { GITHUB_WORKSPACE: "/w s" } })
    .output();
  assert.match(
    new TextDecoder().decode(stdout),
    /^run -q --no-prompt --allow-read --config \/w s\/\.nonzero\/deno\.json \/w s\/\.nonzero\/workflows\/cli\/main\.ts run \/w s\/my flows\/100% "a"\.yaml --scheduled now --runs \/w s\/runs\n$/,
  );
  // The lock is no failure; another exit code is.
  for (const [code, want] of [[75, 0], [1, 1]]) {
    const step = run.replace('"$(command -v deno)"', `(exit ${code}) #`).replace(
      / \\\n.*(\|\|.*)$/m,
      " \n(exit " + code + ") $1",
    );
    assert.equal((await new Deno.Command("bash", { args: ["-c", step] }).output()).code, want);
  }
});

Deno.test("github.install() writes into the repository, once, and remove() leaves nothing", async () => {
  const root = await Deno.makeTempDir();
  try {
    await Deno.mkdir(join(root, ".git"));
    const file = join(root, "nightly.yaml"), job = someJob(['cron: "*/2 * * * *"'], { file });
    await Deno.writeTextFile(file, "");
    assert.equal(repositoryOf(join(root, "gone", "a.yaml")), root);
    const { changes, notes } = await github.install(job);
    for (const change of changes) await change.apply();
    assert(notes.some((note) => /oftener than every 5 minutes/.test(note)));
    const path = join(root, ".github/workflows/nonzero_nightly.yml");
    assert.equal(await Deno.readTextFile(path), github.show(job));
    const again = await github.install(job);
    assert(again.changes.every(({ before, after }) => before === after));
    const other = someJob(['cron: "0 3 * * *"'], { file: join(root, "other.yaml") });
    assert.throws(() => github.install(other), /belongs to another workflow of that name, nightly\.yaml/);
    for (const change of (await github.remove(file)).changes) await change.apply();
    assert.deepEqual([...Deno.readDirSync(join(root, ".github/workflows"))], []);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("github.install() wants a repository", () => {
  assert.throws(
    () => github.install(someJob(['cron: "0 3 * * *"'], { file: "/nowhere/a.yaml" })),
    /lies in no git repository/,
  );
});
