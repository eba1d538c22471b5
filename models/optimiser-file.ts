/**
 * The file of a model's folder that holds the moments of its optimiser, which only training needs: a safetensors file by another name, since
 * vLLM and SGLang take every `*.safetensors` of a folder for weights.
 */
export const optimiserFile = 'optimiser.state';
