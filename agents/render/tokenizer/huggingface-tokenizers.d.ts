/** The part that we use. The package's own types import their files in a way that Node cannot resolve. */
declare module '@huggingface/tokenizers' {
  export class Tokenizer {
    /** @param tokenizer the content of `tokenizer.json` @param config that of `tokenizer_config.json` */
    constructor(tokenizer: object, config: object);
    encode(
      text: string,
      options: { readonly add_special_tokens: boolean },
    ): { readonly ids: readonly (number | undefined)[] };
    /** @throws Error for an empty list */
    decode(
      ids: readonly number[],
      options: { readonly skip_special_tokens: boolean; readonly clean_up_tokenization_spaces: boolean },
    ): string;
    id_to_token(id: number): string | undefined;
    get_vocab(): Map<string | undefined, number>;
  }
}
