/**
 * A real Debian cron starts an installed workflow at its minute: takes up to 75 s and the crontab of whoever runs it, so it
 * runs where it is asked for, by NONZERO_TEST_CRON=1, as root.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { runIds } from "../../../workflows/explore/find_run.ts";
import { readManifest } from "../../../workflows/store/manifest.ts";
import { commandLine } from "../cli/command_line.ts";
import { TINY } from "../cli/tiny.ts";
import { has } from "../cron/some_job.ts";

const asked = Deno.env.get("NONZERO_TEST_CRON") === "1", isThere = has("cron") && has("crontab");
if (!asked || !isThere) {
  console.log(`No test with a real cron: ${isThere ? "it wants NONZERO_TEST_CRON=1" : "cron is not installed"}`);
}

async function table(): Promise<string | null> {
  const { success, stdout } = await new Deno.Command("crontab", { args: ["-l"], stderr: "null" }).output();
  return success ? new TextDecoder().decode(stdout) : null;
}

Deno.test({
  name:
    "cron starts an installed workflow at its minute on another zone's clock, in a folder with a space and a percent sign",
  ignore: !asked || !isThere,
  async fn() {
    const before = await table();
    const folder = join(await Deno.makeTempDir(), "a b 100%"),
      runs = join(folder, "my runs"),
      file = join(folder, "tiny.yaml");
    await Deno.mkdir(folder);
    // A minute is too short for what is written in its last seconds.
    const now = Temporal.Now.instant(), at = now.add({ seconds: 70 }).toZonedDateTimeISO("Asia/Kolkata");
    const entry = `{ cron: "${at.minute} ${at.hour} * * *", timezone: Asia/Kolkata }`;
    await Deno.writeTextFile(
      file,
      TINY.replace("train_steps: 6", "train_steps: 1").replace("steps:\n", `on: { schedule: [${entry}] }\nsteps:\n`),
    );
    const words = [file, "--target", "crontab", "--runs", runs, "--yes"];
    const daemon = new Deno.Command("cron", { args: ["-f"], stdout: "null", stderr: "null" }).spawn();
    try {
      const { code, err } = await commandLine(["cron", "install", ...words]);
      assert.equal(code, 0, err);
      const due = Math.floor(at.epochMilliseconds / 60e3) * 60e3;
      let done = null;
      while (Date.now() < due + 30e3 && done === null) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        done = runIds(runs).map((id) => readManifest(join(runs, id))).find(({ status }) => status !== "running") ??
          null;
      }
      const log = await Deno.readTextFile(join(runs, ".cron", "tiny.log")).catch(() => "no log");
      assert.equal(done?.status, "ok", log);
      assert.deepEqual([done!.trigger, Date.parse(done!.scheduled_for!)], ["schedule", due]);
      assert(Date.parse(done!.created) - due < 60e3, "within its minute");
      assert.match(log, /^tiny: scheduled for .* Asia\/Kolkata\n/);
      // deno-lint-ignore no-control-regex
      assert(!/\x1b/.test(log), "no colours");
    } finally {
      daemon.kill("SIGTERM");
      await daemon.status;
      assert.equal((await commandLine(["cron", "remove", ...words])).code, 0);
      assert.equal(await table(), before);
      await Deno.remove(join(folder, ".."), { recursive: true });
    }
  },
});
