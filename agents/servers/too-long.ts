import type { ServerError } from './server-error.ts';

/**
 * Error codes for a conversation that exceeds the model's context: OpenAI, llama.cpp, GitHub Copilot
 * (microsoft/copilot-intellij-feedback#94).
 */
const names: readonly string[] = [
  'context_length_exceeded',
  'exceed_context_size_error',
  'model_max_prompt_tokens_exceeded',
];

/** Error messages with that meaning, as users quote them in issues, for servers without an error code. */
const wordings: readonly RegExp[] = [
  /context (?:length|size|window|limit)/i, // vLLM, SGLang, llama.cpp, LM Studio (lmstudio-ai/lmstudio-bug-tracker#2205), Anthropic (continuedev/continue#6080)
  /longer than the (?:model's|maximum)/i, // vLLM (vllm-project/vllm#16445), SGLang (QwenLM/Qwen3#1321)
  /(?:prompt|input) is too long/i, // Anthropic (stackblitz/bolt.new#1748)
  /`inputs` tokens \+ `max_new_tokens` must be/i, // text-generation-inference (huggingface/text-generation-inference#628)
  /`inputs` must have less than \d+ tokens/i, // the same (huggingface/text-generation-inference#695)
  /input token count\b.* exceeds the maximum/i, // Gemini (google-gemini/gemini-cli#6678)
  /maximum prompt length/i, // xAI (cline/cline#3120)
  /prompt token count\b.* exceeds the limit/i, // GitHub Copilot, without its name (microsoft/vscode-copilot-release#6700)
  /exceeded model token limit|model max length exceeded/i, // Moonshot (MoonshotAI/kimi-cli#2011, MoonshotAI/MoonshotAI-Cookbook#18)
  /range of input length should be/i, // DashScope (QwenLM/qwen-code#98)
  /reduce the length of the messages/i, // Groq (OpenHands/OpenHands#1902), Cerebras (cline/cline#5140)
];

/** Statuses with which servers report it. Others, such as 429, report limits that pass. */
const statuses: readonly number[] = [200, 400, 422, 500];

/** True if the error says that the conversation exceeds the model's context. */
export function isTooLong(status: number, { message, type, code }: ServerError): boolean {
  return (
    names.includes(code) ||
    names.includes(type) ||
    (statuses.includes(status) && wordings.some((wording) => wording.test(message)))
  );
}
