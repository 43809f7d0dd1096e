import { LLAMAFACTORY_RULES } from "../../../../workflows/preflight/foreign/llamafactory_rules.ts";
import { testRules } from "./cases.ts";

testRules(LLAMAFACTORY_RULES);
