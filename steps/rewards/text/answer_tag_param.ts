/** The parameter `answer_tag`: where in a completion the answer stands. @module */
import { z } from "zod";

export const answerTag = z.string().regex(/^[A-Za-z][\w-]*$/).optional().describe(
  "judge only the text between the last <tag> and </tag> of this name; a completion without it is wrong",
);
