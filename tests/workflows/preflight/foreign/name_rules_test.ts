import { NAME_RULES } from "../../../../workflows/preflight/foreign/name_rules.ts";
import { testRules } from "./cases.ts";

testRules(NAME_RULES);
