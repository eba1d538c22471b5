/** The file of a model's folder that holds the moments of its optimiser, which only training needs. */
export const optimiserFile = 'optimiser.safetensors';
