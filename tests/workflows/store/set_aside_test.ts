/** What is moved aside keeps its bytes and its path. @module */
import assert from "node:assert/strict";
import { join } from "node:path";
import { SetAside } from "../../../workflows/store/set_aside.ts";
import { withFolder } from "../engine/fake_runs.ts";

Deno.test("move() keeps every version, one number per resume, and gives null for what is not there", () =>
  withFolder((folder) => {
    const write = (text: string) => Deno.writeTextFileSync(join(folder, "run.json"), text);
    const moved = (path: string) => Deno.readTextFileSync(join(folder, path));
    const first = new SetAside(folder);
    assert.equal(first.move("run.json"), null);
    assert.throws(() => Deno.statSync(join(folder, "set_aside")), Deno.errors.NotFound);
    for (const [text, to] of [["a", "set_aside/1/run.json"], ["b", "set_aside/1/run.json.2"]] as const) {
      write(text);
      assert.equal(first.move("run.json"), to);
      assert.equal(moved(to), text);
    }
    write("c");
    assert.equal(new SetAside(folder).move("run.json"), "set_aside/2/run.json");
    assert.deepEqual(["set_aside/1/run.json", "set_aside/2/run.json"].map(moved), ["a", "c"]);
  }));
