import { FILE_RULES } from "../../../../workflows/preflight/foreign/file_rules.ts";
import { testRules } from "./cases.ts";

testRules(FILE_RULES);
