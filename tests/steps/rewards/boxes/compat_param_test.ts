import assert from "node:assert/strict";
import { z } from "zod";
import { visualParams } from "../../../../steps/rewards/boxes/compat_param.ts";

const params = visualParams({ least: z.number().default(0.5).describe("") });

Deno.test("visualParams() has compat off unless it is asked for", () => {
  assert.deepEqual(params.parse({}), { compat: false, least: 0.5 });
  assert.deepEqual(params.parse({ least: 0 }), { compat: false, least: 0 });
});

Deno.test("visualParams() refuses beside compat what only the sound form reads", () => {
  assert.deepEqual(params.parse({ compat: true, least: 0.5 }), { compat: true, least: 0.5 });
  const [issue] = params.safeParse({ compat: true, least: 0 }).error!.issues;
  assert.deepEqual(issue!.path, ["least"]);
  assert.match(
    issue!.message,
    /^Cannot use "least": compat is true, which reads no other option; nothing would change$/,
  );
});
