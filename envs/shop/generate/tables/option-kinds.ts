import { colorsOf, runOf, someOf } from '../option-kind.ts';

const plain = 'black, white, grey, navy, blue, red, green, pink, purple, yellow, orange, brown, beige, khaki';

export const apparelColor = colorsOf(
  `${plain}, navy blue, royal blue, light blue, dark grey, heather grey, charcoal, wine red, burgundy, army green, olive, sage green, hunter green,
  mustard yellow, dusty rose, hot pink, blush, lavender, lilac, teal, turquoise, mint green, coral, rust, camel, coffee, ivory, cream, apricot,
  denim blue, sky blue, plum, mauve, multicolor, leopard, floral print, tie dye, buffalo plaid, black stripe, green stripe, polka dot, rainbow`,
);
export const shoeColor = colorsOf(
  `${plain}, all black, black gum, triple white, white silver, rose gold, nude, tan, cognac, dark brown, taupe, sand, stone, wine, olive green,
  light grey, slate, silver, gold, bronze, snake print, leopard, cream white, coral pink, aqua, bright lime, royal, maroon`,
);
export const letterSize = runOf(
  'size',
  'xx-small, x-small, small, medium, large, x-large, xx-large, 3x-large, 4x-large, 5x-large',
  8,
);
export const womenShoeSize = runOf('size', '5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5, 10, 10.5, 11, 12', 12);
export const womenWideSize = runOf(
  'size',
  '6 wide, 6.5 wide, 7 wide, 7.5 wide, 8 wide, 8.5 wide, 9 wide, 9.5 wide, 10 wide, 11 wide',
  8,
);
export const menShoeSize = runOf('size', '7, 7.5, 8, 8.5, 9, 9.5, 10, 10.5, 11, 11.5, 12, 13, 14, 15', 12);
export const menWideSize = runOf(
  'size',
  '7 x-wide, 8 wide, 8.5 wide, 9 wide, 9.5 wide, 10 wide, 10.5 wide, 11 wide, 12 wide, 13 wide',
  8,
);
export const jeansSize = runOf(
  'size',
  '28w x 30l, 29w x 30l, 30w x 30l, 30w x 32l, 31w x 32l, 32w x 30l, 32w x 32l, 32w x 34l, 33w x 32l, 34w x 30l, 34w x 32l, 34w x 34l, 36w x 30l, 36w x 32l, 38w x 30l, 38w x 32l, 40w x 30l, 42w x 32l',
  14,
);
export const waistSize = runOf('size', '28, 29, 30, 31, 32, 33, 34, 36, 38, 40, 42, 44', 10);
export const dressSize = runOf('size', '2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22', 9);
export const sockSize = someOf(
  'size',
  'shoe size 4-7, shoe size 6-10, shoe size 7-12, shoe size 9-13, 3 pairs, 6 pairs, 10 pairs, 12 pairs',
  5,
);
export const lengthStyle = someOf('special size', 'regular, petite, tall, plus', 4);

