import assert from "node:assert/strict";
import { join } from "node:path";
import { marksIn } from "../../../workflows/cron/job.ts";
import { commandLine } from "./command_line.ts";
import { TINY } from "./tiny.ts";

const SCHEDULED = TINY.replace(
  "steps:\n",
  'on: { schedule: [{ cron: "30 3 * * *", timezone: Europe/Berlin }] }\nsteps:\n',
);

/** A crontab of a file, which another program changes at its second reading where `edit` is there. */
const CRONTAB = `#!/bin/sh
table="$FAKE/table"
case "$1" in
  -l)
    echo x >> "$FAKE/readings"
    if [ -f "$FAKE/edit" ] && [ "$(wc -l < "$FAKE/readings")" = 2 ]; then cat "$FAKE/edit" >> "$table"; fi
    if [ -f "$table" ]; then cat "$table"; else echo "no crontab for you" >&2; exit 1; fi ;;
  -r) rm "$table" ;;
  -) cat > "$table" ;;
esac
`;

/** A systemctl that answers and writes down what it is told. */
const SYSTEMCTL = '#!/bin/sh\necho "$*" >> "$FAKE/systemctl.log"\n';

interface Place {
  /** Holds the workflow file "my flow 100%.yaml". */
  readonly folder: string;
  readonly file: string;
  cron(...words: readonly string[]): ReturnType<typeof commandLine>;
  /** What is in a file below the folder, null where there is none. */
  text(path: string): string | null;
  write(path: string, text: string): void;
}

