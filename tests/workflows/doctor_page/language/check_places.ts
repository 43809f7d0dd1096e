/** Looks at templates of sentences. @module */
import assert from "node:assert/strict";

/** Every place of an English sentence stands in the Chinese one, unless what it holds is said there otherwise. */
export function checkPlaces(templates: readonly (readonly [english: string, chinese: string])[]): void {
  for (const [english, chinese] of templates) {
    const places = english.match(/\{\w*\}/g) ?? [], named = (chinese.match(/\{\d\}/g) ?? []).toSorted();
    assert.equal(new Set(named).size, named.length, english);
    for (const place of named) assert(Number(place[1]) <= places.length, `${english}: ${place}`);
    assert(named.length >= places.length - 1, english);
    assert.match(chinese, /\p{Script=Han}|^\{1\}/u, english);
  }
  assert.equal(new Set(templates.map(([english]) => english)).size, templates.length);
}
