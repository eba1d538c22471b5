/** Directives that affect how a module is read and include nothing. The preprocessor keeps them. */
const directives = new Set(
  'timescale default_nettype resetall celldefine endcelldefine begin_keywords end_keywords unconnected_drive nounconnected_drive'.split(
    ' ',
  ),
);

const printing = ['display', 'write', 'strobe', 'monitor'].flatMap((name) =>
  ['', 'b', 'o', 'h'].map((base) => `${name}${base}`),
);
/**
 * System functions that a module may need. They read and write no file, read no command line and start
 * nothing.
 */
const systemNames = new Set([
  ...printing,
  ...'monitoron monitoroff info warning error fatal finish stop time stime realtime timeformat printtimescale'.split(
    ' ',
  ),
  ...'signed unsigned clog2 bits size left right low high increment dimensions unpacked_dimensions countones onehot onehot0 isunknown'.split(
    ' ',
  ),
  ...'itor rtoi realtobits bitstoreal sformat sformatf swrite swriteb swriteo swriteh'.split(' '),
  ...'abs min max ln log10 exp sqrt pow floor ceil sin cos tan asin acos atan atan2 hypot sinh cosh tanh asinh acosh atanh'.split(
    ' ',
  ),
  ...'random urandom urandom_range dist_uniform'.split(' '),
]);

/** A module ready to compile, or why it is refused. */
export type OwnText = { readonly text: string } | { readonly refused: string };

/**
 * The preprocessed module without comments, where nothing in it reaches outside. Lines keep their numbers.
 * The checked text, including its strings, is exactly the compiled text. So a difference from the compiler in
 * reading strings and comments cannot hide anything.
 */
export function ownText(preprocessed: string): OwnText {
  const text = withoutComments(preprocessed);
  const directive = [...text.matchAll(/`(\w*)/g)].find(([, name = '']) => !directives.has(name));
  if (directive !== undefined)
    return {
      refused: `${placeOf(text, directive)}: ${directive[0]} is no directive that a module may have here: ${[...directives].map((name) => `\`${name}`).join(', ')}.`,
    };
  const call = [...text.matchAll(/\$([A-Za-z_][\w$]*)/g)].find(([, name = '']) => !systemNames.has(name));
  if (call === undefined) return { text };
  return {
    refused: `${placeOf(text, call)}: ${call[0]} may not be used here. A module may print ($display, $write), compute ($signed, $clog2, $random and the like), ask for the time ($time) and end ($finish); it has no files and no command line, and no names or texts with such a word.`,
  };
}

const placeOf = (text: string, { index }: RegExpExecArray): string =>
  `top.v:${text.slice(0, index).split('\n').length}`;

const withoutComments = (text: string): string =>
  text.replace(/"(?:[^"\\\n]|\\[^])*"|\/\/[^\n]*|\/\*[^]*?\*\//g, (piece) =>
    piece.startsWith('"') ? piece : ` ${piece.replace(/[^\n]/g, '')}`,
  );
