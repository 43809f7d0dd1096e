import { VERL_ENGINE_RULES } from "../../../../workflows/preflight/foreign/verl_engine_rules.ts";
import { testRules } from "./cases.ts";

testRules(VERL_ENGINE_RULES);
