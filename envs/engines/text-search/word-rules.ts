import { either, many, maybe, sequence, some, symbol, type Pattern } from './automaton.ts';

/**
 * The pattern of one token, as in Lucene 8.11's StandardTokenizer. It follows Unicode's word break rules (UAX
 * #29, Unicode 9.0) for letters, numbers, and Katakana. It also covers single ideographs and Hiragana, runs
 * of south-east Asian scripts, and emoji sequences (UTS #51, emoji 11.0). `having` returns the symbols of the
 * code points that have a property.
 */
export function wordPattern(having: (property: string) => readonly number[]): Pattern {
  return either(words(having), emoji(having));
}

function words(having: (property: string) => readonly number[]): Pattern {
  const any = (...properties: readonly string[]): Pattern => symbol(properties.flatMap(having));
  const marks = many(any('Extend', 'Format', 'ZWJ')); // WB4: they belong to the character before them
  const marked = (...properties: readonly string[]): Pattern => sequence(any(...properties), marks);

  const letter = marked('ALetter', 'Hebrew_Letter');
  const numeric = marked('Numeric');
  const katakana = marked('Katakana');
  const hebrew = marked('Hebrew_Letter');
  const joiners = many(marked('ExtendNumLet'));

  const joinedBy = (part: Pattern, between: Pattern): Pattern =>
    sequence(part, many(sequence(between, part)));
  const letters = joinedBy(letter, either(joiners, marked('MidLetter', 'MidNumLet', 'Single_Quote'))); // WB5 to WB7
  const numbers = joinedBy(numeric, either(joiners, marked('MidNum', 'MidNumLet', 'Single_Quote'))); // WB8, WB11, WB12
  const hebrewQuotes = sequence(
    hebrew,
    either(marked('Single_Quote'), sequence(marked('Double_Quote'), hebrew)),
  ); // WB7a to WB7c
  const run = either(joinedBy(katakana, joiners), some(either(hebrewQuotes, numbers, letters))); // WB9, WB10, WB13

  return either(
    sequence(joiners, joinedBy(run, some(marked('ExtendNumLet'))), joiners), // WB13a, WB13b
    marked('Han'),
    marked('Hiragana'),
    some(marked('Complex_Context')),
  );
}

function emoji(having: (property: string) => readonly number[]): Pattern {
  const any = (...properties: readonly string[]): Pattern => symbol(properties.flatMap(having));
  const styles = new Set([...having('Text_Style'), ...having('Emoji_Style')]);
  const marks = many(
    symbol([...having('Extend'), ...having('Format'), ...having('ZWJ')].filter((mark) => !styles.has(mark))),
  );
  const marked = (property: string): Pattern => sequence(any(property), marks);
  const links = many(any('ZWJ'));
  const emojiStyle = maybe(any('Emoji_Style'));

  const plain = sequence(links, marked('Pictograph'), emojiStyle);
  const modified = sequence(maybe(sequence(links, marked('Emoji_Modifier_Base'))), marked('Emoji_Modifier'));
  const element = either(plain, modified);
  const chain = sequence(
    element,
    either(many(sequence(any('ZWJ'), element)), sequence(some(any('Tag')), any('Tag_End'))),
  );
  const keyCap = sequence(marked('Key_Cap_Base'), emojiStyle, marked('Key_Cap'));
  const allMarks = many(any('Extend', 'Format', 'ZWJ'));
  const flag = sequence(any('Regional_Indicator'), allMarks, any('Regional_Indicator'), allMarks);
  return either(chain, keyCap, flag);
}
