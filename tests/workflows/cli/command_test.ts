import assert from "node:assert/strict";
import { UsageError } from "../../../workflows/terminal/usage_error.ts";
import { BREAD } from "./bread.ts";

Deno.test("defineCommand() gives the command as it was written, and UsageError its name", async () => {
  assert.equal(BREAD.about, "Bake bread");
  assert.equal(await BREAD.run([], {}), 0);
  assert.equal(new UsageError("Cannot").name, "UsageError");
});
