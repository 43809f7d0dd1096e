import assert from "node:assert/strict";
import { controls, HINTS, scripts, STEP_COMPLETIONS } from "../../../notebooks/pages/interactive.ts";

Deno.test("scripts() holds rows, runtime and program in the page, and text that a completion cannot break out of", () => {
  const evil = "</script><script>alert(1)</script>";
  const html = scripts({ columns: {}, charts: [], completions: [{ train_step: 1, text: evil }] });
  const opened = Array.from(html.matchAll(/<script[^>]*>/g), ([tag]) => tag);
  assert.deepEqual(opened.length, html.match(/<\/script>/g)!.length);
  assert.equal(opened.length, 4);
  assert(!html.includes(evil));
  const data = /id="page-data">([^<]*)</.exec(html)![1]!;
  assert.equal(JSON.parse(data).completions[0].text, evil);
  for (const id of ["smooth", "log", "reset", "range"]) assert(controls(HINTS.run).includes(`id="${id}"`));
  assert.match(STEP_COMPLETIONS, /id="step-completions"/);
});
