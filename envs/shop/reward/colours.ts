/** WebShop's colour words in its own, alphabetical order: the first that a text holds stands for the whole text. */
const colours = [
  'alabaster', 'apricot', 'aqua', 'ash', 'asphalt', 'azure', 'banana', 'beige', 'black', 'blue', 'blush', 'bordeaux', 'bronze', 'brown',
  'burgundy', 'camel', 'camo', 'caramel', 'champagne', 'charcoal', 'cheetah', 'chestnut', 'chocolate', 'christmas', 'coffee', 'cognac',
  'copper', 'coral', 'cranberry', 'cream', 'crystal', 'dark', 'denim', 'eggplant', 'elephant', 'espresso', 'fuchsia', 'gold', 'granite',
  'grape', 'graphite', 'grass', 'gray', 'green', 'grey', 'heather', 'indigo', 'ivory', 'ivy', 'khaki', 'lavender', 'lemon', 'leopard',
  'light', 'lilac', 'lime', 'magenta', 'maroon', 'mauve', 'merlot', 'midnight', 'mint', 'mocha', 'multicolor', 'mushroom', 'mustard',
  'natural', 'navy', 'nude', 'olive', 'orange', 'peach', 'pewter', 'pink', 'plum', 'purple', 'rainbow', 'red', 'rose', 'royal', 'rust',
  'sand', 'sapphire', 'seashell', 'silver', 'skull', 'slate', 'steel', 'stone', 'stonewash', 'sunflower', 'tan', 'taupe', 'teal', 'tiger',
  'turquoise', 'violet', 'walnut', 'wheat', 'white', 'wine', 'yellow',
] as const;

/** The colour word that stands for the text, or the text: "violet lavender" is lavender. Words inside words count: "shared" is red. */
export function colourOf(text: string): string {
  return colours.find((colour) => text.includes(colour)) ?? text;
}

/** The colour word that one of the texts is, whole. */
export function colourAmong(texts: readonly string[]): string | undefined {
  return colours.find((colour) => texts.includes(colour));
}
