/** Looks at templates of sentences. @module */
import assert from "node:assert/strict";
import { lost } from "./untranslated.ts";

/** Places that hold what is counted, which Chinese may leave out. */
const COUNTED = 1;

/** Every place of an English sentence stands in the Chinese one, unless what it holds is said there otherwise; numbers and names of code stay. */
export function checkPlaces(templates: readonly (readonly [english: string, chinese: string])[]): void {
  for (const [english, chinese] of templates) {
    const places = english.match(/\{\w*\}/g) ?? [], named = (chinese.match(/\{\d+(?:\*\d+)?\}/g) ?? []).toSorted();
    assert.equal(new Set(named).size, named.length, english);
    for (const place of named) assert(Number.parseInt(place.slice(1)) <= places.length, `${english}: ${place}`);
    assert(named.length >= places.length - COUNTED, english);
    assert.match(chinese, /\p{Script=Han}|^\[?\{1\}/u, english);
    for (const text of [english, chinese]) assert.equal(text.split("[").length, text.split("]").length, text);
  }
  const plain = templates.map(([english, chinese]) => [english, chinese.replace(/\{\d+(?:\*\d+)?\}/g, "")] as const);
  assert.deepEqual(lost(Object.fromEntries(plain)), []);
  assert.equal(new Set(templates.map(([english]) => english)).size, templates.length);
}
