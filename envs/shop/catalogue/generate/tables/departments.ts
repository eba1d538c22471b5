import type { Department } from '../product-type.ts';
import { beautyAttributes } from './beauty-attributes.ts';
import { care } from './beauty-care.ts';
import { makeupAndTools } from './beauty-makeup-and-tools.ts';
import { accessories } from './electronics-accessories.ts';
import { electronicsAttributes } from './electronics-attributes.ts';
import { devices } from './electronics-devices.ts';
import { fashionAttributes } from './fashion-attributes.ts';
import { clothes } from './fashion-clothes.ts';
import { shoesAndBags } from './fashion-shoes.ts';
import { gardenAttributes } from './garden-attributes.ts';
import { furnitureTypes } from './garden-furniture.ts';
import { homeTypes } from './garden-home.ts';
import { groceryTypes } from './grocery.ts';
import { groceryAttributes } from './grocery-attributes.ts';

/** All departments, in an order that products depend on. */
export const departments: readonly Department[] = [
  {
    name: 'fashion',
    withOptions: 72,
    attributes: fashionAttributes,
    rivals: [
      'slim fit, relaxed fit, classic fit, loose fit',
      'long sleeve, short sleeve',
      'machine wash, hand wash, dry clean',
      'tumble dry, hand wash, dry clean',
      'wide leg, straight leg, slim fit',
      'polyester spandex, polyester cotton, cotton spandex',
      'button closure, zipper closure, drawstring closure, lace closure',
      'steel toe, open toe',
    ],
    types: [...clothes, ...shoesAndBags],
    colors: 'black, white, navy blue, grey, burgundy, olive, beige, brown, red, teal, dusty pink, royal blue, camel, charcoal, ivory, forest green, mustard, lilac',
    pitches: [
      'Sizing: Please compare your measures with the size chart in the pictures before you order, and write to us if you are in doubt.',
      'Story: {brand} began with a single sewing table in a garage and still looks at every piece before it leaves the house.',
      'Color: Screens differ, so the {color} you see may be a little lighter or darker than the {color} you get.',
      'Matching: Goes with most of what hangs in your closet already, from denim to linen, and looks just as good next year.',
      'Service: If {it} {is} not what you hoped for, send {them} back within {many} days and we will take care of the rest.',
      'Material: Made of {material}, chosen for its touch and for how well it keeps its color over the seasons.',
      'Occasions: Whether you pack for {use} or plan for {use2}, {this} will earn {its} place in the suitcase.',
      'Present: An easy present for wives, husbands, sisters and friends on birthdays, anniversaries and holidays.',
      'Comfort: Nothing pinches, nothing scratches, and after an hour you will have forgotten that you have {them} on.',
      'Idea: We wanted {aThing} with {feature} that would not cost a week of wages, so we drew our own.',
      'Season: Light enough for spring, easy to layer in fall, and sold in small runs so that colors change with the months.',
      'Package: {aThing} by {brand}, folded in tissue; props in the pictures are not part of it.',
    ],
  },
  {
    name: 'beauty',
    withOptions: 36,
    attributes: beautyAttributes,
    rivals: [
      'damaged hair, natural hair',
      'fragrance free, essential oils',
      'synthetic hair, natural hair',
    ],
    types: [...care, ...makeupAndTools],
    colors: 'rose gold, black, white, clear, pink, nude, silver, mint green, lavender, coral, gold, amber, blue, matte black',
    pitches: [
      'Promise: If {brand} does not make you happy within {many} days, we refund every cent and you may keep what is left.',
      'Routine: Best used every day; most people see and feel a difference after about {few} weeks.',
      'Story: {brand} was started by two sisters who could not find what they needed in any store and mixed it themselves.',
      'Caution: For external use only; keep away from children and stop using {it} when irritation occurs.',
      'Storage: Keep in a cool and dry place, and close well after use, so that nothing loses its strength.',
      'Package: Sold as {measure}, with a leaflet full of tips from people who do this for a living.',
      'Suits: Made for {use}, and just as welcome for {use2}, whatever your age.',
      'Inside: What makes the difference is {material}, which we buy from a small supplier and test in our own lab.',
      'Gift: Comes in a pretty box, so you only need a card to give {them} to mothers, friends and teachers.',
      'Planet: The carton is made of recycled paper, and empty packs can be sent back to us for free.',
      'Choice: We compared {many} versions before we settled on this {style} one with {feature}.',
      'Help: Our team answers within a day, on weekends too, and likes to hear how it went.',
    ],
  },
  {
    name: 'electronics',
    withOptions: 38,
    attributes: electronicsAttributes,
    rivals: [
      '1080p hd, ultra hd, high definition',
      'heavy duty, light weight',
      'batteries included, fast charging',
      'carbon fiber, aluminum alloy, stainless steel',
      'compact size, heavy duty',
    ],
    types: [...accessories, ...devices],
    colors: 'black, white, silver, space grey, matte black, blue, red, rose gold, graphite, midnight green, orange',
    pitches: [
      'Warranty: {brand} gives {few}0 months of warranty and answers every message within a working day.',
      'In the Box: {aThing}, model {model}, a printed guide, and whatever you need to begin.',
      'Tested: Each one runs for {hours} hours on our bench before it is packed, so that you do not have to find the faults.',
      'Compatible: Please check model and year of your device before you order; ask us if you are not certain.',
      'Design: A {style} shape with {feature} that looks right on a desk as well as in a living space.',
      'Material: The outside is {material}, pleasant to the touch and easy to look after.',
      'Use: People buy {them} for {use} and end up using {them} for {use2} as well.',
      'Update: Compared with the last version, the {model} is quicker, quieter and a little smaller.',
      'Notice: Do not open the housing, keep {them} away from open fire, and recycle {them} when the time comes.',
      'Story: {brand} is a team of {many} engineers who build what they would like to own.',
      'Present: A sensible present for fathers, students and everybody who likes gadgets that simply work.',
      'Certified: Meets the rules for safety and radio noise; papers are available on request.',
    ],
  },
  {
    name: 'garden',
    withOptions: 40,
    attributes: gardenAttributes,
    rivals: [
      'easy assemble, fully assembled',
      'solid wood, wood frame, steel frame',
      'white finish, bronze finish, stainless steel',
      'living room, dining room',
      'high density, memory foam',
      'wall mounted, metal legs',
      'solid wood, faux leather',
    ],
    types: [...furnitureTypes, ...homeTypes],
    colors: 'white, black, espresso, grey, walnut, natural oak, navy, beige, gold, teal, rustic brown, sage green, ivory, terracotta',
    pitches: [
      'Note: Measured by hand, so sizes may differ by half an inch; please look at the drawing before you order.',
      'Service: Should anything be missing or broken when it arrives, write to us and a new part is on its way within {many} hours.',
      'Story: {brand} works with small workshops and pays for what is made well rather than for what is made fast.',
      'Style: The {style} lines go with old and new pieces alike and will not look dated in a few years.',
      'Material: Made with {material}, which we choose for its look and for how it ages.',
      'Where: Bought for {use}, it often ends up serving {use2} just as well.',
      'Color: The {color} tone may look a little different in daylight and under lamps.',
      'Package: {This} come{s} safely wrapped, with a leaflet in plain words and the number of people who can help.',
      'Idea: We asked {many} families what they lack at home, and most of them wished for {feature}.',
      'Care: Dust with a dry cloth now and then, and keep {them} out of burning sun.',
      'Gift: Given for weddings, housewarmings and first apartments more often than we can count.',
      'Shipping: Large parcels may travel apart and arrive on different days.',
    ],
  },
  {
    name: 'grocery',
    withOptions: 40,
    attributes: groceryAttributes,
    rivals: [
      'sugar free, high fructose',
      'low carb, dietary fiber',
      'natural flavors, artificial flavors',
    ],
    types: groceryTypes,
    colors: 'golden, dark, light, red, green',
    pitches: [
      'Story: {brand} is run by the third generation of a family that never learned to hurry.',
      'Serving: Open, share and enjoy; on the label you find what {few} servings contain.',
      'Storage: Keep in a cool, dry place and close well; best within {few} weeks after opening.',
      'Use: At its best for {use}, and better than you would think for {use2}.',
      'Promise: If you do not like the taste, tell us why and we will refund your order.',
      'Inside: What you taste first is {material}, and nothing in it is there to fill the bag.',
      'Kitchen: We make {few} batches a day and taste every single one before it is packed.',
      'Pack: Sold as {measure}, and wrapped so that nothing breaks on the way.',
      'Flavor: People call it {style}, we call it the way it ought to be, with {feature}.',
      'Allergens: Please read the list on the pack; recipes can change faster than this page.',
      'Idea: We started with a recipe on a napkin and {many} friends who would not stop asking for more.',
      'Season: What the fields give differs from year to year, so color and size may vary a little.',
    ],
  },
];
