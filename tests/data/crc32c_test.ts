import assert from "node:assert/strict";
import { crc32c, maskedCrc } from "../../data/crc32c.ts";

Deno.test("crc32c() gives the check value of its standard", () => {
  assert.equal(crc32c(new TextEncoder().encode("123456789")), 0xe3069283);
  assert.equal(crc32c(new Uint8Array(32)), 0x8a9136aa); // RFC 3720, B.4: 32 bytes of zeroes
});

Deno.test("maskedCrc() rotates by 15 bits and adds TFRecord's constant", () => {
  const bytes = new TextEncoder().encode("123456789");
  const rotated = Number(((0xe3069283n >> 15n) | (0xe3069283n << 17n)) & 0xffffffffn);
  assert.equal(maskedCrc(bytes), (rotated + 0xa282ead8) % 2 ** 32);
});
