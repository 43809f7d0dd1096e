/** Lines that a program printed, however they are set. @module */

/** What people set as a quotation: warnings and errors. */
const WARNS = /^\s*(?:[\w./]*(?:Warning|Error)\s*:|\[?(?:WARN(?:ING)?|ERROR)\b|\[deepspeed\]|trainable params\b)/;
/** What a worker of Ray printed is nobody's sentence. */
const OF_WORKER = /^\s*\(\w+ pid=\d+|\[repeated \d+x across cluster\]/;

export const warns = (text: string): boolean => WARNS.test(text);
export const isOfWorker = (text: string): boolean => OF_WORKER.test(text);
