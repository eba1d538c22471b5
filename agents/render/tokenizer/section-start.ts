/**
 * Where a run of text begins, which decides whether SentencePiece writes a space before its first word:
 * - `text`: at the beginning of the whole text
 * - `section`: after an added token that was found in the text as written
 * - `piece`: after an added token that was found in normalised text
 * - `inside`: after other text
 */
export type SectionStart = 'text' | 'section' | 'piece' | 'inside';
