import { BATCH_RULES } from "../../../../workflows/preflight/foreign/batch_rules.ts";
import { testRules } from "./cases.ts";

testRules(BATCH_RULES);
