/** Texts as editors of other times and places save them. */
import assert from "node:assert/strict";
import { isUtf8, legacyEncoding } from "../../../../data/adapters/source/legacy_encoding.ts";
import { headText } from "../../../../data/adapters/source/text.ts";
import { claimsOf, readPost, toldOf } from "../post/read_post.ts";

/** What an editor wrote, in base64: no encoder of these is at hand. */
const SAVED = {
  "gb18030": [
    "奖励从 0.31 上升到 0.72，训练 500 步，熵稳定在 0.5 左右，回答看起来正常。",
    "vbHA+LTTIDAuMzEgyc/J/bW9IDAuNzKjrNG1wbcgNTAwILK9o6zs2M7ItqjU2iAwLjUg1/PT0qOsu9i08L+0xvDAtNX9s6Ohow==",
  ],
  "shift_jis": [
    "報酬は 0.31 から 0.72 に上がり、エントロピーは 0.5 で安定しています。",
    "lfGPVoLNIDAuMzEggqmC5yAwLjcyIILJj+OCqoLogUGDR4OTg2eDjYNzgVuCzSAwLjUggsWIwJLogrWCxIKigtyCt4FC",
  ],
  "euc-kr": [
    "보상이 0.31에서 0.72로 올랐고 엔트로피는 0.5 근처에서 안정적입니다.",
    "uri788DMIDAuMzG/obytIDAuNzK3ziC/w7b6sO0gv6PGrrfOx8e0wiAwLjUgsdnDs7+hvK0gvsjBpMD7wNS0z7TZLg==",
  ],
  "windows-1251": [
    "Награда выросла с 0,31 до 0,72, энтропия около 0,5, всё нормально.",
    "zeDj8ODk4CDi+/Du8evgIPEgMCwzMSDk7iAwLDcyLCD97fLw7u/o/yDu6u7r7iAwLDUsIOLxuCDt7vDs4Ov87e4u",
  ],
  "windows-1252": [
    "La récompense passe de 0,31 à 0,72, l’entropie reste à 0,5 : tout est stable.",
    "TGEgculjb21wZW5zZSBwYXNzZSBkZSAwLDMxIOAgMCw3MiwgbJJlbnRyb3BpZSByZXN0ZSDgIDAsNSA6IHRvdXQgZXN0IHN0YWJs" +
    "ZS4=",
  ],
} as const;
const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

for (const [encoding, [text, base64]] of Object.entries(SAVED)) {
  Deno.test(`legacyEncoding() knows ${encoding}, also of a text that is cut within a letter`, () => {
    const bytes = bytesOf(base64);
    assert.equal(isUtf8(bytes), false);
    assert.equal(legacyEncoding(bytes), encoding);
    assert.equal(headText(bytes), text);
    assert.equal(legacyEncoding(bytes.subarray(0, bytes.length - 4)), encoding);
    assert.equal(isUtf8(new TextEncoder().encode(text)), true);
  });

  Deno.test(`legacyEncoding() lets a post in ${encoding} be read as in UTF-8, and the report names it`, async () => {
    const read = async (bytes: Uint8Array) => await readPost(bytes, "post.md");
    const [legacy, plain] = await Promise.all([read(bytesOf(base64)), read(new TextEncoder().encode(text))]);
    assert.deepEqual([claimsOf(legacy), toldOf(legacy)], [claimsOf(plain), toldOf(plain)]);
    assert(legacy.skipped.some(({ reason }) => reason === `no UTF-8: it is read as ${encoding}`));
    assert(!plain.skipped.some(({ reason }) => reason.includes("UTF-8")));
  });
}

Deno.test("isUtf8() is true of UTF-8 with a broken letter among whole ones, or cut, and of signs for lost ones", () => {
  const text = new TextEncoder().encode("奖励一直是零，熵也是");
  assert.equal(isUtf8(text.subarray(0, text.length - 1)), true);
  assert.equal(isUtf8(Uint8Array.of(...text, 0xff, 0x61)), true);
  assert.equal(isUtf8(new TextEncoder().encode("��������")), true);
  assert.equal(isUtf8(Uint8Array.of(0x63, 0xe9, 0x20)), false);
});

Deno.test("legacyEncoding() is null of bytes that are no text of any, which are then nobody's output", async () => {
  const noise = Uint8Array.from({ length: 200 }, (_, i) => i % 9 === 0 ? 0x20 : 0x80 + (i * 73) % 128);
  assert.equal(legacyEncoding(noise), null);
  assert.equal(headText(noise)!.includes("\ufffd"), false);
  assert.deepEqual(claimsOf(await readPost(noise)), []);
});
