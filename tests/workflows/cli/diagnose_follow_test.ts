import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inFolder } from "../doctor/follow/collected.ts";
import { Following } from "./following.ts";
import { inProcess } from "./in_process.ts";

const read = (name: string) =>
  Deno.readTextFile(fileURLToPath(new URL(`../../cases/${name}/log.txt`, import.meta.url)));
const DYING = await read("108-trl-grpo"), HEALTHY = await read("103-trl-grpo");
const lines = DYING.split(/(?<=\n)/), DEAD = lines.slice(0, 140).join("");

Deno.test("diagnose --follow - repeats every byte, tells while the run goes on, and ends with the verdict", async () => {
  const following = new Following(["-"]);
  await following.write(DEAD);
  await following.shows("err", /nonzero {2}fatal old_logprob_nan {2}record 15/);
  assert.doesNotMatch(following.err, /FAULTY/);
  const rest = Uint8Array.from([...new TextEncoder().encode(lines.slice(140).join("")), 13, 0xe2, 0x96]);
  await following.write(rest);
  assert.equal(await following.end(), 0);
  assert.equal(following.out, DYING + "\r\ufffd");
  assert.match(following.err, /^FAULTY {2}grad_norm turn NaN at train step \d+ [^]*^fatal old_logprob_nan/m);
});

Deno.test("diagnose --follow - of a healthy run tells nothing, and ends with its verdict", async () => {
  const following = new Following(["-", "--fail-on", "warning"]);
  await following.write(HEALTHY);
  assert.equal(await following.end(), 0);
  assert.equal(following.out, HEALTHY);
  assert.doesNotMatch(following.err, /nonzero {2}/);
  assert.match(following.err, /^HEALTHY/m);
});

Deno.test("diagnose --follow - --fail-on error ends with exit 3 while the run goes on; --on-error has run once", () =>
  inFolder(async (folder) => {
    const told = join(folder, "told");
    const following = new Following([
      "-",
      "--fail-on",
      "error",
      "--on-error",
      `echo its own words; echo $NONZERO_CAUSE >> '${told}'; exit 5`,
    ]);
    await following.write(DEAD);
    assert.equal(await following.end({ close: false }), 3);
    assert.equal(await Deno.readTextFile(told), "old_logprob_nan\n");
    assert.match(following.err, /^FAULTY/m);
    assert.match(following.err, /^its own words$/m);
    assert.equal(following.out, DEAD, "the person's lines alone");
    assert.match(following.err, /The command of --on-error .* failed: exit code 5/);
  }));

Deno.test("diagnose --follow - goes on when its stdout is closed: the run that writes into it must not end", async () => {
  const following = new Following(["-"], { closeStdout: true });
  await following.write(DEAD);
  await following.shows("err", "stdout is closed (nobody reads it): goes on reading");
  await following.shows("err", "fatal old_logprob_nan");
  await following.write(lines.slice(140).join(""));
  assert.equal(await following.end(), 0);
  assert.match(following.err, /30 records/);
});

Deno.test("diagnose --follow - reads on to the end of the input after SIGINT: the run's last words are passed on", async () => {
  const following = new Following(["-"]);
  await following.write(DEAD);
  await following.shows("err", "fatal old_logprob_nan");
  following.signal("SIGINT");
  await following.shows("err", "interrupted: reads the input to its end");
  await following.write("saving the last checkpoint\n");
  assert.equal(await following.end(), 130);
  assert.match(following.out, /saving the last checkpoint\n$/);
  assert.match(following.err, /^FAULTY/m);
});

Deno.test("diagnose --follow - ends with its verdict on a second SIGINT, though the input goes on", async () => {
  const following = new Following(["-"]);
  await following.write(DEAD);
  await following.shows("err", "fatal old_logprob_nan");
  following.signal("SIGINT");
  await following.shows("err", "Ctrl-C again ends now");
  await new Promise((resolve) => setTimeout(resolve, 1100)); // two within a second are one
  following.signal("SIGINT");
  assert.equal(await following.end({ close: false }), 130);
  assert.match(following.err, /^FAULTY/m);
});

Deno.test("diagnose --follow - ends with its verdict on SIGTERM, though the input goes on", async () => {
  const following = new Following(["-"]);
  await following.write(DEAD);
  await following.shows("err", "fatal old_logprob_nan");
  following.signal("SIGTERM");
  assert.equal(await following.end({ close: false }), 143);
  assert.match(following.err, /^FAULTY/m);
});

Deno.test("diagnose --follow FILE waits for it, follows it over a rotation, and ends by SIGINT with verdict and page", () =>
  inFolder(async (folder, write) => {
    const log = join(folder, "train.log"), page = join(folder, "page.html");
    const following = new Following([log, "--html", page]);
    await following.shows("err", "train.log, which is not there yet");
    await write("train.log", lines.slice(0, 60).join(""));
    await following.shows("out", lines[59]!);
    await Deno.rename(log, join(folder, "train.log.1"));
    await write("train.log", lines.slice(60, 140).join(""));
    await following.shows("err", "train.log was replaced");
    await following.shows("err", "fatal old_logprob_nan");
    following.signal("SIGINT");
    assert.equal(await following.end(), 130);
    assert.equal(following.out, DEAD);
    assert.match(await Deno.readTextFile(page), /old_logprob_nan/);
  }));

Deno.test("diagnose --follow refuses two paths, --json, a run of ours; --on-error and nothing to follow", () =>
  inFolder(async (folder, write) => {
    await Deno.mkdir(join(folder, "tables"));
    await write("run.json", "{}");
    for (
      const [args, message] of [
        [["--follow", "a", "b"], /Cannot follow "a" and "b": want one of them/],
        [["--follow", "a", "--json"], /stdout repeats the log/],
        [["--follow"], /no path given/],
        [["a", "--on-error", "true"], /want --follow with it/],
        [["--follow", folder], /it is a run of Nonzero/],
      ] as const
    ) {
      const { code, err } = await inProcess(["diagnose", ...args]);
      assert.match(err, message);
      assert.equal(code, 2, err);
    }
  }));
