import assert from "node:assert/strict";
import { join, resolve } from "node:path";
import { wayFrom, whereItLeads } from "../../data/real_path.ts";

Deno.test("whereItLeads() follows links as far as a path exists, and ends where they go around", () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync()), to = (...parts: string[]) => join(root, ...parts);
  try {
    Deno.mkdirSync(to("a", "b"), { recursive: true });
    Deno.symlinkSync(to("a", "b"), to("link"));
    Deno.symlinkSync(to("nothing"), to("dangling"));
    Deno.symlinkSync(to("round"), to("round"));
    assert.equal(whereItLeads(to("link", "new", "x")), to("a", "b", "new", "x"));
    assert.equal(whereItLeads(to("dangling", "x")), to("nothing", "x"));
    assert.equal(typeof whereItLeads(to("round", "x")), "string");
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});

Deno.test("wayFrom() is the way that the system goes, also from a folder behind a link that is not there yet", () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync()), to = (...parts: string[]) => join(root, ...parts);
  try {
    Deno.mkdirSync(to("disk", "runs"), { recursive: true });
    Deno.mkdirSync(to("base"));
    Deno.symlinkSync(to("disk", "runs"), to("runs"));
    const adapter = to("runs", "one", "model"), way = wayFrom(adapter, to("base"));
    assert.equal(way, "../../../../base");
    Deno.mkdirSync(adapter, { recursive: true });
    assert.equal(resolve(whereItLeads(adapter), way), to("base"));
    assert.equal(wayFrom(to("base"), to("base")), ".");
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
