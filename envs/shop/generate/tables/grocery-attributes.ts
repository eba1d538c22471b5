import { attribute, has, hasOr, is, isAfter, suits } from '../attribute.ts';

/** The attributes of food and drink. */
export const groceryAttributes = [
  attribute('gluten free', is('gluten free'), {
    title: 'Gluten Free',
    shown: [
      'Diet: Certified gluten free, made on lines of its own.',
      'For Everyone: Gluten free and full of flavor.',
    ],
    hinted: ['Diet: No wheat, barley or rye comes near it.'],
  }),
  attribute('non gmo', is('non gmo'), {
    title: 'Non GMO',
    shown: ['Origin: Non GMO, grown by farmers we know.', 'Verified: Non GMO from field to bag.'],
    hinted: ['Origin: From seed that nobody tampered with.'],
  }),
  attribute('sugar free', is('sugar free'), {
    title: 'Sugar Free',
    shown: [
      'Sweet Enough: Sugar free, sweetened with monk fruit.',
      'Light: Sugar free with all of the taste.',
    ],
    hinted: ['Sweet Enough: Nothing sweet has been added.'],
  }),
  attribute('low sodium', is('low sodium'), {
    title: 'Low Sodium',
    shown: [
      'Heart: Low sodium, so the flavor does the work.',
      'Salt: Low sodium with a third of the usual salt.',
    ],
    hinted: ['Heart: Hardly salted at all.'],
  }),
  attribute('low carb', is('low carb'), {
    title: 'Low Carb',
    shown: ['Carbs: Low carb with {few} net grams a serving.', 'Diet: A low carb treat without regret.'],
    hinted: ['Carbs: Counts for next to nothing on your plan.'],
  }),
  attribute('low calorie', is('low calorie'), {
    title: 'Low Calorie',
    shown: ['Light: Low calorie, {many} a serving.', 'Balance: A low calorie choice between meals.'],
    hinted: ['Light: Goes easy on the waistline.'],
  }),
  attribute('high protein', is('high protein'), {
    title: 'High Protein',
    shown: [
      'Strength: High protein, {many} grams a serving.',
      'Fuel: A high protein start that keeps you full.',
    ],
    hinted: ['Strength: Feeds your muscles after training.'],
  }),
  attribute('plant based', is('plant based'), {
    title: 'Plant Based',
    shown: ['Plants: Plant based through and through.', 'Kind: Plant based and better for the planet.'],
    hinted: ['Plants: Vegans can eat all of it.'],
  }),
  attribute('dairy free', is('dairy free'), {
    title: 'Dairy Free',
    shown: ['Milk: Dairy free, and still creamy.', 'Allergies: Dairy free and made without eggs.'],
    hinted: ['Milk: No cow was asked.'],
  }),
  attribute('soy free', is('soy free'), {
    title: 'Soy Free',
    shown: [
      'Allergies: Soy free, see the full list on the pack.',
      'Simple: Soy free and short on ingredients.',
    ],
    hinted: ['Allergies: No beans of that sort, no lecithin.'],
  }),
  attribute('nut free', is('nut free'), {
    title: 'Nut Free',
    shown: ['School: Nut free and safe for lunch boxes.', 'Allergies: Packed in a nut free kitchen.'],
    hinted: ['School: No almonds, cashews or peanuts under our roof.'],
  }),
  attribute('keto friendly', is('keto friendly'), {
    title: 'Keto Friendly',
    shown: ['Keto: Keto friendly and filling.', 'Plan: Keto friendly fats and no empty carbs.'],
    hinted: ['Keto: Keeps you in ketosis.'],
  }),
  attribute('artificial flavors', has('no artificial flavors'), {
    title: 'No Artificial Flavors',
    shown: ['Honest: No artificial flavors, ever.', 'Real: We use no artificial flavors.'],
    hinted: ['Honest: The taste is that of the thing itself.'],
  }),
  attribute('artificial colors', has('no artificial colors'), {
    title: 'No Artificial Colors',
    shown: [
      'Looks: No artificial colors; it looks the way it grew.',
      'Natural: No artificial colors in the bag.',
    ],
    hinted: ['Looks: Beet and turmeric give the tint.'],
  }),
  attribute('natural flavors', has('natural flavors'), {
    title: 'Natural Flavors',
    shown: [
      'Taste: Natural flavors from fruit and spice.',
      'Kitchen: Only natural flavors, blended in small batches.',
    ],
    hinted: ['Taste: Comes from peel, bean and bark.'],
  }),
  attribute('natural ingredients', has('natural ingredients'), {
    title: 'Natural Ingredients',
    shown: [
      'Pantry: Natural ingredients that you could have at home.',
      'Pure: A handful of natural ingredients.',
    ],
    hinted: ['Pantry: You can pronounce every line on the label.'],
  }),
  attribute('high fructose', has('no high fructose corn syrup'), {
    title: 'No High Fructose Corn Syrup',
    shown: ['Syrup: No high fructose corn syrup.', 'Clean: Free of high fructose corn syrup and palm fat.'],
    hinted: ['Syrup: Sweetened without anything from corn.'],
  }),
  attribute('individually wrapped', is('individually wrapped'), {
    title: 'Individually Wrapped',
    shown: [
      'Packing: Individually wrapped to share or to ration.',
      'To Go: Individually wrapped for bags and desks.',
    ],
    hinted: ['Packing: Each piece comes in a sleeve of its own.'],
  }),
  attribute('resealable bag', has('a resealable bag'), {
    title: 'Resealable Bag',
    shown: [
      'Fresh: A resealable bag keeps the crunch.',
      'Storage: Press the resealable bag shut and put it away.',
    ],
    hinted: ['Fresh: Zip it up and finish it tomorrow.'],
  }),
  attribute('ready eat', isAfter('ready to eat'), {
    title: 'Ready Eat',
    shown: ['Now: Ready Eat, straight from the pack.', 'Convenient: A ready eat bite for busy days.'],
    hinted: ['Now: Open and enjoy, no cooking.'],
  }),
  attribute('shelf stable', is('shelf stable'), {
    title: 'Shelf Stable',
    shown: [
      'Keep: Shelf stable for {many} months.',
      'Pantry: Shelf stable, no fridge needed before opening.',
    ],
    hinted: ['Keep: Waits in the cupboard until you are ready.'],
  }),
  attribute('caffeine free', is('caffeine free'), {
    title: 'Caffeine Free',
    shown: ['Evening: Caffeine free, so you sleep well.', 'Calm: Caffeine free by nature.'],
    hinted: ['Evening: Will not keep you up at night.'],
  }),
  attribute('freeze dried', is('freeze dried'), {
    title: 'Freeze Dried',
    shown: ['Method: Freeze dried within hours of harvest.', 'Crunch: Freeze dried for an airy bite.'],
    hinted: ['Method: Cold and vacuum take out nothing but water.'],
  }),
  attribute('hand crafted', is('hand crafted'), {
    title: 'Hand Crafted',
    shown: ['Craft: Hand crafted in small batches.', 'Care: Hand crafted by a family of {few}.'],
    hinted: ['Craft: People, not machines, do the work.'],
  }),
  attribute('old fashioned', is('old fashioned'), {
    title: 'Old Fashioned',
    shown: [
      'Recipe: An old fashioned recipe from our founder.',
      'Tradition: Old fashioned and slow, as it should be.',
    ],
    hinted: ['Recipe: As grandmother made it.'],
  }),
  attribute('perfect gift', isAfter('a perfect gift'), {
    title: 'Perfect Gift',
    shown: [
      'Giving: A perfect gift for birthdays and holidays.',
      'Occasions: The perfect gift for people who have everything.',
    ],
    hinted: ['Giving: Tie a ribbon around it and you are done.'],
  }),
  attribute('fat free', is('fat free'), {
    title: 'Fat Free',
    shown: ['Light: Fat free and full of taste.', 'Balance: Fat free, with nothing to hide.'],
    hinted: ['Light: Not a drop of oil.'],
  }),
  attribute('dietary fiber', has('dietary fiber'), {
    title: 'High in Dietary Fiber',
    shown: [
      'Fiber: {few} grams of dietary fiber a serving.',
      'Good for You: Dietary fiber that your belly will like.',
    ],
    hinted: ['Fiber: The husk is left on for your digestion.'],
  }),
  attribute('fair trade', hasOr('fair trade', 'fair trade'), {
    title: 'Fair Trade',
    shown: [
      'Growers: Fair trade, from co-ops that we visit.',
      'Source: Fair trade and traceable to the farm.',
    ],
    hinted: ['Growers: Farmers get a price that they can live on.'],
  }),
  attribute('kids snacks', suits('kids'), {
    title: 'Kids Snacks',
    shown: [
      'Family: Kids snacks that grown-ups steal.',
      'Lunch: The kind of kids snacks that come back with an empty box.',
    ],
    hinted: ['Family: Little hands reach for it first.'],
  }),
];
