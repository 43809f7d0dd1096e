import assert from "node:assert/strict";
import { strftime } from "../../../../data/hub/templates/strftime.ts";

Deno.test("strftime() writes dates as Python does", () => {
  const date = new Date(2024, 2, 5, 14, 7, 9);
  assert.equal(
    strftime(date, "%d %b %Y|%A %a %B %j|%H:%M:%S %I %p|%y %m %e %-d %%"),
    "05 Mar 2024|Tuesday Tue March 065|14:07:09 02 PM|24 03  5 5 %",
  );
  assert.throws(() => strftime(date, "%Q"), /strftime_now has "%Q", want one of %Y/);
});
