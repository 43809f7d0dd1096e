import assert from "node:assert/strict";
import { doctorApp } from "../../../workflows/doctor_page/page.ts";

const OPTIONS = { sanitizeOps: false, sanitizeResources: false }; // the bundler is a program that is stopped, not waited for
const MOST = 2.5e6; // Bytes.

const html = await doctorApp();
const scripts = [...html.matchAll(/<script([^>]*)>([^]*?)<\/script>/g)].map(([, has, text]) => ({ has, text: text! }));

Deno.test("doctorApp() is small enough to be sent by mail", OPTIONS, () => {
  const bytes = new TextEncoder().encode(html).length;
  assert(bytes < MOST, `it has ${bytes} bytes, want fewer than ${MOST}`);
});

Deno.test("doctorApp() is as large as its page says", OPTIONS, () => {
  const page = Deno.readTextFileSync(new URL("../../../docs/doctor_page.md", import.meta.url));
  const said = Number(/# doctor\.html, ([\d.]+) MB/.exec(page)![1]), bytes = new TextEncoder().encode(html).length;
  assert(Math.abs(bytes / 1e6 - said) <= 0.1, `it has ${bytes} bytes; docs/doctor_page.md says ${said} MB`);
  const parts = [...page.matchAll(/^\| [^|]+ \| (0\.\d+) \|$/gm)].map(([, part]) => Number(part));
  assert(Math.abs(parts.reduce((all, part) => all + part, 0) - said) <= 0.1, parts.join(" + "));
});

Deno.test(
  "doctorApp() allows its own program and look by their digests, its worker, and nothing else",
  OPTIONS,
  async () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(html)![1]!;
    const digest = async (text: string) =>
      new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toBase64();
    const style = /<style>([^]*?)<\/style>/.exec(html)![1]!;
    assert.equal(
      policy,
      `default-src 'none'; script-src 'sha256-${await digest(scripts[1]!.text)}'; worker-src blob:; ` +
        `style-src 'sha256-${await digest(style)}'; connect-src 'none'; base-uri 'none'; form-action 'none'`,
    );
  },
);

Deno.test("doctorApp() holds two programs that are whole, and no address that is loaded", OPTIONS, () => {
  assert.deepEqual(scripts.map(({ has }) => has), [' type="text/plain" id="worker"', ""]);
  for (const { text } of scripts) {
    assert.doesNotThrow(() => new Function(text));
    const foreign = /.{0,40}(?:\bDeno\.|"node:|\bimport\s*\((?!\))|<!--|\r|\0)/.exec(text)?.[0]; // not all of 1 MB in a message
    assert.equal(foreign, undefined);
  }
  assert.doesNotMatch(html.replaceAll(/<script[^]*?<\/script>/g, ""), /\b(?:src|href)=|url\(|@import/);
});
