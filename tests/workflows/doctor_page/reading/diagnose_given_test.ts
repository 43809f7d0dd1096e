/** What the page reads is what `diagnose` reads: every case, as files without a disk. */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { fileURLToPath } from "node:url";
import { examine } from "../../../../workflows/doctor/examine.ts";
import { markdownReport } from "../../../../workflows/doctor/markdown_report.ts";
import { GivenRun } from "../../../../workflows/doctor_page/reading/diagnose_given.ts";
import { CASES, givenCase } from "../given_case.ts";

for (const name of CASES) {
  Deno.test(`GivenRun finds in the files of ${name} what diagnose finds in the folder`, async () => {
    const folder = fileURLToPath(new URL(`../../../cases/${name}`, import.meta.url));
    const [given, examined] = [await new GivenRun().diagnose(givenCase(name)), await examine([folder])];
    assert.deepEqual(
      given.runs.map(({ markdown }) => markdown.stripped),
      examined.map((one) => markdownReport(one, false).replaceAll(folder, `./${name}`)),
    );
  });
}

const RECORD = "{'loss': 0.5, 'grad_norm': 1.0, 'reward': 0.25, 'learning_rate': 1e-06, 'epoch': 0.1}\n";

Deno.test("GivenRun reads a text as standard input, a .gz as what it holds, and tells how far it is", async () => {
  const text = RECORD.repeat(20), seen: number[] = [];
  const pasted = await new GivenRun().diagnose({ kind: "text", text });
  const packed = new File([new Uint8Array(gzipSync(text))], "run.log.gz"), run = new GivenRun();
  const unpacked = await run.diagnose({ kind: "file", file: packed }, (_, bytes) => seen.push(bytes));
  assert.deepEqual([pasted, unpacked].map(({ files: [file] }) => [file!.format, file!.records]), [
    ["console", 20],
    ["console", 20],
  ]);
  assert.equal(seen.at(-1), text.length);
  assert.equal((await run.lines("run.log.gz", 20, 5)).lines[0]!.text, RECORD.trimEnd());
});

Deno.test("GivenRun says what a page does not read, and reads the rest", async () => {
  const file = (text: string) => new Blob([text]);
  const { runs: [run], files } = await new GivenRun().diagnose({
    kind: "folder",
    name: "out",
    files: [
      { path: "out/train.log", file: file(RECORD) },
      { path: "out/mlflow.db", file: file("SQLite format 3\0") },
      { path: "out/own/run.json", file: file('{"format": 1}') },
      { path: "out/own/tables/metrics/1-2.arrow", file: file("x") },
    ],
  });
  assert.deepEqual(files.map(({ shown, records }) => [shown, records]), [["mlflow.db", 0], ["train.log", 1]]);
  const reading = run!.run.reading.join("\n");
  assert.match(reading, /mlflow\.db.*a SQLite database/);
  assert.match(reading, /own: a run of Nonzero is read from its folder/);
});

Deno.test("GivenRun reads nothing, bytes and a line of a megabyte without a finding", async () => {
  for (const text of ["", "\0\x01\x02".repeat(5000), "x".repeat(1 << 20), "<img src=x onerror=alert(1)>"]) {
    const { runs } = await new GivenRun().diagnose({ kind: "text", text });
    assert.deepEqual(runs.map(({ run }) => [run.verdict, run.findings.length]), [["cannot tell", 0]]);
  }
  await assert.rejects(new GivenRun().lines("x", 1, 1), /Cannot show x: it was not read/);
});

const TOLD = new URL("../../../posts/written/h-19-length-inflation-en/post.md", import.meta.url);

Deno.test("GivenRun counts the same records of a post wherever it tells them: those that are printed", async () => {
  const given = { kind: "text", text: Deno.readTextFileSync(TOLD) } as const;
  const { runs: [run], files: [file] } = await new GivenRun().diagnose(given);
  assert.equal(file!.records, Number.parseInt(run!.run.reading[0]!));
});

Deno.test("GivenRun lists what the stripped report leaves out as the log has it", async () => {
  const completion = "C:\\Users\\ada\\x https://ada:hunter2@gitea:3000/x";
  const rows = [1, 1, 2, 2].map((step) => JSON.stringify({ step, prompt: "p", completion, reward: 0 }));
  const { runs: [run] } = await new GivenRun().diagnose({ kind: "text", text: rows.join("\n") });
  const { stripped, whole, taken } = run!.markdown;
  assert.deepEqual(taken.map(({ by }) => by), ["https://<token>@", "C:\\\\Users\\\\…"]);
  for (const one of taken) assert(whole.replaceAll("\u200b", "").includes(one.text), one.text);
  assert.doesNotMatch(stripped, /hunter2|ada/);
});

Deno.test("GivenRun reads posts that are given together as a run each", async () => {
  const file = (text: string) => new Blob([text]);
  const { runs, files } = await new GivenRun().diagnose({
    kind: "folder",
    name: "together",
    files: [
      { path: "together/a.md", file: file(`GRPO with TRL:\n\n${RECORD}`) },
      { path: "together/b.md", file: file("PPO with verl: the loss is NaN.\n") },
    ],
  });
  assert.deepEqual(runs.map(({ run }) => run.system), ["trl grpo", "verl ppo"]);
  assert.equal(files.length, 2);
});
