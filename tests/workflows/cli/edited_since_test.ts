import assert from "node:assert/strict";
import { join } from "node:path";
import { commandLine } from "../../../workflows/terminal/command_line.ts";
import { inProcess } from "./in_process.ts";
import { withRuns } from "./fabricated_run.ts";

const TEXT = `name: mine
params: { digits: 1, other: 2 }
seed: 3
steps:
  - { uses: load_prompts, with: { task: addition, digits: "\${{ params.digits }}" } }
`;

Deno.test("editedSince() prints a command that goes on with the file, its parameters, seed and drift, when it is pasted", () =>
  withRuns(async (runs) => {
    const source = join(runs, ".home", "mine.yaml");
    Deno.mkdirSync(join(runs, ".home"));
    Deno.writeTextFileSync(source, TEXT);
    assert.equal((await inProcess(["run", source, "--runs", runs, "-p", "digits=2", "--seed", "9"])).code, 0);
    const resumed = async (...more: string[]) => await inProcess(["run", "--resume", "last", "--runs", runs, ...more]);
    const hint = async () => {
      const { err } = await resumed();
      const found = / to go on with the file's:\s+(\S.*)$/m.exec(err)?.[1];
      assert(found !== undefined && found.startsWith(commandLine(["run", source])), err);
      return found.slice(commandLine([]).length + 1).split(" ");
    };
    Deno.writeTextFileSync(source, `# a word\n${TEXT}`);
    const same = await hint();
    assert.deepEqual(same.slice(-4), ["--seed", "9", "-p", "digits=2"]);
    assert.equal((await inProcess(same)).code, 0);
    Deno.writeTextFileSync(source, TEXT.replace("task: addition,", "task: addition, limit: 20,"));
    const other = await hint();
    assert.equal(other.at(-1), "--allow-drift");
    const { code, err } = await inProcess(other);
    assert.equal(code, 0, err);
    assert.match(err, /Drift allowed: workflow\.steps\[0\]\.with\.limit is 20, was absent/);
    Deno.writeTextFileSync(source, TEXT.replace("addition", "adition"));
    assert.match((await resumed()).err, new RegExp(`mend it first:\\s+${commandLine(["check", source])}`));
  }));