export const shade = colorsOf(
  `nude beige, rosewood, warm honey, soft petal, brick red, berry wine, cherry, deep plum, mocha, caramel, cocoa, peach fuzz, dusty mauve, classic red,
  coral crush, bare pink, ivory, porcelain, sand, golden tan, almond, chestnut, espresso, clear, pearl white, champagne, bronze glow, copper rose,
  midnight blue, smoky grey, jet black, soft black, dark brown, taupe, emerald, violet, lavender haze, hot pink, fuchsia`,
);
export const hairColor = colorsOf(
  `jet black, natural black, dark brown, medium brown, chestnut brown, light brown, auburn, copper, burgundy, honey blonde, ash blonde, platinum blonde,
  strawberry blonde, ombre brown, balayage blonde, silver grey, rose pink, pastel blue, highlight brown`,
);
export const hairLength = runOf(
  'size',
  '10 inch, 12 inch, 14 inch, 16 inch, 18 inch, 20 inch, 22 inch, 24 inch, 26 inch',
  7,
);
export const toolColor = colorsOf(
  `${plain}, rose gold, gold, silver, mint green, marble, matte black, clear, champagne, teal`,
  8,
);
export const fluidSize = someOf(
  'size',
  '1 fl oz, 1.7 fl oz, 3.4 fl oz, 4 fl oz, 6.7 fl oz, 8 fl oz, 8.5 fl oz, 12 fl oz, 16 fl oz, 33.8 fl oz, 4 fl oz (pack of 2), 8 fl oz (pack of 2), 8 fl oz (pack of 3), 100 ml, 250 ml, 500 ml',
  5,
);
export const scent = someOf(
  'scent',
  `lavender, vanilla, coconut, eucalyptus mint, citrus burst, rose petal, sandalwood, cedar and sage, sea breeze, fresh linen, white tea, ocean mist,
  warm amber, jasmine, honey almond, green apple, lemongrass, peppermint, unscented, cucumber melon`,
  8,
);
export const count = someOf(
  'size',
  '1 count, 2 count, 3 count, 4 count, 6 count, 8 count, 10 count, 12 count, 20 count, pack of 2, pack of 4',
  5,
);
export const pieces = someOf(
  'size',
  '5 piece set, 8 piece set, 10 piece set, 12 piece set, 14 piece set, 18 piece set, 24 piece set',
  4,
);
export const toothFlavor = someOf(
  'flavor',
  'cool mint, spearmint, wintergreen, cinnamon, charcoal mint, bubble gum, strawberry, watermelon, vanilla mint',
  5,
);

export const deviceColor = colorsOf(
  `${plain}, matte black, space grey, graphite, silver, rose gold, gold, midnight green, sierra blue, mint, lavender, starlight, clear, carbon black, army green, coral, teal, camo`,
  10,
);
export const phoneModel = someOf(
  'size',
  'orvo 9, orvo 10, orvo 10 pro, orvo 11, orvo 11 pro max, orvo 12 mini, kestra s20, kestra s21, kestra s21 plus, kestra note 8, lumo x, lumo xr, lumo 7 | 8',
  7,
);
export const watchSize = someOf(
  'size',
  '38mm, 40mm, 41mm, 42mm, 44mm, 45mm, 38mm | 40mm, 42mm | 44mm, small, large',
  6,
);
export const cableLength = runOf(
  'size',
  '1.5 feet, 3 feet, 3.3 feet, 6 feet, 6.6 feet, 10 feet, 15 feet, 25 feet, 35 feet, 50 feet, 75 feet, 100 feet',
  8,
);
export const memorySize = someOf(
  'size',
  '4gb ram | 64gb, 4gb ram | 128gb, 8gb ram | 128gb, 8gb ram | 256gb ssd, 8gb ram | 512gb ssd, 16gb ram | 256gb ssd, 16gb ram | 512gb ssd, 16gb ram | 1tb ssd, 32gb ram | 1tb ssd',
  6,
);
export const capacity = runOf(
  'size',
  '5000mah, 8000mah, 10000mah, 15000mah, 20000mah, 26800mah, 30000mah',
  4,
);
export const deviceStyle = someOf(
  'style',
  'device only, with case, with tripod, with memory card, with car charger, with remote, starter kit, deluxe bundle, twin pack, renewed',
  5,
);
export const lensPower = someOf(
  'style',
  '8x25, 8x32, 8x42, 10x25, 10x42, 10x50, 12x42, 12x50, 15x60, 20x50',
  5,
);
export const screenInches = runOf(
  'size',
  '60 inch, 72 inch, 84 inch, 92 inch, 100 inch, 110 inch, 120 inch, 135 inch, 150 inch',
  5,
);
export const mountSize = someOf(
  'size',
  '13-32 inch, 17-42 inch, 23-55 inch, 26-55 inch, 32-70 inch, 37-75 inch, 42-90 inch',
  4,
);

