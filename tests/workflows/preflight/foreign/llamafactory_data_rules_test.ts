import { LLAMAFACTORY_DATA_RULES } from "../../../../workflows/preflight/foreign/llamafactory_data_rules.ts";
import { testRules } from "./cases.ts";

testRules(LLAMAFACTORY_DATA_RULES);
