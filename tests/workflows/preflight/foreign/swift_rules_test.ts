import { SWIFT_RULES } from "../../../../workflows/preflight/foreign/swift_rules.ts";
import { testRules } from "./cases.ts";

testRules(SWIFT_RULES);
