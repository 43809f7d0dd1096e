import { SCHEDULE_RULES } from "../../../../workflows/preflight/foreign/schedule_rules.ts";
import { testRules } from "./cases.ts";

testRules(SCHEDULE_RULES);
