import type { TypeTable } from '../product-type.ts';
import { bottleSize, foodFlavor, packSize, weightSize } from './option-kinds.ts';

const food = 'Grocery & Gourmet Food';

export const groceryTypes: readonly TypeTable[] = [
  {
    query: 'coffee',
    path: `${food} › Beverages › Coffee, Tea & Cocoa › Coffee › Ground Coffee`,
    thing: 'coffee',
    number: 'mass',
    heads:
      'Ground Coffee, Whole Bean Coffee, Medium Roast Coffee, Dark Roast Ground Coffee, Instant Coffee, Cold Brew Coffee Bags = cold brew coffee',
    asked: 'coffee',
    leads: 'some, a bag of',
    styles:
      'medium roast, dark roast, light roast, single origin, instant, whole bean, espresso, cold brew, breakfast',
    materials: 'arabica beans, robusta beans, mountain-grown beans, roasted chicory, volcanic-soil beans',
    features: 'notes of cocoa, a smooth finish, low acidity, hints of cherry, a nutty body, a valve bag',
    uses: 'drip machines, french presses, early birds, offices, camping, espresso',
    measure: 'weight',
    prices: [7, 44],
    options: [
      foodFlavor(
        'original, french vanilla, hazelnut, caramel, mocha, breakfast blend, french roast, colombian, italian roast, decaf, pumpkin spice',
      ),
      weightSize,
    ],
    attributes:
      'non gmo, sugar free, dairy free, fair trade, caffeine free, natural flavors, artificial flavors, resealable bag, individually wrapped, hand crafted, perfect gift, keto friendly',
    pitches: [
      'Taste: Full and round, with {feature}.',
      'Beans: {material}, picked ripe and roasted the same week.',
      'Brew: {aStyle} cup for {use}.',
      'Amount: {measure} make about {many} cups.',
      'Aroma: Open the bag and the kitchen wakes up.',
    ],
  },
  {
    query: 'teas',
    path: `${food} › Beverages › Coffee, Tea & Cocoa › Tea › Tea Samplers`,
    thing: 'tea',
    number: 'mass',
    heads: 'Tea Bags, Herbal Tea, Green Tea Bags, Loose Leaf Tea, Black Tea, Herbal Tea Sampler = herbal tea',
    asked: 'tea',
    leads: 'some, a box of',
    styles: 'herbal, loose leaf, black, green, spiced, bedtime, detox, afternoon, iced',
    materials: 'chamomile, hibiscus, rooibos, sencha, ginger root, peppermint leaf, assam',
    features: 'pyramid bags, dried petals, a tin, whole leaves, citrus peel, a bright color',
    uses: 'quiet evenings, iced pitchers, sore throats, tea parties, the office, cold mornings',
    measure: 'count',
    prices: [5, 36],
    options: [
      foodFlavor(
        'chamomile, peppermint, earl grey, english breakfast, lemon ginger, hibiscus berry, green jasmine, rooibos vanilla, chai spice, turmeric honey',
      ),
      packSize,
    ],
    attributes:
      'caffeine free, non gmo, sugar free, gluten free, fair trade, natural flavors, artificial flavors, artificial colors, individually wrapped, hand crafted, perfect gift, plant based',
    pitches: [
      'Cup: Clear, fragrant and never bitter.',
      'Leaves: {material} from gardens high up.',
      'Blend: {aStyle} tea with {feature}.',
      'Brew: {few} minutes in water just off the boil.',
      'Moments: For {use} and {use2}.',
    ],
  },
  {
    query: 'granola bars',
    path: `${food} › Breakfast Foods › Breakfast & Cereal Bars › Granola & Trail Mix Bars`,
    thing: 'granola bars',
    number: 'many',
    heads:
      'Granola Bars, Chewy Granola Bars, Crunchy Granola Bars, Protein Granola Bars, Oat Granola Bars Variety Pack = oat granola bars',
    asked: 'granola bars',
    leads: 'some, a box of',
    styles: 'chewy, crunchy, soft baked, dipped, seeded, mini, breakfast, thin',
    materials: 'rolled oats, almonds, dates, pumpkin seeds, brown rice crisps, honey',
    features: 'dark chocolate chips, dried fruit, a drizzle of caramel, sea salt, chia, peanut butter',
    uses: 'lunch boxes, hikes, breakfast in the car, after practice, office drawers, road trips',
    measure: 'count',
    prices: [5, 39],
    options: [
      foodFlavor(
        'chocolate chip, peanut butter, oats and honey, blueberry, cinnamon raisin, dark chocolate sea salt, coconut almond, maple pecan, variety pack',
      ),
      packSize,
    ],
    attributes:
      'gluten free, non gmo, plant based, dairy free, soy free, high protein, low calorie, low carb, individually wrapped, artificial flavors, high fructose, dietary fiber, kids snacks',
    pitches: [
      'Bite: Just sweet enough, with {feature}.',
      'Grains: {material} that you can see.',
      'Texture: {style}, never dusty.',
      'Box: {measure} for {use}.',
      'Energy: Carries you over the afternoon.',
    ],
  },
  {
    query: 'nuts & seeds',
    path: `${food} › Snacks & Sweets › Snack Foods › Nuts & Seeds › Mixed Nuts`,
    thing: 'trail mix',
    number: 'mass',
    heads:
      'Trail Mix, Trail Mix Snack, Nut and Seed Trail Mix, Trail Mix Snack Packs = trail mix, Mountain Trail Mix',
    asked: 'trail mix',
    leads: 'some, a bag of',
    styles: 'roasted, raw, salted, sweet and salty, spicy, tropical, savory, unsalted, honey glazed',
    materials: 'cashews, almonds, pecans, pistachios, sunflower seeds, walnuts',
    features: 'dried cranberries, chocolate drops, banana chips, raisins, coconut flakes, sesame sticks',
    uses: 'hiking, desk drawers, movie nights, salads, air travel, game days',
    measure: 'weight',
    prices: [7, 46],
    options: [
      foodFlavor(
        'original, sweet and salty, omega blend, tropical, cajun, chocolate berry, honey roasted, sea salt, smoky barbecue, wasabi',
      ),
      weightSize,
    ],
    attributes:
      'gluten free, non gmo, plant based, dairy free, soy free, high protein, low carb, keto friendly, resealable bag, ready eat, dietary fiber, perfect gift, artificial flavors',
    pitches: [
      'Mix: {material} and {feature}, in every handful.',
      'Roast: Small pans, low heat, no shortcuts.',
      'Flavor: {style} and hard to put away.',
      'Bag: {measure} for {use}.',
      'Fresh: Packed within a day of roasting at {brand}.',
    ],
  },
  {
    query: 'chocolate candy',
    path: `${food} › Snacks & Sweets › Candy & Chocolate › Chocolate Assortments & Samplers`,
    thing: 'chocolate',
    number: 'mass',
    heads:
      'Chocolate Candy, Dark Chocolate, Milk Chocolate Candy, Chocolate Bars, Chocolate Truffles Candy = chocolate truffles, Assorted Chocolate',
    asked: 'chocolate',
    leads: 'some, a box of',
    styles: 'dark, milk, white, assorted, filled, single origin, vegan, crunchy, salted',
    materials: 'cocoa beans, cocoa butter, cacao nibs, hazelnut paste, sea salt',
    features: 'a caramel center, whole almonds, a ribbon box, orange peel, crisp rice, a mint filling',
    uses: 'birthdays, stockings, baking, weddings, coffee breaks, thank-you notes',
    measure: 'weight',
    prices: [5, 52],
    options: [
      foodFlavor(
        'dark chocolate, milk chocolate, white chocolate, sea salt caramel, almond, mint, raspberry, hazelnut, orange, assorted',
      ),
      weightSize,
    ],
    attributes:
      'gluten free, non gmo, sugar free, soy free, keto friendly, fair trade, individually wrapped, hand crafted, old fashioned, perfect gift, natural ingredients, artificial colors',
    pitches: [
      'Melt: Slow on the tongue, with {feature}.',
      'Cacao: {material} from growers in {few} countries.',
      'Snap: {aStyle} piece breaks with a clean sound.',
      'Box: {measure}, if nobody sits down before you.',
      'Occasions: For {use} and {use2}.',
    ],
  },
  {
    query: 'snack crackers',
    path: `${food} › Snacks & Sweets › Snack Foods › Crackers`,
    thing: 'crackers',
    number: 'many',
    heads: 'Crackers, Snack Crackers, Cheese Crackers, Seed Crackers, Rice Crackers, Almond Flour Crackers',
    asked: 'crackers',
    leads: 'some, a box of',
    styles: 'thin, baked, seeded, bite-size, stone-ground, crunchy, puffed, savory',
    materials: 'brown rice, almond flour, flax seed, chickpea flour, whole oats, cassava',
    features: 'sea salt, cracked pepper, rosemary, sesame, aged cheddar, everything seasoning',
    uses: 'cheese boards, soups, lunch boxes, picnics, dips, late nights',
    measure: 'weight',
    prices: [4, 34],
    options: [
      foodFlavor(
        'original, sea salt, cheddar, rosemary olive oil, everything, sour cream and onion, black pepper, garlic herb, sweet chili',
      ),
      weightSize,
    ],
    attributes:
      'gluten free, non gmo, soy free, low carb, fat free, keto friendly, artificial flavors, artificial colors, resealable bag, kids snacks',
    pitches: [
      'Crunch: Loud, dry and clean.',
      'Flour: {material} in place of the usual.',
      'Flavor: {style}, with {feature}.',
      'Table: For {use} and {use2}.',
      'Pack: {measure}, sealed in sleeves.',
    ],
  },
  {
    query: 'pasta sauces',
    path: `${food} › Pantry Staples › Sauces, Gravies & Marinades › Sauces › Pasta Sauces`,
    thing: 'pasta sauce',
    number: 'mass',
    heads: 'Pasta Sauce, Tomato Pasta Sauce, Marinara Pasta Sauce, Pesto Pasta Sauce, Alfredo Pasta Sauce',
    asked: 'pasta sauce',
    leads: 'some, a jar of',
    styles: 'marinara, arrabbiata, creamy, chunky, smooth, slow-cooked, roasted garlic, spicy, rustic',
    materials: 'vine tomatoes, basil, olive oil, roasted peppers, garlic, mushrooms',
    features: 'fresh herbs, a hint of chili, sweet onions, capers, aged cheese, no added sugar',
    uses: 'weeknights, lasagna, pizza, students, family dinners, meatballs',
    measure: 'weight',
    prices: [5, 38],
    options: [
      foodFlavor(
        'tomato basil, marinara, arrabbiata, roasted garlic, vodka, four cheese, mushroom, basil pesto, puttanesca',
      ),
      weightSize,
    ],
    attributes:
      'gluten free, non gmo, low sodium, low carb, shelf stable, ready eat, natural ingredients, artificial flavors, high fructose, old fashioned, keto friendly',
    pitches: [
      'Pot: Simmers for hours, so that you need not.',
      'Garden: {material}, cut the day they come in.',
      'Flavor: {style}, with {feature}.',
      'Kitchen: Good for {use}; just warm it up.',
      'Jar: {measure}, and worth keeping when empty.',
    ],
  },
  {
    query: 'dried fruits',
    path: `${food} › Produce › Dried Fruits & Vegetables › Dried Fruits`,
    thing: 'dried fruit',
    number: 'mass',
    heads:
      'Dried Fruit, Dried Fruit Slices, Dried Fruit Mix, Dried Fruit Snacks, Dried Fruit Bites, Dried Fruit Snack Packs = dried fruit',
    asked: 'dried fruit',
    leads: 'some, a bag of',
    styles: 'unsweetened, soft, crispy, sun-ripened, tropical, sliced, diced, tangy',
    materials: 'mango, strawberries, apples, apricots, pineapple, tart cherries, bananas',
    features: 'no added sugar, chewy edges, a bright color, thick pieces, real crunch, lime dust',
    uses: 'lunch boxes, baking, oatmeal, camping, toddlers, cocktails',
    measure: 'weight',
    prices: [6, 42],
    options: [
      foodFlavor(
        'mango, strawberry, apple cinnamon, apricot, pineapple, banana, tart cherry, mixed berries, peach, fuji apple',
      ),
      weightSize,
    ],
    attributes:
      'freeze dried, gluten free, non gmo, plant based, nut free, fat free, low calorie, ready eat, resealable bag, individually wrapped, artificial colors, dietary fiber, kids snacks, natural ingredients',
    pitches: [
      'Fruit: {material} and nothing to hide.',
      'Texture: {style}, with {feature}.',
      'Taste: Like the last week of summer.',
      'Use: For {use} and {use2}.',
      'Bag: {measure} that used to be a whole crate.',
    ],
  },
  {
    query: 'beverages',
    path: `${food} › Beverages › Bottled Beverages, Water & Drink Mixes › Meal Replacement & Protein Drinks › Protein Drinks`,
    thing: 'protein shake',
    number: 'mass',
    heads:
      'Protein Shake, Protein Shake Drink, Nutrition Protein Shake, Protein Shake Bottles = protein shake, Meal Replacement Protein Shake',
    asked: 'protein shake',
    leads: 'some, a pack of',
    styles: 'creamy, meal replacement, clear, iced, breakfast, recovery, smooth, thick',
    materials: 'pea protein, rice protein, oat milk, hemp protein, cold brew, cocoa',
    features: '20 vitamins, no gritty taste, greens, electrolytes, probiotics, MCT oil',
    uses: 'workouts, busy mornings, diets, recovery, seniors, travel',
    measure: 'count',
    prices: [9, 52],
    options: [
      foodFlavor(
        'chocolate, vanilla, strawberry, cold brew coffee, cookies and cream, salted caramel, banana, peanut butter, dark chocolate',
      ),
      bottleSize,
    ],
    attributes:
      'high protein, gluten free, non gmo, sugar free, plant based, dairy free, soy free, keto friendly, low carb, shelf stable, artificial flavors, artificial colors, caffeine free',
    pitches: [
      'Taste: Like a dessert that means well.',
      'Source: {material}, with {feature}.',
      'Texture: {style} from first to last sip.',
      'Time: For {use}; shake, open, go.',
      'Pack: {measure}, best when cold.',
    ],
  },
  {
    query: 'herbs, spices & seasonings',
    path: `${food} › Pantry Staples › Herbs, Spices & Seasonings › Mixed Spices & Seasonings`,
    thing: 'seasoning',
    number: 'mass',
    heads:
      'Seasoning, Seasoning Blend, Spice Seasoning Mix, Taco Seasoning, Grill Seasoning Rub, Garlic Pepper Seasoning',
    asked: 'seasoning',
    leads: 'some, a jar of',
    styles: 'smoky, lemon, cajun, steakhouse, taco, ranch, garlic, all-purpose, tuscan, hot',
    materials: 'paprika, black pepper, rosemary, roasted garlic, cumin, sea salt, ancho chili',
    features: 'a shaker lid, coarse herbs, toasted seeds, a grinder top, citrus zest, mild heat',
    uses: 'chicken, popcorn, the grill, roasted vegetables, fish, slow cookers',
    measure: 'weight',
    prices: [4, 29],
    options: [
      foodFlavor(
        'garlic pepper, lemon herb, cajun, taco, smoky paprika, ranch, italian, everything bagel, jerk, chipotle lime',
      ),
      weightSize,
    ],
    attributes:
      'gluten free, non gmo, low sodium, sugar free, plant based, keto friendly, natural ingredients, artificial flavors, artificial colors, hand crafted, old fashioned, perfect gift, shelf stable, low carb',
    pitches: [
      'Blend: {material} first, then the rest.',
      'Heat: You set it by the spoon.',
      'Kitchen: {aStyle} helper for {use}.',
      'Jar: {measure}, with {feature}.',
      'Grind: Fresh, each week, at {brand}.',
    ],
  },
  {
    query: 'cookies',
    path: `${food} › Breads & Bakery › Cookies › Sandwich`,
    thing: 'cookies',
    number: 'many',
    heads:
      'Cookies, Soft Baked Cookies, Sandwich Cookies, Chocolate Chip Cookies, Butter Cookies Gift Tin = butter cookies, Mini Cookies Snack Packs = mini cookies',
    asked: 'cookies',
    leads: 'some, a box of',
    styles: 'soft baked, crispy, sandwich, mini, butter, thin, shortbread, double chocolate',
    materials: 'oats, butter, almond flour, brown sugar, cocoa, coconut',
    features: 'chocolate chunks, a cream filling, sprinkles, a tin, macadamia bits, cinnamon sugar',
    uses: 'school lunches, tea time, care packages, holidays, ice cream, birthdays',
    measure: 'count',
    prices: [5, 44],
    options: [
      foodFlavor(
        'chocolate chip, double chocolate, oatmeal raisin, lemon, peanut butter, snickerdoodle, ginger, vanilla cream, birthday cake',
      ),
      packSize,
    ],
    attributes:
      'gluten free, non gmo, soy free, individually wrapped, hand crafted, old fashioned, perfect gift, artificial flavors, kids snacks',
    pitches: [
      'Crumb: {style}, just as they should be.',
      'Dough: {material} and {feature}.',
      'Oven: Baked in small trays at {brand}.',
      'Box: {measure} for {use}.',
      'Smell: Warm {them} for ten seconds and call the neighbors.',
    ],
  },
];
