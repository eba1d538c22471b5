/** The package has no types of its own. */
declare module 'wink-pos-tagger' {
  interface TaggedToken {
    readonly value: string;
    /** Penn tag, such as `NNP`. */
    readonly pos: string;
  }
  export default function createTagger(): { tagSentence(sentence: string): readonly TaggedToken[] };
}
