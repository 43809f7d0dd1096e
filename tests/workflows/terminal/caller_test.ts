import assert from "node:assert/strict";
import { callerFolder, pathArgument, PROJECT, shownPath } from "../../../workflows/terminal/caller.ts";

/** Runs the body as if started from `folder`; null: as if started without `deno task`. */
function from(folder: string | null, body: () => void): void {
  const before = Deno.env.get("INIT_CWD");
  const set = (value: string | null | undefined) =>
    typeof value === "string" ? Deno.env.set("INIT_CWD", value) : Deno.env.delete("INIT_CWD");
  set(folder);
  try {
    body();
  } finally {
    set(before);
  }
}

Deno.test("paths are relative to the caller's folder in INIT_CWD, else to the current one", () => {
  from("/some/where", () => {
    assert.equal(pathArgument("a/../b.yaml"), "/some/where/b.yaml");
    assert.equal(pathArgument("/abs/c"), "/abs/c");
    assert.equal(pathArgument("-"), "-");
  });
  from(null, () => assert.equal(callerFolder(), Deno.cwd()));
  assert(Deno.statSync(`${PROJECT}/deno.json`).isFile);
});

Deno.test("shownPath() is relative below the caller's folder and stays as it is elsewhere", () => {
  for (const here of ["/some/where", "/some/where/"]) {
    from(here, () => {
      assert.equal(shownPath("/some/where/b.yaml"), "b.yaml");
      assert.equal(shownPath("/some/where/..b/c"), "..b/c");
      assert.equal(shownPath("/some/where"), ".");
      assert.equal(shownPath("/some/wherever/b.yaml"), "/some/wherever/b.yaml");
      assert.equal(shownPath("/some"), "/some");
      assert.equal(shownPath("log.txt"), "log.txt");
    });
  }
  from("/", () => assert.equal(shownPath("/a/b"), "a/b"));
});

Deno.test("shownPath() is one line that moves nothing, whatever a file is called", () => {
  from("/some", () => assert.equal(shownPath("/some/a\nok  b.yaml\x1b[2J"), "a⏎ok  b.yaml\ufffd[2J"));
});
