import assert from "node:assert/strict";
import { join } from "node:path";
import { PAGE_MARK } from "../../../notebooks/pages/parts.ts";
import { doctorPage } from "../../../workflows/cli/doctor_page.ts";

const OPTIONS = { sanitizeOps: false, sanitizeResources: false }; // the bundler is a program that is stopped, not waited for

Deno.test("doctor-page writes a page of ours, again over itself, and over no other file", OPTIONS, async () => {
  const folder = await Deno.makeTempDir(), path = join(folder, "doctor.html");
  try {
    for (let i = 0; i < 2; i++) assert.equal(await doctorPage.run([path], {}), 0);
    const html = await Deno.readTextFile(path);
    assert(html.indexOf(PAGE_MARK) >= 0 && html.indexOf(PAGE_MARK) < 200);
    await Deno.writeTextFile(path, "mine");
    await assert.rejects(doctorPage.run([path], {}), /Cannot write the page ".*doctor\.html": a file that is no page/);
    await assert.rejects(doctorPage.run([join(folder, "x.txt")], {}), /want a name that ends in \.html/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
