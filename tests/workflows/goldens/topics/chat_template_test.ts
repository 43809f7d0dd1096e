import { chatTemplate } from "../../../../workflows/goldens/topics/chat_template.ts";
import { holdsTorch } from "../held.ts";

Deno.test("chat_template holds every case of it", () => holdsTorch(chatTemplate, 60));
