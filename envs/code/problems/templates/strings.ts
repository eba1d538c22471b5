import { text, texts } from '../inputs.ts';
import { each, every, orders, template } from '../template.ts';

export const stringTemplates = [
  template({
    name: 'count_letter',
    category: 'strings',
    difficulty: 1,
    result: 'number',
    variants: every(each('letter', ['a', 'b', 'c', 'd']), [
      { where: 'even', rest: 0 },
      { where: 'odd', rest: 1 },
    ]),
    parameters: () => ({ word: text('abcd', { most: 12 }) }),
    statement: ({ letter, where }) => `Count how often "${letter}" stands at an ${where} index (from 0).`,
    program: ({ letter, rest }) => `
def count_letter(word):
    count = 0
    for at in range(len(word)):
        if word[at] == "${letter}" and at % 2 == ${rest}:
            count += 1
    return count`,
  }),
  template({
    name: 'long_words',
    category: 'strings',
    difficulty: 1,
    result: 'texts',
    variants: every(orders, each('k', [2, 3, 4])),
    parameters: () => ({ words: texts('abcde', { most: 9, longest: 6 }) }),
    statement: ({ order, k }) => `Keep, in their order, the words whose length is ${order} ${k}.`,
    program: ({ sign, k }) => `
def long_words(words):
    kept = []
    for word in words:
        if len(word) ${sign} ${k}:
            append(kept, word)
    return kept`,
  }),
  template({
    name: 'shift_letters',
    category: 'strings',
    difficulty: 2,
    result: 'text',
    variants: every(
      [
        { way: 'forwards', sign: '+' },
        { way: 'backwards', sign: '-' },
      ],
      each('k', [1, 3, 5, 13]),
    ),
    parameters: () => ({
      message: text('abcxyz .', { most: 12, says: 'small letters, blanks and full stops' }),
    }),
    statement: ({ way, k }) =>
      `Move every small letter ${k} places ${way} in the alphabet, from z on to a and from a back to z; leave everything else as it is.`,
    program: ({ sign, k }) => `
def shift_letters(message):
    out = ""
    for c in message:
        if is_letter(c):
            out = cat(out, chr((ord(c) - 97 ${sign} ${k}) % 26 + 97))
        else:
            out = cat(out, c)
    return out`,
  }),
  template({
    name: 'compress_runs',
    category: 'strings',
    difficulty: 3,
    result: 'text',
    variants: each('k', [1, 2, 3, 4]).map(({ k }) => ({ k })),
    parameters: () => ({ word: text('abc', { most: 16 }) }),
    statement: ({ k }) =>
      `Write each run of equal letters that is longer than ${k} as the letter and its length, such as x${k + 4}; write shorter runs as they are.`,
    program: ({ k }) => `
def compress_runs(word):
    out = ""
    at = 0
    while at < len(word):
        end = at
        while end < len(word) and word[end] == word[at]:
            end += 1
        length = end - at
        if length > ${k}:
            out = cat(cat(out, word[at]), str(length))
        else:
            out = cat(out, times(word[at], length))
        at = end
    return out`,
  }),
  template({
    name: 'near_palindrome',
    category: 'strings',
    difficulty: 2,
    result: 'truth',
    variants: every(each('k', [0, 1, 2, 3]), [
      { order: 'at most', sign: '<=' },
      { order: 'exactly', sign: '==' },
    ]),
    parameters: () => ({ word: text('ab', { most: 10 }) }),
    statement: ({ k, order }) =>
      `Say whether ${order} ${k} of the pairs of letters that stand opposite each other (first and last, second and last but one, and so on) differ.`,
    program: ({ k, sign }) => `
def near_palindrome(word):
    differing = 0
    for at in range(len(word) // 2):
        if word[at] != word[len(word) - 1 - at]:
            differing += 1
    return differing ${sign} ${k}`,
  }),
  template({
    name: 'unique_letters',
    category: 'strings',
    difficulty: 2,
    result: 'text',
    variants: every(orders, each('k', [1, 2, 3])),
    parameters: () => ({ word: text('abcde', { most: 14 }) }),
    statement: ({ order, k }) =>
      `Give the letters that occur in the text a number of times that is ${order} ${k}, each once, in the order in which they first occur.`,
    program: ({ sign, k }) => `
def unique_letters(word):
    counts = new_map()
    for c in word:
        put(counts, c, get(counts, c, 0) + 1)
    out = ""
    for c in keys(counts):
        if get(counts, c, 0) ${sign} ${k}:
            out = cat(out, c)
    return out`,
  }),
  template({
    name: 'alternate_case',
    category: 'strings',
    difficulty: 1,
    result: 'text',
    variants: every(each('k', [2, 3, 4]), [
      { first: 'upper', rest: 'lower', sign: '==' },
      { first: 'lower', rest: 'upper', sign: '!=' },
    ]),
    parameters: () => ({ word: text('abcxyz', { most: 12 }) }),
    statement: ({ k, first, rest }) =>
      `Write the letters whose index (from 0) is a multiple of ${k} in ${first} case and the others in ${rest} case.`,
    program: ({ k, sign }) => `
def alternate_case(word):
    out = ""
    for at in range(len(word)):
        if at % ${k} ${sign} 0:
            out = cat(out, upper(word[at]))
        else:
            out = cat(out, lower(word[at]))
    return out`,
  }),
  template({
    name: 'count_blocks',
    category: 'strings',
    difficulty: 2,
    result: 'number',
    heldOut: true,
    variants: every(orders, each('k', [2, 3, 4])),
    parameters: () => ({ word: text('xyz', { most: 16 }) }),
    statement: ({ order, k }) =>
      `A block is a run of equal letters that cannot be made longer. Count the blocks whose length is ${order} ${k}.`,
    program: ({ sign, k }) => `
def count_blocks(word):
    blocks = 0
    length = 0
    for at in range(len(word)):
        length += 1
        if at == len(word) - 1 or word[at] != word[at + 1]:
            if length ${sign} ${k}:
                blocks += 1
            length = 0
    return blocks`,
  }),
];
