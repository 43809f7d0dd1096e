import { ADAPTER_RULES } from "../../../../workflows/preflight/foreign/adapter_rules.ts";
import { testRules } from "./cases.ts";

testRules(ADAPTER_RULES);