/** A folder with the workflow and with programs that stand for those of the system. */
async function withPlace(
  programs: Readonly<Record<string, string>>,
  body: (place: Place) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir(), bin = join(folder, "bin"), file = join(folder, "my flow 100%.yaml");
  try {
    await Deno.mkdir(bin);
    await Deno.writeTextFile(file, SCHEDULED);
    for (const [name, text] of Object.entries(programs)) {
      await Deno.writeTextFile(join(bin, name), text, { mode: 0o755 });
    }
    // The machine may have a crontab and a systemctl of its own.
    for (const name of ["sh", "cat", "wc", "rm"]) await Deno.symlink(`/usr/bin/${name}`, join(bin, name));
    const env = { PATH: bin, HOME: folder, XDG_CONFIG_HOME: "", FAKE: folder };
    await body({
      folder,
      file,
      cron: (...words) => commandLine(["cron", ...words], folder, env),
      text(path) {
        try {
          return Deno.readTextFileSync(join(folder, path));
        } catch (error) {
          if (error instanceof Deno.errors.NotFound) return null;
          throw error;
        }
      },
      write: (path, text) => Deno.writeTextFileSync(join(folder, path), text),
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const RUNS = ["--runs", "runs"];
const only = { ignore: Deno.build.os === "windows" };

Deno.test({
  ...only,
  name:
    "cron install and remove leave the crontab as it was, byte for byte; twice is once; --yes is wanted where nobody is",
  fn: () =>
    withPlace({ crontab: CRONTAB }, async ({ cron, file, text, write }) => {
      const mine = "MAILTO=me\n\n# mine\n5 5 * * 1  /bin/true # 50\\%\n", words = [file, "--target", "crontab"];
      write("table", mine);
      const asked = await cron("install", ...words, ...RUNS);
      assert.equal(asked.code, 2);
      assert.match(
        asked.out,
        /^Will put these lines into your crontab\n {2}\| # Written by Nonzero .*\n( {2}\| .*\n)+(Note: .*\n)*First run: /,
      );
      assert.match(asked.err, /without asking, and nobody can be asked here: add --yes/);
      assert.equal(text("table"), mine);
      const done = await cron("install", ...words, ...RUNS, "--yes");
      assert.equal(done.code, 0, done.err);
      assert.match(
        done.out,
        /Installed for crontab; remove it with: .* cron remove "my flow 100%\.yaml" --target crontab/,
      );
      const installed = text("table")!;
      assert(installed.startsWith(mine) && installed.includes("my flow 100\\%.yaml"), installed);
      const again = await cron("install", ...words, ...RUNS, "--yes");
      assert.match(again.out, /is installed for crontab as it would be; nothing to change/);
      assert.equal(text("table"), installed);
      assert.equal((await cron("remove", ...words, ...RUNS, "--yes")).code, 0);
      assert.equal(text("table"), mine);
      assert.match(
        (await cron("remove", ...words, ...RUNS, "--yes")).out,
        /^Nothing is installed for crontab of my flow/,
      );
    }),
});

Deno.test({
  ...only,
  name:
    "cron refuses a crontab that is no UTF-8, and leaves it as it is; so it does where the run folder cannot be written",
  fn: () =>
    withPlace({ crontab: CRONTAB }, async ({ cron, file, folder, text, write }) => {
      const words = [file, "--target", "crontab", ...RUNS, "--yes"];
      const latin = new Uint8Array([35, 32, 99, 97, 102, 0xe9, 10]); // "# café" in latin1
      Deno.writeFileSync(join(folder, "table"), latin);
      for (const action of ["install", "remove"]) {
        const { code, err } = await cron(action, ...words);
        assert.equal(code, 2);
        assert.match(err, /no UTF-8; turn them into it.*crontab -l \| iconv -f latin1 -t utf-8 \| crontab -/);
      }
      assert.deepEqual(Deno.readFileSync(join(folder, "table")), latin);
      write("table", "# mine\n");
      Deno.mkdirSync(join(folder, "runs"));
      write("runs/.cron", "a file where a folder is wanted");
      assert.notEqual((await cron("install", ...words)).code, 0);
      assert.equal(text("table"), "# mine\n");
    }),
});

Deno.test({
  ...only,
  name: "cron install keeps the lines that another writes into the crontab in the meantime, and says so",
  fn: () =>
    withPlace({ crontab: CRONTAB }, async ({ cron, file, text, write }) => {
      write("table", "1 1 * * * mine\n");
      write("edit", "2 2 * * * theirs\n");
      const { code, out } = await cron("install", file, "--target", "crontab", ...RUNS, "--yes");
      assert.equal(code, 0);
      assert.match(out, /Somebody else changed the crontab in the meantime: those lines are kept/);
      assert.match(text("table")!, /^1 1 \* \* \* mine\n2 2 \* \* \* theirs\n# Written by Nonzero/);
    }),
});

Deno.test({
  ...only,
  name:
    "cron: a workflow that has moved takes its place over; what was installed for a file that is gone can be removed",
  fn: () =>
    withPlace({ crontab: CRONTAB }, async ({ cron, file, folder, text }) => {
      await cron("install", file, "--target", "crontab", ...RUNS, "--yes");
      const moved = join(folder, "moved.yaml");
      await Deno.rename(file, moved);
      const shown = await cron("show", file, "--target", "crontab");
      assert.deepEqual([shown.code, /there is no file my flow 100%\.yaml/.test(shown.err)], [2, true]);
      const { code, out } = await cron("install", moved, "--target", "crontab", ...RUNS, "--yes");
      assert.equal(code, 0);
      assert.match(out, /Note: it was installed for .*my flow 100%\.yaml, which is gone: replaced/);
      assert.deepEqual(marksIn(text("table")!), [{ name: "tiny", file: moved }]);
      await Deno.remove(moved);
      assert.equal((await cron("remove", moved, "--target", "crontab", ...RUNS, "--yes")).code, 0);
      assert.equal(text("table"), null, "there was none before");
    }),
});

Deno.test({
  ...only,
  name: "cron install --target systemd writes two units and starts the timer; remove stops it and leaves nothing",
  fn: () =>
    withPlace({ systemctl: SYSTEMCTL }, async ({ cron, file, folder, text }) => {
      const words = [file, "--target", "systemd", ...RUNS];
      const { code, out, err } = await cron("install", ...words, "--yes");
      assert.equal(code, 0, err);
      assert.match(out, /Will write \.config\/systemd\/user\/nonzero-tiny\.service/);
      assert.match(text(".config/systemd/user/nonzero-tiny.timer")!, /OnCalendar=\*-\*-\* 03:30:00 Europe\/Berlin/);
      assert.match(text(".config/systemd/user/nonzero-tiny.service")!, /my flow 100%%\.yaml" --scheduled due --runs /);
      const told = () => text("systemctl.log")!.split("\n").filter((line) => !/show-environment/.test(line));
      const timer = "nonzero-tiny.timer";
      assert.deepEqual(told(), ["--user daemon-reload", `--user enable ${timer}`, `--user restart ${timer}`, ""]);
      assert.match((await cron("install", ...words, "--yes")).out, /nothing to change/);
      assert.equal((await cron("remove", ...words, "--yes")).code, 0);
      assert.deepEqual(told().slice(3), [`--user disable --now ${timer}`, "--user daemon-reload", ""]);
      assert.deepEqual([...Deno.readDirSync(join(folder, ".config/systemd/user"))], []);
    }),
});

Deno.test({
  ...only,
  name: "cron names a target that is not there, with what to do; show works there",
  fn: () =>
    withPlace({}, async ({ cron, file }) => {
      for (
        const [target, want] of [
          ["crontab", /there is no program crontab here; install one .*, or take --target systemd/],
          [
            "systemd",
            /there is no systemctl here; take --target crontab, or print the units: .* cron show "my flow 100%\.yaml" --target systemd/,
          ],
          ["github", /lies in no git repository/],
          [
            "kubernetes",
            /there is no kubectl here; write it into a file: .* cron show .* --target kubernetes >cronjob\.yaml/,
          ],
        ] as const
      ) {
        for (const action of ["install", "remove"]) {
          const { code, err } = await cron(action, file, "--target", target, "--yes");
          assert.match(err, action === "remove" && target === "systemd" ? /^$/ : want, `${action} ${target}`);
          assert.equal(code, err === "" ? 0 : 2);
        }
        const shown = await cron("show", file, "--target", target);
        assert.deepEqual([shown.code, shown.err], [0, ""]);
        assert.match(shown.out, /^# .*\n/);
      }
    }),
});

Deno.test({
  ...only,
  name: "cron next tells the times, on the clock of the zone and on the machine's; warnings go to stderr",
  fn: () =>
    withPlace({}, async ({ cron, file, write }) => {
      const { out } = await cron("next", file, "-n", "2");
      assert.match(out, /^(\w{3} \d{4}-\d\d-\d\d 03:30 Europe\/Berlin .*in \d+ .*\n){2}$/);
      const [line] = (await cron("next", file, "-n", "1", "--json")).out.split("\n");
      const { time, timezone, cron: text } = JSON.parse(line!);
      assert.deepEqual([timezone, text], ["Europe/Berlin", "30 3 * * *"]);
      assert(Date.parse(time) > Date.now());
      write("often.yaml", SCHEDULED.replace("30 3", "* 3"));
      const often = await cron("next", "often.yaml");
      assert.equal(often.code, 0);
      assert.match(often.err, /^often\.yaml:\d+:\d+: warning: "\* 3 \* \* \*" fires every minute of hour 3/);
      write("never.yaml", SCHEDULED.replace("30 3 * *", "30 3 31 6"));
      const never = await cron("next", "never.yaml");
      assert.deepEqual([never.code, never.out], [2, ""]);
      assert.match(never.err, /^never\.yaml:\d+:\d+: "cron" is "30 3 31 6 \*", which never fires/);
      write("plain.yaml", TINY);
      const plain = await cron("next", "plain.yaml");
      assert.match(plain.err, /has no on\.schedule; add these lines, minute and hour first:\n\non:\n {2}schedule:\n/);
    }),
});

Deno.test({
  ...only,
  name: "cron install asks before a workflow that tells somebody is installed, and the run finds the answer",
  fn: () =>
    withPlace({ crontab: CRONTAB }, async ({ cron, folder, write }) => {
      write("told.yaml", SCHEDULED.replace("Berlin }", "Berlin, notify: { command: [./tell.sh] } }"));
      const words = ["install", "told.yaml", "--target", "crontab", ...RUNS, "--yes"];
      const missing = await cron(...words);
      assert.equal(missing.code, 2);
      assert.match(missing.err, /told\.yaml:\d+:\d+: "command" is "\.\/tell\.sh", which is no file; want a program/);
      write("tell.sh", "#!/bin/sh\n");
      Deno.chmodSync(join(folder, "tell.sh"), 0o755);
      const refused = await cron(...words);
      assert.equal(refused.code, 2);
      assert.match(refused.err, /told\.yaml:\d+:\d+: it starts \.\/tell\.sh when a scheduled run fails/);
      assert.equal((await cron(...words, "--trust")).code, 0);
      const run = ["run", join(folder, "told.yaml"), "--scheduled", "now", ...RUNS, "-p", "train_steps=1"];
      const ran = await commandLine(run, folder, { HOME: folder });
      assert.equal(ran.code, 0, ran.err);
    }),
});
