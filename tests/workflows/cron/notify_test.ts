import assert from "node:assert/strict";
import { join } from "node:path";
import { RUN_MANIFEST } from "../../../data/run_folder.ts";
import { parseWorkflow } from "../../../workflows/language/parse.ts";
import { readManifest } from "../../../workflows/store/manifest.ts";
import { checkNotify, type Ended, eventOf, notify, notifyGrants, summaryOf } from "../../../workflows/cron/notify.ts";
import { scheduled } from "./some_job.ts";
import { FILE, scheduledRun, withFolder } from "./scheduled_history.ts";
import { serving } from "./serving.ts";

const FINDING = {
  cause: "zero_reward_variance",
  severity: "error",
  train_step: 3,
  message: "all equal",
  hint: "ask easier",
};

/** What a run with these keys came to. */
async function ended(more: Partial<Ended>, changes: Parameters<typeof scheduledRun>[2] = {}): Promise<Ended> {
  let run: Ended | undefined;
  await withFolder((runs) => {
    const manifest = readManifest(join(runs, scheduledRun(runs, "2026-01-02", changes)));
    run = {
      workflow: "nightly",
      file: FILE,
      runsFolder: "/home/me/runs",
      scheduledFor: "2026-01-02T03:30:00Z",
      exitCode: 0,
      error: null,
      runs: [RUN_MANIFEST.parse(manifest)],
      ...more,
    };
  });
  return run!;
}

Deno.test("eventOf() is a failure, a finding of warning or worse, or nothing; who stops a run knows", async () => {
  assert.equal(eventOf(await ended({})), null);
  assert.equal(eventOf(await ended({ exitCode: 1 }, { status: "failed" })), "failure");
  assert.equal(eventOf(await ended({ exitCode: 1, error: "no such model", runs: [] })), "failure");
  assert.equal(eventOf(await ended({}, { findings: [FINDING] })), "finding");
  assert.equal(eventOf(await ended({}, { findings: [{ ...FINDING, severity: "info" }] })), null);
  assert.equal(eventOf(await ended({ exitCode: 3 }, { status: "stopped" })), "finding");
  assert.equal(eventOf(await ended({ exitCode: 143 }, { status: "interrupted" })), null);
});

Deno.test("summaryOf() holds the finding and one line for a person, paths for programs of this machine alone", async () => {
  const one = await ended({ exitCode: 3 }, { status: "stopped", findings: [FINDING] });
  const { event, text, runs } = summaryOf(one, false);
  assert.equal(event, "finding");
  assert.equal(text, "Nonzero: nightly: 20260102-033000-nightly-aaaa stopped, error zero_reward_variance: all equal");
  assert.deepEqual(runs[0]!.findings, [FINDING]);
  assert(!JSON.stringify(summaryOf(one, false)).includes("/home/me"));
  assert.match(JSON.stringify(summaryOf(one, true)), /"report":"\/home\/me\/runs\/2026.*\/report\.html"/);
});

Deno.test("notify() starts the program of the workflow's folder with JSON, and says what went wrong with it", () =>
  withFolder(async (folder) => {
    await Deno.writeTextFile(join(folder, "tell.sh"), '#!/bin/sh\ncat > "$1"\n', { mode: 0o755 });
    const failed = await ended({ exitCode: 1 }, { status: "failed" });
    const on: ("failure" | "finding")[] = ["failure"];
    assert.deepEqual(await notify({ on, command: ["./tell.sh", "a b"] }, failed, folder), []);
    assert.equal(JSON.parse(await Deno.readTextFile(join(folder, "a b"))).event, "failure");
    assert.deepEqual(await notify({ on, command: ["./none.sh"] }, failed, folder), [
      "Nobody was told: the program ./none.sh: there is no such program",
    ]);
    assert.match((await notify({ on, command: ["sh", "-c", "echo no >&2; exit 1"] }, failed, folder)).join(), /: no$/);
    assert.deepEqual(await notify({ on: ["finding"], command: ["./none.sh"] }, failed, folder), [], "not asked for");
  }));

Deno.test("notify() sends to a webhook from a program that may reach that host alone", () =>
  serving([200, 403], async (webhook, heard) => {
    const found = await ended({}, { findings: [{ ...FINDING, message: "mail me@example.org" }] });
    const on: ("failure" | "finding")[] = ["finding"];
    assert.deepEqual(await notify({ on, webhook }, found, "/"), []);
    const { event, text } = JSON.parse(heard[0]![2]);
    assert.equal(event, "finding");
    assert.match(text, /mail <e-mail>$/);
    const refused = await notify({ on, webhook }, found, "/");
    assert.match(refused.join(), /^Nobody was told: 127\.0\.0\.1:\d+: it answered 403$/);
  }));

Deno.test("notifyGrants() says what a person is asked, with its place, without what an address hides", () => {
  const text = scheduled(['cron: "0 3 * * *", notify: { command: [./tell.sh, a b], webhook: "https://x.org/secret" }']);
  const [command, webhook] = notifyGrants(parseWorkflow(text, "a.yaml"));
  assert.equal(command!.text, 'starts ./tell.sh "a b" when a scheduled run fails or finds something');
  assert.match(command!.place, /^a\.yaml:4:\d+$/);
  assert.equal(webhook!.text, "sends what a scheduled run found to x.org");
});

Deno.test({
  ignore: Deno.build.os === "windows",
  name: "checkNotify() refuses a path that is no program where it stands; a name is looked for when it is started",
  fn: async () => {
    const folder = await Deno.makeTempDir();
    try {
      const check = (program: string) => {
        const entry = `cron: "0 3 * * *", notify: { command: ["${program}", loud] }`;
        checkNotify(parseWorkflow(scheduled([entry]), "nightly.yaml", { folder }), folder);
      };
      assert.throws(
        () => check("./no.sh"),
        /^WorkflowError: nightly\.yaml:4:48: "command" is "\.\/no\.sh", which is no file; want a program/,
      );
      await Deno.writeTextFile(join(folder, "no.sh"), "#!/bin/sh\n", { mode: 0o644 });
      assert.throws(() => check("./no.sh"), /which nobody may start; make it executable: chmod \+x/);
      await Deno.chmod(join(folder, "no.sh"), 0o755);
      for (const program of ["./no.sh", join(folder, "no.sh"), "mail"]) check(program);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});
