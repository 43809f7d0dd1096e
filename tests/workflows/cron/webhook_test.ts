import assert from "node:assert/strict";
import { send } from "../../../workflows/cron/webhook.ts";
import { serving } from "./serving.ts";

Deno.test("send() posts JSON, and tries again where the server has a bad moment", () =>
  serving([500, 204], async (url, heard) => {
    assert.equal(await send(url, '{"a":1}', 1), 204);
    assert.deepEqual(heard, [["POST", "application/json", '{"a":1}'], ["POST", "application/json", '{"a":1}']]);
  }));

Deno.test("send() gives an answer that will not change, and follows nobody elsewhere", () =>
  serving([404, 302], async (url, heard) => {
    assert.deepEqual([await send(url, "{}", 1), await send(url, "{}", 1)], [404, 302]);
    assert.equal(heard.length, 2);
  }));

Deno.test("send() says that nobody is there", async () => {
  await assert.rejects(send("http://127.0.0.1:9/", "{}", 1));
});
