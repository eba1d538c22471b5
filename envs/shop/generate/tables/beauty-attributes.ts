import { attribute, has, hasOr, is, isAfter, of, suits } from '../attribute.ts';

/** The attributes of care products, makeup and their tools. */
export const beautyAttributes = [
  attribute('long lasting', is('long lasting'), {
    title: 'Long Lasting',
    shown: [
      'Staying Power: Long lasting for up to {hours} hours without touching up.',
      'All Day: The long lasting formula holds through heat, work and dinner.',
    ],
    hinted: ['Staying Power: Put on in the morning, still there at night.'],
  }),
  attribute('cruelty free', is('cruelty free'), {
    title: 'Cruelty Free',
    shown: [
      'Ethics: Cruelty free and never tested on animals.',
      'Promise: Everything by {brand} is cruelty free.',
    ],
    hinted: ['Ethics: No animal was harmed for it at any stage.'],
  }),
  attribute('paraben free', is('paraben free'), {
    title: 'Paraben Free',
    shown: [
      'Clean Formula: Paraben free, without dyes you do not need.',
      'Ingredients: Paraben free and gentle enough for every day.',
    ],
    hinted: ['Clean Formula: We leave out the usual preservatives.'],
  }),
  attribute('sulfate free', is('sulfate free'), {
    title: 'Sulfate Free',
    shown: [
      'Gentle: Sulfate free, so {it} clean{s} without stripping.',
      'Formula: The sulfate free lather is mild on skin and color.',
    ],
    hinted: ['Gentle: Foams softly, as harsh detergents are left out.'],
  }),
  attribute('fragrance free', is('fragrance free'), {
    title: 'Fragrance Free',
    shown: [
      'Unscented: Fragrance free for sensitive noses.',
      'Formula: Fragrance free and kind to reactive skin.',
    ],
    hinted: ['Unscented: No perfume has been added.'],
  }),
  attribute('alcohol free', is('alcohol free'), {
    title: 'Alcohol Free',
    shown: ['Mild: Alcohol free, so there is no sting.', 'Formula: Alcohol free and never drying.'],
    hinted: ['Mild: Does not burn, not even on freshly shaved skin.'],
  }),
  attribute('natural ingredients', has('natural ingredients'), {
    title: 'with Natural Ingredients',
    shown: [
      'Natural: Made with natural ingredients, {feature} among them.',
      'Source: At least 90% natural ingredients, and we list every one of them.',
    ],
    hinted: ['Natural: Plants, minerals and little else.'],
  }),
  attribute('essential oils', has('essential oils'), {
    title: 'with Essential Oils',
    shown: [
      'Scent: A blend of essential oils instead of perfume.',
      'Aroma: Lavender, orange and other essential oils turn a routine into a treat.',
    ],
    hinted: ['Scent: Smells of pressed herbs and citrus peel.'],
  }),
  attribute('hyaluronic acid', has('hyaluronic acid'), {
    title: 'Hyaluronic Acid',
    shown: [
      'Moisture: Hyaluronic acid draws water in and holds it there.',
      'Active: With three weights of hyaluronic acid for depth and surface.',
    ],
    hinted: ['Moisture: The molecule that skin itself uses to store water.'],
  }),
  attribute('coconut oil', has('coconut oil'), {
    title: 'with Coconut Oil',
    shown: [
      'Nourishing: Cold-pressed coconut oil softens without weight.',
      'Inside: Coconut oil and a little glycerin.',
    ],
    hinted: ['Nourishing: Rich in a tropical oil that melts at body heat.'],
  }),
  attribute('argan oil', has('argan oil'), {
    title: 'with Argan Oil',
    shown: [
      'Shine: A few drops of argan oil in every bottle bring back shine.',
      'Inside: Pure argan oil, pressed from kernels.',
    ],
    hinted: ['Shine: With a golden oil from Moroccan kernels.'],
  }),
  attribute('tea tree', hasOr('tea tree', 'tea tree'), {
    title: 'Tea Tree',
    shown: [
      'Fresh: Tea tree leaves a cool and clean feeling.',
      'Active: Tea tree extract for skin and scalp that need calming.',
    ],
    hinted: ['Fresh: An Australian leaf gives the tingle.'],
  }),
  attribute('aloe vera', has('aloe vera'), {
    title: 'with Aloe Vera',
    shown: ['Soothing: Aloe vera gel calms and cools.', 'Inside: More aloe vera than water.'],
    hinted: ['Soothing: With the juice of a desert plant known for its calm.'],
  }),
  attribute('shea butter', has('shea butter'), {
    title: 'Shea Butter',
    shown: [
      'Rich: Shea butter melts in and leaves no film.',
      'Inside: Whipped shea butter for elbows, heels and hands.',
    ],
    hinted: ['Rich: A nut butter makes it thick and creamy.'],
  }),
  attribute('sensitive skin', suits('sensitive skin'), {
    title: 'for Sensitive Skin',
    shown: [
      'Tested: Mild enough for sensitive skin, tested by dermatologists.',
      'Gentle: Made with sensitive skin in mind.',
    ],
    hinted: ['Tested: Does not redden or itch, not even on delicate faces.'],
  }),
  attribute('dry skin', suits('dry skin'), {
    title: 'for Dry Skin',
    shown: [
      'Relief: Dry skin feels supple again after a few days.',
      'For You: A daily drink of water for dry skin.',
    ],
    hinted: ['Relief: Flaky and tight patches are soon a memory.'],
  }),
  attribute('dead skin', isAfter('good at removing dead skin'), {
    shown: [
      'Smooth: Lifts off dead skin and leaves a glow.',
      'Renewal: Use twice a week to roll away dead skin.',
    ],
    hinted: ['Smooth: Rough flakes come off with a light rub.'],
  }),
  attribute('fine lines', suits('fine lines'), {
    title: 'for Fine Lines',
    shown: [
      'Results: Fine lines look softer after {few} weeks.',
      'Firming: Plumps up fine lines around eyes and mouth.',
    ],
    hinted: ['Results: The first creases of age fade a little.'],
  }),
  attribute('dark circles', suits('dark circles'), {
    title: 'for Dark Circles',
    shown: [
      'Brightening: Takes the blue out of dark circles.',
      'Awake: Covers and cares for dark circles after short nights.',
    ],
    hinted: ['Brightening: Tired shadows around the eyes get lighter.'],
  }),
  attribute('anti aging', is('anti aging'), {
    title: 'Anti Aging',
    shown: [
      'Care: Anti aging care with peptides, day and night.',
      'Youth: An anti aging routine in one step.',
    ],
    hinted: ['Care: Keeps up the bounce that years take away.'],
  }),
  attribute('damaged hair', suits('damaged hair'), {
    title: 'for Damaged Hair',
    shown: [
      'Repair: Damaged hair gets its strength back strand by strand.',
      'For You: Made for damaged hair, bleached or heat-styled.',
    ],
    hinted: ['Repair: Brings back what bleach and hot irons took.'],
  }),
  attribute('dry hair', suits('dry hair'), {
    title: 'for Dry Hair',
    shown: [
      'Moisture: Dry hair drinks it up in two minutes.',
      'Softness: Turns dry hair silky without leaving it flat.',
    ],
    hinted: ['Moisture: Straw-like ends become easy to comb.'],
  }),
  attribute('hair growth', suits('hair growth'), {
    title: 'for Hair Growth',
    shown: [
      'Roots: Biotin and caffeine support hair growth.',
      'Scalp: Massage in to help hair growth at the temples.',
    ],
    hinted: ['Roots: Wakes up sleepy follicles.'],
  }),
  attribute('hair loss', suits('hair loss'), {
    title: 'for Hair Loss',
    shown: [
      'Strength: Fights hair loss due to breakage.',
      'Density: A daily answer to hair loss for women and men.',
    ],
    hinted: ['Strength: Fewer strands in the drain after {few} weeks.'],
  }),
  attribute('natural hair', suits('natural hair'), {
    title: 'for Natural Hair',
    shown: [
      'Curls: Natural hair from waves to coils stays defined.',
      'For You: Kind to natural hair and protective styles.',
    ],
    hinted: ['Curls: Keeps coils springy without crunch.'],
  }),
  attribute('synthetic hair', of('synthetic hair'), {
    shown: [
      'Fiber: Heat-friendly synthetic hair that looks real.',
      'Material: Premium synthetic hair, hard to tangle.',
    ],
    hinted: ['Fiber: Man-made strands with a natural sheen.'],
  }),
  attribute('easy apply', isAfter('easy to apply'), {
    title: 'Easy Apply',
    shown: ['Simple: Easy apply in seconds, no mirror needed.', 'How To: Easy apply, one swipe is enough.'],
    hinted: ['Simple: Glides on without any practice.'],
  }),
  attribute('easy use', isAfter('easy to use'), {
    title: 'Easy Use',
    shown: [
      'Handy: Easy use at home, and in the gym bag.',
      'Beginners: Easy use from the first try, with a picture guide.',
    ],
    hinted: ['Handy: Nobody needs the manual.'],
  }),
  attribute('easy clean', isAfter('easy to clean'), {
    title: 'Easy Clean',
    shown: ['Care: Easy clean under running water.', 'Hygiene: Easy clean head that comes off with a click.'],
    hinted: ['Care: Rinse, shake, done.'],
  }),
  attribute('high quality', is('high quality'), {
    title: 'High Quality',
    shown: [
      'Quality: High quality {material}, made to be used every day.',
      'Materials: Only high quality parts that do not shed or rust.',
    ],
    hinted: ['Quality: Feels solid in the hand, as a salon tool should.'],
  }),
  attribute('travel size', hasOr('travel size', 'a travel size'), {
    title: 'Travel Size',
    shown: [
      'On the Go: Travel size that passes airport security.',
      'Small: A travel size for purse, desk and weekend bag.',
    ],
    hinted: ['On the Go: Small enough for any carry-on.'],
  }),
  attribute('leak proof', is('leak proof'), {
    title: 'Leak Proof',
    shown: [
      'Sealed: Leak proof cap that survives a turbulent flight.',
      'Safe: Leak proof, even upside down in your bag.',
    ],
    hinted: ['Sealed: Nothing gets out until you press.'],
  }),
  attribute('bpa free', is('bpa free'), {
    title: 'BPA Free',
    shown: [
      'Safe Material: BPA free plastic without any odor.',
      'Material: BPA free and fine for food as well.',
    ],
    hinted: ['Safe Material: The plastic gives nothing off.'],
  }),
  attribute('non toxic', is('non toxic'), {
    title: 'Non Toxic',
    shown: [
      'Safety: Non toxic, and safe around children.',
      'Formula: Non toxic by design, with a short list of ingredients.',
    ],
    hinted: ['Safety: Free of the five chemicals that people worry about.'],
  }),
  attribute('fresh breath', suits('fresh breath'), {
    title: 'Fresh Breath',
    shown: [
      'Mint: Fresh breath that outlasts your coffee.',
      'Confidence: Gives fresh breath for {hours} hours.',
    ],
    hinted: ['Mint: Your mouth stays cool and clean until lunch.'],
  }),
  attribute('teeth whitening', suits('teeth whitening'), {
    title: 'Teeth Whitening',
    shown: [
      'Smile: Gentle teeth whitening that respects enamel.',
      'Stains: Teeth whitening you can see after {few} weeks.',
    ],
    hinted: ['Smile: Lifts tea and wine stains little by little.'],
  }),
  attribute('sensitive teeth', suits('sensitive teeth'), {
    title: 'for Sensitive Teeth',
    shown: [
      'Comfort: Sensitive teeth can enjoy ice cream again.',
      'Gentle: Soft on gums and sensitive teeth.',
    ],
    hinted: ['Comfort: Seals the tiny channels that make cold drinks hurt.'],
  }),
  attribute('stainless steel', of('stainless steel'), {
    title: 'Stainless Steel',
    shown: [
      'Material: Stainless steel that keeps its edge.',
      'Durable: Rust-proof stainless steel, polished by hand.',
    ],
    hinted: ['Material: The metal does not rust in a wet bathroom.'],
  }),
  attribute('double sided', is('double sided'), {
    title: 'Double Sided',
    shown: [
      'Two in One: Double sided, one end for precision and one for speed.',
      'Design: Double sided for detail and for large areas.',
    ],
    hinted: ['Two in One: Turn it around for the other tip.'],
  }),
  attribute('nail art', suits('nail art'), {
    title: 'Nail Art',
    shown: [
      'Creative: Nail art for beginners and professionals.',
      'Ideas: Use {them} for nail art, French tips and accents.',
    ],
    hinted: ['Creative: Paint flowers, dots or marble at your fingertips.'],
  }),
  attribute('water resistant', is('water resistant'), {
    title: 'Water Resistant',
    shown: [
      'Outdoor: Water resistant for 80 minutes of swimming.',
      'Active: Water resistant, so sweat and tears change nothing.',
    ],
    hinted: ['Outdoor: Stays put in the pool and in the rain.'],
  }),
  attribute('highly pigmented', is('highly pigmented'), {
    title: 'Highly Pigmented',
    shown: [
      'Payoff: Highly pigmented, so that a little does a lot.',
      'Color: Highly pigmented shades that look the same on skin as in the pan.',
    ],
    hinted: ['Payoff: Full color with the first stroke.'],
  }),
  attribute('heat resistant', is('heat resistant'), {
    title: 'Heat Resistant',
    shown: [
      'Styling: Heat resistant up to 350 degrees.',
      'Iron: Heat resistant, so you may curl and straighten.',
    ],
    hinted: ['Styling: Irons and dryers leave no mark on it.'],
  }),
  attribute('hair styling', suits('hair styling'), {
    title: 'Hair Styling',
    shown: ['Use: For hair styling and clean edges.', 'Barber: Hair styling at home as in the shop.'],
    hinted: ['Use: Draws crisp lines and fades.'],
  }),
  attribute('eye shadow', suits('eye shadow'), {
    title: 'for Eye Shadow',
    shown: ['Eyes: Small tips for eye shadow and liner.', 'Detail: Blends eye shadow right into the crease.'],
    hinted: ['Eyes: The tapered ones do lids and lash lines.'],
  }),
  attribute('non slip', is('non slip'), {
    title: 'Non Slip',
    shown: ['Grip: Non slip handle for wet hands.', 'Control: Non slip ribs where the fingers lie.'],
    hinted: ['Grip: Lies safely in the hand, even with soap on it.'],
  }),
];
