/** English: rules speak it. @module */
import { FORMATS_EN } from "./formats_en.ts";
import type { Spoken } from "./spoken.ts";
import { EN } from "./strings_en.ts";

export const ENGLISH: Spoken = {
  name: "English",
  say: EN,
  formats: FORMATS_EN,
  causes: {},
  claimOf: () => null,
  translate: (text) => [{ text, lang: "en" }],
};
