import type { TypeTable } from '../product-type.ts';
import {
  apparelColor,
  menShoeSize,
  menWideSize,
  shoeColor,
  womenShoeSize,
  womenWideSize,
} from './option-kinds.ts';

const women = 'Clothing, Shoes & Jewelry › Women';
const men = 'Clothing, Shoes & Jewelry › Men › Shoes';

export const shoesAndBags: readonly TypeTable[] = [
  {
    query: "women's fashion sneakers",
    path: `${women} › Shoes › Fashion Sneakers`,
    thing: 'sneakers',
    number: 'many',
    heads:
      "Women's Sneakers, Women's Walking Shoes Sneakers = women's walking shoes, Women's Platform Sneakers, Sneakers for Women, Women's Slip On Sneakers",
    asked: "women's sneakers, sneakers for women",
    leads: 'a pair of, some',
    styles: 'slip on, platform, low top, chunky, knit, retro, court, glitter, wedge, high top',
    materials: 'mesh, canvas, knit, suede, vegan leather, denim',
    features: 'a padded collar, a pull tab, perforated sides, a thick midsole, a wide toe box, glow details',
    uses: 'walking, nursing shifts, travel, tennis, city tours, the gym, teaching',
    measure: 'none',
    prices: [21, 110],
    options: [shoeColor, womenShoeSize, womenWideSize],
    attributes:
      'rubber sole, memory foam, arch support, non slip, lace closure, zipper closure, light weight, machine wash, daily wear, teen girls, high quality, unique design',
    pitches: [
      'Step: Soft from the first step of {use}, no breaking in.',
      'Upper: {material} that gives at the bunion and holds at the heel.',
      'Heel: A small lift of 1.{few} inches, hidden inside.',
      'Outfits: The {style} shape likes skirts as much as leggings.',
      'Toe: Room to wiggle, and {feature}.',
    ],
  },
  {
    query: "women's sandals",
    path: `${women} › Shoes › Sandals › Platforms & Wedges`,
    thing: 'sandals',
    number: 'many',
    heads:
      "Women's Sandals, Women's Wedge Sandals, Women's Flat Sandals, Platform Sandals for Women, Women's Gladiator Sandals",
    asked: "women's sandals, sandals for women",
    leads: 'a pair of, some',
    styles: 'wedge, flat, gladiator, espadrille, platform, slide, strappy, thong, braided, beach',
    materials: 'vegan leather, cork, woven raffia, suede, jelly, elastic',
    features: 'a small buckle, crossed straps, a cork footbed, rhinestones, a back zip, bow details',
    uses: 'beach days, weddings, cruises, boardwalks, summer nights, pool decks',
    measure: 'none',
    prices: [14, 84],
    options: [shoeColor, womenShoeSize, womenWideSize],
    attributes:
      'open toe, ankle strap, rubber sole, memory foam, arch support, non slip, light weight, daily wear, teen girls, high quality, water resistant, unique design',
    pitches: [
      'Straps: {material} that is lined, so that nothing rubs.',
      'Height: Enough to look taller, low enough for {use}.',
      'Look: {style} charm with {feature}.',
      'Summer: Slip {them} on and go from {use} to dinner.',
      'Fit: Order half a size up if you are between sizes.',
    ],
  },
  {
    query: "women's pumps",
    path: `${women} › Shoes › Pumps`,
    thing: 'pumps',
    number: 'many',
    heads:
      "Women's Pumps, Women's High Heel Pumps, Women's Dress Pumps Shoes = women's dress pumps, Pumps for Women, Pointed Toe Pumps for Women",
    asked: "women's pumps, pumps for women",
    leads: 'a pair of, some',
    styles: 'pointed toe, stiletto, block heel, kitten heel, mary jane, patent, classic, peep, round toe',
    materials: 'patent, suede, satin, vegan leather, velvet, glitter fabric',
    features: 'a cushioned heel, a scalloped edge, a slim profile, a bow, a sculpted heel, a soft lining',
    uses: 'weddings, the office, proms, interviews, galas, dance floors',
    measure: 'none',
    prices: [24, 96],
    options: [shoeColor, womenShoeSize],
    attributes:
      'rubber sole, memory foam, arch support, non slip, ankle strap, open toe, high quality, daily wear, unique design, lace closure',
    pitches: [
      'Balance: The heel sits right under yours, so you stand safely through {use}.',
      'Upper: {material} with a fine sheen.',
      'Shape: The {style} front makes legs look endless.',
      'Comfort: Padded where the ball of the foot lands, with {feature}.',
      'Box: Comes with a dust bag and spare heel tips.',
    ],
  },
  {
    query: "men's fashion sneakers",
    path: `${men} › Fashion Sneakers`,
    thing: 'sneakers',
    number: 'many',
    heads:
      "Men's Sneakers, Men's Casual Shoes Sneakers = men's casual shoes, Men's Walking Sneakers, Sneakers for Men, Men's High Top Sneakers",
    asked: "men's sneakers, sneakers for men",
    leads: 'a pair of, some',
    styles: 'low top, high top, skate, retro, slip on, court, running, minimalist, chunky, knit',
    materials: 'canvas, mesh, suede, nubuck, knit, ripstop',
    features:
      'a padded tongue, a reinforced toe, a heel tab, reflective trim, vented sides, a removable insole',
    uses: 'skating, walking, campus days, weekends, warehouse shifts, travel, the gym',
    measure: 'none',
    prices: [24, 120],
    options: [shoeColor, menShoeSize, menWideSize],
    attributes:
      'rubber sole, memory foam, arch support, non slip, lace closure, light weight, moisture wicking, machine wash, daily wear, high quality, contrast color, water resistant',
    pitches: [
      'Ride: Springy under the heel and firm under the arch of the shoe.',
      'Upper: {material} with {feature}.',
      'Street: {style} looks that go with jeans and with shorts.',
      'Wear: Glued and stitched for {use}.',
      'Air: Vents keep feet cool through {use2}.',
    ],
  },
  {
    query: "men's boots",
    path: `${men} › Boots › Work & Safety`,
    thing: 'boots',
    number: 'many',
    heads:
      "Men's Boots, Men's Work Boots, Men's Hiking Boots, Boots for Men, Men's Chukka Boots, Men's Winter Snow Boots",
    asked: "men's boots, boots for men",
    leads: 'a pair of, some',
    styles: 'hiking, chukka, combat, logger, western, chelsea, snow, tactical, motorcycle',
    materials: 'full-grain hide, oiled nubuck, suede, canvas and hide, waxed leather',
    features: 'a padded collar, speed hooks, a side zip, a shank, a welted edge, a pull loop',
    uses: 'job sites, hunting, ranch work, snow days, long hikes, farm chores',
    measure: 'none',
    prices: [39, 219],
    options: [menShoeSize, menWideSize, shoeColor],
    attributes:
      'steel toe, rubber sole, memory foam, arch support, non slip, water resistant, lace closure, zipper closure, faux fur, moisture wicking, high quality, light weight',
    pitches: [
      'Build: {material} and a midsole that does not break down.',
      'Ground: Made for {use}, with {feature}.',
      'Ankle: Supported when the trail tilts.',
      'Heritage: {aStyle} pattern that we have sewn for years.',
      'Break-In: Give {them} three days and they will fit like no other.',
    ],
  },
  {
    query: "women's handbags & wallets",
    path: `${women} › Handbags & Wallets › Crossbody Bags`,
    thing: 'crossbody bag',
    number: 'one',
    heads:
      "Crossbody Bag for Women, Women's Crossbody Bag, Small Crossbody Bag Purse = small crossbody purse, Crossbody Phone Bag for Women, Women's Crossbody Shoulder Bag Handbag = women's crossbody shoulder bag",
    asked: "crossbody bag, women's crossbody bag",
    styles: 'small, quilted, saddle, bucket, hobo, messenger, vintage, triple zip, slouchy, boxy',
    materials: 'vegan leather, nylon, canvas, pebbled fabric, suede, woven straw',
    features: 'an adjustable strap, card slots, a back pocket, a tassel, a chain strap, a key hook',
    uses: 'travel, concerts, shopping, school, dates, festivals, walks',
    measure: 'bag',
    prices: [12, 79],
    options: [apparelColor],
    attributes:
      'zipper closure, button closure, water resistant, light weight, high quality, unique design, teen girls, daily wear, contrast color, hand wash',
    pitches: [
      'Inside: Phone, wallet, keys and lipstick, each in a place of its own.',
      'Strap: Long or short, over the shoulder or across the chest.',
      'Outside: {material} with {feature}.',
      'Style: {aStyle} companion for {use} and {use2}.',
      'Size: Measures {measure}, so it never hangs heavy.',
    ],
  },
];
