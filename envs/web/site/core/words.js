// What problems are made of. Lists are ordinary words; a page draws from them.

const words = {
  first: ['Ada', 'Amir', 'Bela', 'Boris', 'Carla', 'Chidi', 'Dana', 'Elif', 'Emil', 'Farah', 'Greta', 'Hugo', 'Ines', 'Ivan', 'Jana', 'Kofi', 'Lena', 'Mara', 'Nils', 'Olga', 'Pavel', 'Rosa', 'Sami', 'Tove', 'Uma', 'Viktor', 'Wanda', 'Yara', 'Zeno'],
  last: ['Adler', 'Bauer', 'Costa', 'Dubois', 'Eriksen', 'Fontana', 'Garcia', 'Haddad', 'Ito', 'Jensen', 'Keita', 'Lopez', 'Moreau', 'Novak', 'Okafor', 'Petrov', 'Quist', 'Rossi', 'Silva', 'Tanaka', 'Ueda', 'Vidal', 'Weber', 'Yilmaz', 'Zeman'],
  cities: ['Athens', 'Bergen', 'Cairo', 'Dublin', 'Essen', 'Florence', 'Geneva', 'Hanoi', 'Izmir', 'Jakarta', 'Kyoto', 'Lisbon', 'Madrid', 'Nairobi', 'Oslo', 'Porto', 'Quito', 'Riga', 'Seville', 'Tallinn', 'Utrecht', 'Vienna', 'Warsaw', 'Zagreb'],
  fruits: ['apple', 'apricot', 'banana', 'blueberry', 'cherry', 'date', 'fig', 'grape', 'kiwi', 'lemon', 'mango', 'melon', 'orange', 'papaya', 'peach', 'pear', 'plum', 'quince', 'raspberry', 'strawberry'],
  goods: ['backpack', 'blanket', 'bottle', 'candle', 'chair', 'clock', 'curtain', 'desk', 'frame', 'kettle', 'ladder', 'lamp', 'mirror', 'mug', 'pillow', 'plate', 'rug', 'shelf', 'spoon', 'teapot', 'towel', 'vase'],
  nouns: ['anchor', 'bridge', 'castle', 'desert', 'engine', 'forest', 'garden', 'harbour', 'island', 'journey', 'kitchen', 'library', 'market', 'nest', 'ocean', 'palace', 'quarry', 'river', 'station', 'tunnel', 'valley', 'window', 'yard', 'meadow', 'village', 'mountain', 'orchard', 'tower', 'beacon', 'cellar'],
  verbs: ['answer', 'borrow', 'carry', 'deliver', 'empty', 'follow', 'gather', 'hold', 'improve', 'join', 'keep', 'lift', 'measure', 'notice', 'open', 'paint', 'repair', 'save', 'trade', 'visit'],
  labels: ['Accept', 'Apply', 'Archive', 'Back', 'Browse', 'Cancel', 'Close', 'Confirm', 'Continue', 'Copy', 'Delete', 'Download', 'Edit', 'Export', 'Finish', 'Help', 'Import', 'Next', 'Open', 'Preview', 'Print', 'Refresh', 'Rename', 'Reset', 'Save', 'Search', 'Send', 'Share', 'Skip', 'Update'],
  topics: ['budget', 'concert', 'contract', 'delivery', 'exam', 'garden party', 'holiday', 'invoice', 'lecture', 'meeting', 'newsletter', 'picnic', 'recipe', 'report', 'reservation', 'survey', 'tickets', 'training', 'visit', 'workshop'],
  months: ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'],
  /** Names and what they look like. @type {Readonly<Record<string, string>>} */
  colours: { red: 'rgb(214, 40, 40)', orange: 'rgb(247, 127, 0)', yellow: 'rgb(252, 211, 25)', green: 'rgb(56, 142, 60)', blue: 'rgb(33, 100, 220)', purple: 'rgb(123, 44, 191)', pink: 'rgb(255, 143, 188)', brown: 'rgb(121, 85, 60)', black: 'rgb(20, 20, 20)', grey: 'rgb(150, 150, 150)' },

  /**
   * What a colour looks like.
   *
   * @param {string} name
   */
  paint: (name) => words.colours[name] ?? name,

  /** A person's name, such as `Ada Novak`. */
  person: () => `${core.sample(words.first)} ${core.sample(words.last)}`,

  /**
   * So many different people.
   *
   * @param {number} count
   */
  people: (count) => {
    const last = core.some(words.last, count);
    return core.some(words.first, count).map((first, place) => `${first} ${last[place]}`);
  },

  /**
   * A sentence of nouns and verbs that means little.
   *
   * @param {number} length in words
   */
  sentence: (length) => {
    const drawn = Array.from({ length }, (_, place) => core.sample(place % 2 === 0 ? words.nouns : words.verbs)).join(' ');
    return `${drawn.charAt(0).toUpperCase()}${drawn.slice(1)}.`;
  },

  /** @param {string} text */
  capital: (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`,

  /** @param {readonly string[]} items such as `"a", "b" and "c"` in quotes */
  listed: (items) => {
    const quoted = items.map((item) => `"${item}"`);
    return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
  },

  /**
   * A day in words, such as `March 5, 2024`.
   *
   * @param {{ year: number, month: number, day: number }} date month from 1
   */
  day: ({ year, month, day }) => `${words.months[month - 1]} ${day}, ${year}`,
};
