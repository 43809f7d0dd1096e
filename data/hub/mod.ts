/** Hugging Face folders: tensors, configuration, tokenizer, chat template. @module */
export { replaceFile, syncFolder, writeAll, writeChunks, writeFolderAtomic } from "./atomic_write.ts";
export { byteLevelTokenizer } from "./byte_level_tokenizer.ts";
export { renderChat } from "./chat_template.ts";
export { readGenerationConfig, readModelConfig } from "./config.ts";
export { writeModelFolder } from "./export.ts";
export { type ModelTensors, openModelTensors } from "./model_tensors.ts";
export { openSafetensors } from "./safetensors_read.ts";
export { type TensorData, writeSafetensors } from "./safetensors_write.ts";
export { type HubTokenizer, loadTokenizer, makeTokenizer } from "./tokenizer.ts";
