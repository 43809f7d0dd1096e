import { PREFERENCE_RULES } from "../../../../workflows/preflight/foreign/preference_rules.ts";
import { testRules } from "./cases.ts";

testRules(PREFERENCE_RULES);