export const woodColor = colorsOf(
  `black, white, espresso, walnut, rustic brown, natural oak, grey oak, cherry, antique white, light grey, driftwood, mahogany, honey pine, vintage brown, whitewash,
  dark brown, black oak, teak, weathered grey, maple`,
  8,
);
export const fabricColor = colorsOf(
  `grey, dark grey, light grey, beige, navy blue, teal, emerald green, ivory, mustard, blush pink, charcoal, brown, black, white, burgundy, olive, camel, rust,
  dusty blue, sage, terracotta, cream, silver, lavender`,
);
export const metalColor = colorsOf(
  'black, matte black, brushed nickel, oil rubbed bronze, antique brass, chrome, gold, white, copper, aged bronze, satin brass',
  6,
);
export const bedSize = runOf('size', 'twin, twin xl, full, queen, king, california king', 5);
export const rugSize = someOf(
  'size',
  `2 x 3 feet, 2 x 6 feet, 2 x 8 feet, 3 x 5 feet, 4 x 6 feet, 5 x 7 feet, 5 x 8 feet, 6 x 9 feet, 8 x 10 feet, 9 x 12 feet, 6 feet round, 8 feet round`,
  8,
);
export const throwSize = someOf(
  'size',
  '30 x 40 inch, 40 x 50 inch, 50 x 60 inch, 60 x 80 inch, 70 x 80 inch, 90 x 90 inch, twin, queen, king',
  6,
);
export const pillowSize = someOf(
  'size',
  '12 x 20 inch, 16 x 16 inch, 18 x 18 inch, 20 x 20 inch, 22 x 22 inch, 24 x 24 inch, 26 x 26 inch',
  5,
);
export const curtainSize = someOf(
  'size',
  '42w x 63l, 42w x 84l, 52w x 45l, 52w x 63l, 52w x 72l, 52w x 84l, 52w x 95l, 52w x 108l, 100w x 84l, 100w x 96l',
  8,
);
export const artSize = someOf(
  'size',
  '8 x 10 inch, 11 x 14 inch, 12 x 16 inch, 16 x 24 inch, 20 x 28 inch, 24 x 36 inch, 30 x 40 inch, 12 x 12 inch x 4 panels',
  5,
);
export const tableSize = someOf(
  'size',
  '31.5 inch, 39.4 inch, 43 inch, 47 inch, 55 inch, 60 inch, 63 inch, 71 inch',
  5,
);
export const shelfSize = someOf(
  'size',
  '2 tier, 3 tier, 4 tier, 5 tier, 6 tier, 3 tier wide, 5 tier wide',
  4,
);
export const seatStyle = someOf(
  'style',
  'set of 1, set of 2, set of 4, with arms, without arms, swivel, 24 inch seat, 26 inch seat, 30 inch seat',
  4,
);
export const sofaStyle = someOf(
  'style',
  'armchair, loveseat, 3 seater, 4 seater, sofa and ottoman, left chaise, right chaise, sofa bed',
  5,
);
export const standStyle = someOf(
  'style',
  '1 drawer, 2 drawers, 3 drawers, set of 1, set of 2, with charging station, with glass top',
  4,
);
export const lightStyle = someOf('style', '1-light, 2-light, 3-light, 4-light, 5-light, 6-light', 4);

export const foodFlavor = (flavors: string): ReturnType<typeof someOf> => someOf('flavor name', flavors, 9);
export const weightSize = someOf(
  'size',
  `4 ounce (pack of 1), 6 ounce (pack of 6), 8 ounce (pack of 1), 8 ounce (pack of 4), 12 ounce (pack of 1), 12 ounce (pack of 3), 1 pound (pack of 1),
  1.5 pound (pack of 1), 2 pound (pack of 1), 2 pound (pack of 2), 5 pound (pack of 1), 2.2 ounce (pack of 12)`,
  6,
);
export const packSize = someOf(
  'size',
  '1 count (pack of 1), 6 count (pack of 1), 8 count (pack of 2), 12 count (pack of 1), 12 count (pack of 4), 18 count, 24 count, 50 count, 100 count',
  5,
);
export const bottleSize = someOf(
  'size',
  '8 fl oz (pack of 1), 8.5 fl oz (pack of 2), 11 fl oz (pack of 12), 12 fl oz (pack of 6), 12 fl oz (pack of 12), 16.9 fl oz (pack of 1), 16.9 fl oz (pack of 3), 33.8 fl oz (pack of 1)',
  5,
);
