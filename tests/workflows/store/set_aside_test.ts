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

Deno.test("move() moves a folder that nobody may write into, and leaves it as it was", {
  ignore: Deno.build.os === "windows",
}, () =>
  withFolder((folder) => {
    // As the system does for everyone but root.
    const rename = (from: string | URL, to: string | URL) => {
      if ((Deno.statSync(from).mode! & 0o200) === 0) throw new Deno.errors.PermissionDenied("Permission denied");
      Deno.renameSync(from, to);
    };
    const rows = join(folder, "tables", "findings");
    Deno.mkdirSync(rows, { recursive: true });
    Deno.chmodSync(rows, 0);
    const to = new SetAside(folder, rename).move("tables/findings");
    assert.equal(to, "set_aside/1/tables/findings");
    assert.equal(Deno.statSync(join(folder, to!)).mode! & 0o777, 0);
  }));
