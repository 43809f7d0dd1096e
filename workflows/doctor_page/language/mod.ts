/** The languages of the page. @module */
export { type Language, LANGUAGES, usualLanguage } from "./languages.ts";
export type { Format } from "./spoken.ts";
export { EN, type Strings } from "./strings_en.ts";
export { ZH } from "./strings_zh.ts";
export { stepName, whenSaid } from "./when.ts";
