import { DEEPSPEED_RULES } from "../../../../workflows/preflight/foreign/deepspeed_rules.ts";
import { testRules } from "./cases.ts";

testRules(DEEPSPEED_RULES);
