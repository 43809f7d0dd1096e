/** The languages of the page. @module */
export { CAUSES_ZH } from "./causes_zh.ts";
export { claimInChinese } from "./claims_zh.ts";
export { type Language, LANGUAGES, usualLanguage } from "./languages.ts";
export { EN, type Strings } from "./strings_en.ts";
export { ZH } from "./strings_zh.ts";
export { inChinese } from "./translated.ts";
export { stepName, whenSaid } from "./when.ts";
