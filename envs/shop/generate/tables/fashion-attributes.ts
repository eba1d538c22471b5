import { attribute, has, hasOr, is, isAfter, of, suits } from '../attribute.ts';

/** The attributes of clothes, shoes and bags. */
export const fashionAttributes = [
  attribute('machine wash', is('machine washable'), {
    title: 'Machine Washable',
    shown: [
      'Easy Care: Machine wash cold with like colors, and hang to dry.',
      'Care: After {use} a cold machine wash, inside out, is all that {it} need{s}.',
    ],
    hinted: [
      'Washing: Put {them} in the washer on a gentle cycle; {it} keep{s} {its} shape wash after wash.',
    ],
  }),
  attribute('hand wash', is('hand washable'), {
    title: 'Hand Wash',
    shown: [
      'Care Instructions: Hand wash in cool water, do not bleach, dry flat in the shade.',
      'Care: We suggest hand wash only, so that the {material} stays as soft as on the first day.',
    ],
    hinted: ['Washing: Best cared for in the sink with a mild soap rather than in a washer.'],
  }),
  attribute('tumble dry', isAfter('fine to tumble dry'), {
    shown: [
      'Drying: Tumble dry on low and take {them} out while still a little damp.',
      'Care: Wash on cold, tumble dry low, cool iron if needed.',
    ],
    hinted: ['Drying: The dryer will not harm {them} on its lowest setting.'],
  }),
  attribute('dry clean', isAfter('fine to dry clean'), {
    title: 'Dry Clean Only',
    shown: [
      'Care: Dry clean only; a garment bag is included.',
      'Care Label: Please dry clean to keep the {material} in shape.',
    ],
    hinted: ['Care: Leave the cleaning to professionals to keep the finish.'],
  }),
  attribute('long sleeve', hasOr('long sleeve', 'long sleeves'), {
    title: 'Long Sleeve',
    shown: [
      'Sleeves: Long sleeve cut with ribbed cuffs that stay where you push them.',
      'Design: A long sleeve style that layers well under jackets and over tanks.',
    ],
    hinted: ['Sleeves: They reach down to the wrist and can be rolled up and buttoned.'],
  }),
  attribute('short sleeve', hasOr('short sleeve', 'short sleeves'), {
    title: 'Short Sleeve',
    shown: [
      'Sleeves: Short sleeve cut for warm days and free movement.',
      'Style: The short sleeve shape can be worn alone or under a light jacket.',
    ],
    hinted: ['Sleeves: They end well above the elbow and flare a little.'],
  }),
  attribute('slim fit', hasOr('slim fit', 'a slim fit'), {
    title: 'Slim Fit',
    shown: [
      'Fit: Slim fit through the body; go one size up for more room.',
      'Cut: A modern slim fit that follows your lines and never pinches.',
    ],
    hinted: ['Fit: Cut close to the body with a narrow silhouette.'],
  }),
  attribute('relaxed fit', hasOr('relaxed fit', 'a relaxed fit'), {
    title: 'Relaxed Fit',
    shown: [
      'Fit: Relaxed fit with room to move, true to size.',
      'Cut: The relaxed fit drapes well and flatters most figures.',
    ],
    hinted: ['Fit: Easygoing cut that leaves some air around you.'],
  }),
  attribute('classic fit', hasOr('classic fit', 'a classic fit'), {
    title: 'Classic Fit',
    shown: [
      'Fit: Classic fit, neither tight nor baggy.',
      'Cut: A timeless classic fit that you order in your usual size.',
    ],
    hinted: ['Fit: The traditional cut that you know from older wardrobes.'],
  }),
  attribute('loose fit', hasOr('loose fit', 'a loose fit'), {
    title: 'Loose Fit',
    shown: [
      'Fit: Loose fit for lazy days, with dropped shoulders.',
      'Cut: Oversized and loose fit; take a size down for a neater look.',
    ],
    hinted: ['Fit: Generous and airy all around, made to hang freely.'],
  }),
  attribute('button closure', has('a button closure'), {
    title: 'Button Closure',
    shown: [
      'Closure: Button closure with sturdy buttons, and a spare one inside.',
      'Details: The button closure at the front opens and closes with one hand.',
    ],
    hinted: ['Closure: A row of matching buttons down the front.'],
  }),
  attribute('zipper closure', has('a zipper closure'), {
    title: 'Zipper Closure',
    shown: [
      'Closure: Smooth zipper closure that does not catch the lining.',
      'Details: Metal zipper closure with an easy-grip pull.',
    ],
    hinted: ['Closure: Zips up all the way in one go.'],
  }),
  attribute('drawstring closure', has('a drawstring closure'), {
    shown: [
      'Waist: Elasticated, with a drawstring closure to set it as you like.',
      'Closure: A drawstring closure with metal tips that do not slip back.',
    ],
    hinted: ['Waist: Tie the cord at the front as tight as you want.'],
  }),
  attribute('elastic waist', has('an elastic waist'), {
    title: 'Elastic Waist',
    shown: [
      'Waist: A wide elastic waist that moves with you and leaves no marks.',
      'Comfort: Pull-on style with an elastic waist, no buttons and no belt.',
    ],
    hinted: ['Waist: Stretches when you sit and springs back when you stand.'],
  }),
  attribute('high waist', hasOr('high waist', 'a high waist'), {
    title: 'High Waist',
    shown: [
      'Waist: High waist design that covers the belly and makes legs look longer.',
      'Cut: The high waist stays up through {use}.',
    ],
    hinted: ['Rise: Sits right at the navel for more coverage.'],
  }),
  attribute('tummy control', has('tummy control'), {
    title: 'Tummy Control',
    shown: [
      'Shaping: A double front panel gives gentle tummy control.',
      'Support: Tummy control without squeezing, all day.',
    ],
    hinted: ['Shaping: The firm front panel smooths your middle.'],
  }),
  attribute('wide leg', hasOr('wide leg', 'wide legs'), {
    title: 'Wide Leg',
    shown: [
      'Cut: Wide leg shape that swings as you walk.',
      'Style: The wide leg goes with flats and heels alike.',
    ],
    hinted: ['Cut: Falls straight and roomy from the hip down.'],
  }),
  attribute('straight leg', hasOr('straight leg', 'straight legs'), {
    title: 'Straight Leg',
    shown: [
      'Cut: Straight leg from knee to hem that fits over boots.',
      'Style: A clean straight leg that never goes out of fashion.',
    ],
    hinted: ['Cut: The same width from the thigh to the ankle.'],
  }),
  attribute('polyester spandex', of('polyester spandex'), {
    shown: [
      'Fabric: 95% polyester 5% elastane; a polyester spandex blend that is stretchy and hard to wrinkle.',
      'Material: Polyester spandex knit, light and smooth on the skin.',
    ],
    hinted: ['Fabric: A stretchy synthetic jersey that does not crease in a suitcase.'],
  }),
  attribute('polyester cotton', of('polyester cotton'), {
    shown: [
      'Fabric: A soft polyester cotton mix that hardly shrinks.',
      'Material: Polyester cotton fleece, brushed on the inside.',
    ],
    hinted: ['Fabric: Half synthetic, half natural fibers, so {it} dr{ies} fast and still breathe{s}.'],
  }),
  attribute('cotton spandex', of('cotton spandex'), {
    title: 'Cotton Spandex',
    shown: [
      'Fabric: Breathable cotton spandex that gives with every move.',
      'Material: Cotton spandex, soft as an old favorite and never see-through.',
    ],
    hinted: ['Fabric: Mostly natural fiber with a little stretch in it.'],
  }),
  attribute('faux fur', has('a faux fur lining'), {
    title: 'Faux Fur Lined',
    shown: [
      'Warmth: Lined with plush faux fur that feels like a hug.',
      'Lining: Thick faux fur inside keeps the cold where it belongs.',
    ],
    hinted: ['Warmth: The fluffy lining is animal-friendly and dense.'],
  }),
  attribute('moisture wicking', is('moisture wicking'), {
    title: 'Moisture Wicking',
    shown: [
      'Performance: Moisture wicking fabric moves sweat away before you notice it.',
      'Dry Feel: Moisture wicking on the inside, quick to air on the outside.',
    ],
    hinted: ['Performance: Draws sweat off the skin and lets it go.'],
  }),
  attribute('quick drying', is('quick drying'), {
    title: 'Quick Drying',
    shown: [
      'Performance: Quick drying material, ready again in an hour or two.',
      'Travel: Light, quick drying and small when rolled up.',
    ],
    hinted: ['Performance: Hang {them} up in the evening, wear {them} in the morning.'],
  }),
  attribute('light weight', is('light weight'), {
    title: 'Light Weight',
    shown: [
      'Feel: So light weight that you forget you are wearing {them}.',
      'Packing: Light weight and easy to fold, good for {use}.',
    ],
    hinted: ['Feel: Weigh{s} next to nothing, even after hours.'],
  }),
  attribute('rubber sole', hasOr('rubber sole', 'a rubber sole'), {
    title: 'Rubber Sole',
    shown: [
      'Outsole: Rubber sole with deep grooves for wet streets.',
      'Sole: A flexible rubber sole, stitched and glued to last.',
    ],
    hinted: ['Outsole: The grippy bottom bends with your foot and wears down slowly.'],
  }),
  attribute('non slip', is('non slip'), {
    title: 'Non Slip',
    shown: [
      'Safety: The non slip tread holds on tiles, decks and rainy stairs.',
      'Grip: Non slip pattern underneath for a sure step.',
    ],
    hinted: ['Grip: The tread bites into smooth floors, so that you stay on your feet.'],
  }),
  attribute('memory foam', has('a memory foam insole'), {
    title: 'Memory Foam',
    shown: [
      'Comfort: Memory foam insole that learns the shape of your foot.',
      'Cushioning: A layer of memory foam takes the edge off hard floors.',
    ],
    hinted: ['Comfort: The soft footbed sinks in slowly and comes back slowly.'],
  }),
  attribute('arch support', has('arch support'), {
    title: 'Arch Support',
    shown: [
      'Support: Built-in arch support for people who stand all day.',
      'Footbed: Contoured, with firm arch support and a deep heel cup.',
    ],
    hinted: ['Footbed: A raised middle keeps the foot from rolling inwards.'],
  }),
  attribute('lace closure', has('a lace closure'), {
    shown: [
      'Closure: Lace closure with metal eyelets for a snug fit.',
      'Fit: The lace closure lets you set the width over the instep.',
    ],
    hinted: ['Closure: Tie the flat laces as firm as you like.'],
  }),
  attribute('open toe', hasOr('open toe', 'an open toe'), {
    title: 'Open Toe',
    shown: [
      'Design: Open toe shape that shows your pedicure and keeps feet cool.',
      'Style: Open toe and soft straps for warm evenings.',
    ],
    hinted: ['Design: Your toes are free and get all the air they want.'],
  }),
  attribute('ankle strap', has('an ankle strap'), {
    title: 'Ankle Strap',
    shown: [
      'Hold: Adjustable ankle strap with a small buckle.',
      'Secure: The ankle strap keeps your heel in place on stairs.',
    ],
    hinted: ['Hold: Buckles above the heel so that nothing flaps.'],
  }),
  attribute('steel toe', hasOr('steel toe', 'a steel toe'), {
    title: 'Steel Toe',
    shown: [
      'Protection: Steel toe cap tested for falling tools.',
      'Work Safety: The steel toe is roomy and does not press.',
    ],
    hinted: ['Protection: A metal cap in front guards against whatever drops.'],
  }),
  attribute('water resistant', is('water resistant'), {
    title: 'Water Resistant',
    shown: [
      'Weather: Water resistant outside, so light rain just rolls off.',
      'Protection: A water resistant finish against puddles and drizzle.',
    ],
    hinted: ['Weather: Drops bead on the surface and can be shaken off.'],
  }),
  attribute('daily wear', suits('daily wear'), {
    title: 'Daily Wear',
    shown: [
      'Occasions: Good for daily wear as well as {use2}.',
      'Versatile: Made for daily wear, and neat enough for dinner.',
    ],
    hinted: ['Occasions: From breakfast to bedtime, any day of the week.'],
  }),
  attribute('teen girls', suits('teen girls'), {
    title: 'for Teen Girls',
    shown: [
      'Gift: A welcome present for teen girls and grown women alike.',
      'Who: Loved by teen girls, students and young professionals.',
    ],
    hinted: ['Gift: High school and college students will want to keep {them}.'],
  }),
  attribute('contrast color', has('contrast color'), {
    title: 'Contrast Color',
    shown: [
      'Look: Contrast color at cuffs and hem sets {them} apart.',
      'Details: Seams in contrast color, straight and even.',
    ],
    hinted: ['Look: Two tones that play against each other.'],
  }),
  attribute('unique design', has('a unique design'), {
    title: 'Unique Design',
    shown: [
      'Look: A unique design drawn in our own studio.',
      'Style: The unique design is sure to be noticed.',
    ],
    hinted: ['Look: You will not see this pattern on everybody else.'],
  }),
  attribute('high quality', is('high quality'), {
    title: 'High Quality',
    shown: [
      'Workmanship: High quality {material}, even stitches, no loose threads.',
      'Made to Last: High quality throughout, checked piece by piece.',
    ],
    hinted: ['Workmanship: Seams are doubled wherever there is strain.'],
  }),
];
