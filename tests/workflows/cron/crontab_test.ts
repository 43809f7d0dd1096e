import assert from "node:assert/strict";
import { join } from "node:path";
import { block, crontab, timeFields, withBlock, withoutBlocks } from "../../../workflows/cron/crontab.ts";
import { AWKWARD, someJob } from "./some_job.ts";

const JOB = someJob(['cron: "30 3 * * *"']);
const OWN = block(JOB, "UTC");
const OTHERS = ["", "MAILTO=me\n", "# a comment\n5 * * * * /bin/true\n\n", "@daily x # 100\\%\n"];

Deno.test("block() has one line per entry, between two marks, that logs and is due in the zone", () => {
  assert.match(
    OWN,
    /^# Written by Nonzero .* for nightly: \/home\/me\/nightly\.yaml\n30 3 \* \* \* NO_COLOR=1 \/usr\/bin\/deno run .* \/home\/me\/nightly\.yaml --scheduled due >>\/opt\/nonzero\/runs\/\.cron\/nightly\.log 2>&1\n# End of what Nonzero wrote for nightly\n$/,
  );
});

Deno.test("block() looks for missed times when the machine starts, where these are caught up", () => {
  assert(!OWN.includes("@reboot"));
  assert.match(block(someJob(['cron: "0 3 * * *", catch_up: one']), "UTC"), /^@reboot NO_COLOR=1 .* --scheduled due /m);
});

Deno.test("block() writes percent signs with a backslash, and words that a shell reads back", async () => {
  const job = someJob(['cron: "0 3 * * *"'], {
    file: `${AWKWARD}/nightly.yaml`,
    deno: "/bin/echo",
    runs: "/dev/null%",
    environment: { A: "b c" },
  });
  const line = block(job, "UTC").split("\n")[1]!.replace(/^(\S+ ){5}/, "");
  assert(!/(?<!\\)%/.test(line), line);
  // As cron hands it to the shell.
  const command = line.replaceAll("\\%", "%").replace(/ >>.*$/, "");
  const { stdout } = await new Deno.Command("sh", { args: ["-c", command] }).output();
  assert.equal(
    new TextDecoder().decode(stdout).trim(),
    [...job.denoArguments, job.file, "--scheduled", "due", "--runs", "/dev/null%"].join(" "),
  );
});

Deno.test("block() refuses a command that cron would refuse", () => {
  const job = someJob(['cron: "0 3 * * *"'], { file: `/${"a".repeat(900)}.yaml` });
  assert.throws(() => block(job, "UTC"), /its command has \d+ characters, want at most 998; take --target systemd/);
});

for (const table of OTHERS) {
  Deno.test(`withBlock() and withoutBlocks() leave ${JSON.stringify(table)} as it was`, () => {
    const installed = withBlock(table, OWN, JOB);
    assert.equal(installed, table + OWN);
    assert.equal(withBlock(installed, OWN, JOB), installed, "twice is once");
    assert.equal(withoutBlocks(installed, JOB.file), table);
    // Lines that came behind it stay as well.
    assert.equal(withoutBlocks(`${installed}9 9 * * * x\n`, JOB.file), `${table}9 9 * * * x\n`);
  });
}

Deno.test("a table that was not there goes with the last block, unless another wrote into it", () => {
  const installed = withBlock(null, OWN, JOB);
  assert.equal(withoutBlocks(installed, JOB.file), null);
  assert.equal(withBlock(installed, OWN, JOB), installed);
  assert.equal(withoutBlocks(`${installed}9 9 * * * x\n`, JOB.file), "9 9 * * * x\n");
});

Deno.test("withBlock() replaces the block of the workflow alone, where it stands", () => {
  const other = someJob(['cron: "0 1 * * *"'], { name: "other", file: "/home/me/other.yaml" });
  const both = withBlock(withBlock("1 1 * * * a\n", OWN, JOB), block(other, "UTC"), other);
  const changed = block(someJob(['cron: "45 4 * * *"']), "UTC");
  assert.equal(withBlock(both, changed, JOB), both.replace(OWN, changed));
  assert.equal(withoutBlocks(both, other.file), `1 1 * * * a\n${OWN}`);
});

Deno.test("withBlock() refuses another workflow of that name while its file is there, and takes over when it has moved", async () => {
  const file = await Deno.makeTempFile({ suffix: ".yaml" });
  const there = block(someJob(['cron: "0 3 * * *"'], { file }), "UTC");
  assert.throws(() => withBlock(there, OWN, JOB), /belongs to another workflow of that name, .*; rename one of them/);
  await Deno.remove(file);
  assert.equal(withBlock(there, OWN, JOB), OWN);
});

Deno.test("a block that has lost its end is named, not guessed", () => {
  const cut = OWN.replace(/# End of.*\n/, "") + "9 9 * * * x\n";
  assert.throws(() => withBlock(cut, OWN, JOB), /has lost its "# End of …"; mend it with: crontab -e/);
  assert.throws(() => withoutBlocks(cut + OWN, JOB.file), /has lost its/);
});

Deno.test("timeFields() keeps an entry in the machine's zone, and covers both halves of the year in another", () => {
  const fields = (entry: string, zone: string) => timeFields(someJob([entry]).entries[0]!, zone);
  assert.deepEqual(fields('cron: "30 3 1 * mon", timezone: Etc/UTC', "UTC"), ["30 3 1 * 1"]);
  assert.deepEqual(fields('cron: "30 3 * * *", timezone: Europe/Berlin', "UTC"), ["30 1,2 * * *"]);
  assert.deepEqual(fields('cron: "30 23 * * *"', "Asia/Kolkata"), ["0 5 * * *"]);
  assert.deepEqual(fields('cron: "*/30 * * * *", timezone: Europe/Berlin', "UTC"), ["0,30 * * * *"]);
});

Deno.test({
  ignore: Deno.build.os === "windows",
  name: "lines that another writes between what is shown and what is done stay in the table",
  fn: async () => {
    const folder = await Deno.makeTempDir(), table = join(folder, "table"), path = Deno.env.get("PATH")!;
    const program = `#!/bin/sh\ncase "$1" in -l) cat "${table}" ;; -) cat > "${table}" ;; esac\n`;
    try {
      await Deno.writeTextFile(join(folder, "crontab"), program, { mode: 0o755 });
      await Deno.writeTextFile(table, "1 1 * * * a\n");
      Deno.env.set("PATH", `${folder}:${path}`);
      const { changes: [change] } = await crontab.install(JOB);
      await Deno.writeTextFile(table, "1 1 * * * a\n2 2 * * * b\n");
      const said = await change!.apply();
      assert.equal(await Deno.readTextFile(table), `1 1 * * * a\n2 2 * * * b\n${block(JOB)}`);
      assert.deepEqual(said, ["Somebody else changed the crontab in the meantime: those lines are kept"]);
    } finally {
      Deno.env.set("PATH", path);
      await Deno.remove(folder, { recursive: true });
    }
  },
});
