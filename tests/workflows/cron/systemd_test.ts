import assert from "node:assert/strict";
import { join } from "node:path";
import { systemd, units } from "../../../workflows/cron/systemd.ts";
import { AWKWARD, has, someJob } from "./some_job.ts";

Deno.test("units() writes a service that takes 75 as success and logs, and a timer per entry", () => {
  const job = someJob(['cron: "30 3 * * 1-5", timezone: Europe/Berlin, catch_up: one', 'cron: "0 12 1 * mon"']);
  const { "nonzero-nightly.service": service, "nonzero-nightly.timer": timer } = units(job);
  assert.match(service!, /^# Written by Nonzero \(cron, systemd\) for nightly: \/home\/me\/nightly\.yaml\n/);
  assert.match(service!, /^ExecStart=:\/usr\/bin\/deno run .* run \/home\/me\/nightly\.yaml --scheduled due$/m);
  assert.match(service!, /^SuccessExitStatus=75$/m);
  assert.match(service!, /^Environment=NO_COLOR=1$/m);
  assert.match(service!, /^StandardError=append:\/opt\/nonzero\/runs\/\.cron\/nightly\.log$/m);
  assert.match(timer!, /^OnCalendar=Mon,Tue,Wed,Thu,Fri \*-\*-\* 03:30:00 Europe\/Berlin$/m);
  // Either kind of day is enough.
  assert.match(timer!, /^OnCalendar=\*-\*-01 12:00:00 UTC\nOnCalendar=Mon \*-\*-\* 12:00:00 UTC$/m);
  assert.match(timer!, /^Persistent=true$/m);
});

Deno.test("units() has a shell start a program whose path systemd refuses", () => {
  const job = someJob(['cron: "0 3 * * *"'], { deno: '/a "b"/deno' });
  assert.match(
    units(job)["nonzero-nightly.service"]!,
    /^ExecStart=:\/bin\/sh -c "exec \\"\$0\\" \\"\$@\\"" "\/a \\"b\\"\/deno" run /m,
  );
});

Deno.test("units() does not catch up unless it is asked to", () => {
  assert.match(units(someJob(['cron: "0 3 * * *"']))["nonzero-nightly.timer"]!, /^Persistent=false$/m);
});

Deno.test({
  name: "systemd-analyze verify accepts the units, also with spaces, quotes, % and \\ in paths",
  ignore: !has("systemd-analyze"),
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      // verify looks whether the program is there.
      const deno = join(folder, "a b 100%", "deno");
      await Deno.mkdir(join(deno, ".."));
      await Deno.writeTextFile(deno, "#!/bin/sh\n", { mode: 0o755 });
      const job = someJob(['cron: "*/20 1-3 1-7 jan-mar mon", timezone: America/New_York'], {
        deno,
        file: `${AWKWARD}/nightly.yaml`,
        runs: `${AWKWARD}/runs`,
        environment: { NO_COLOR: "1", HF_HOME: AWKWARD },
      });
      const quoted = units({ ...job, name: "quoted", deno: join(folder, 'a "b"', "deno") });
      const paths = await Promise.all(
        Object.entries({ ...units(job), ...quoted }).map(async ([name, text]) => {
          await Deno.writeTextFile(join(folder, name), text);
          return join(folder, name);
        }),
      );
      const verify = async () => {
        const { success, stderr } = await new Deno.Command("systemd-analyze", {
          args: ["verify", "--user", ...paths],
          env: { XDG_RUNTIME_DIR: folder },
        }).output();
        return [success, ...new TextDecoder().decode(stderr).split("\n").filter((line) => line.includes("nonzero-"))];
      };
      assert.deepEqual(await verify(), [true]);
      await Deno.writeTextFile(
        paths[1]!,
        units(job)["nonzero-nightly.timer"]!.replace("-*-", "-13-").replace("01,02", "25"),
      );
      assert.match((await verify()).join(), /Failed to parse calendar specification/);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
});

Deno.test("systemd.show() says where each unit goes", () => {
  const text = systemd.show(someJob(['cron: "0 3 * * *"']));
  assert.match(text, /^# .*\/systemd\/user\/nonzero-nightly\.service$/m);
  assert.match(text, /^# .*\/systemd\/user\/nonzero-nightly\.timer$/m);
});
