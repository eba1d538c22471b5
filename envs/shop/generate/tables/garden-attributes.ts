import { attribute, has, hasOr, is, isAfter, of, suits } from '../attribute.ts';

/** The attributes of furniture and household goods. */
export const gardenAttributes = [
  attribute('easy assemble', isAfter('easy to assemble'), {
    title: 'Easy Assemble',
    shown: [
      'Assembly: Easy assemble in {many} minutes, with numbered parts.',
      'Set-Up: Easy assemble design, all tools are in the box.',
    ],
    hinted: ['Assembly: One person, one screwdriver, one podcast.'],
  }),
  attribute('fully assembled', isAfter('fully assembled'), {
    title: 'Fully Assembled',
    shown: [
      'Ready: Arrives fully assembled, just unwrap it.',
      'No Tools: Comes fully assembled, with felt pads already on.',
    ],
    hinted: ['Ready: Nothing to screw together.'],
  }),
  attribute('easy clean', isAfter('easy to clean'), {
    title: 'Easy Clean',
    shown: [
      'Care: Easy clean surface, a damp cloth is enough.',
      'Everyday: Easy clean, even after children and pets.',
    ],
    hinted: ['Care: Crumbs and spills wipe away.'],
  }),
  attribute('easy install', isAfter('easy to install'), {
    title: 'Easy Install',
    shown: [
      'Mounting: Easy install with the hardware supplied.',
      'Set-Up: Easy install within {many} minutes.',
    ],
    hinted: ['Mounting: Two screws, and it hangs.'],
  }),
  attribute('ready hang', isAfter('ready to hang'), {
    title: 'Ready Hang',
    shown: [
      'Hooks: Ready Hang, with hooks on the back.',
      'Set-Up: Ready hang from the box, nails are supplied.',
    ],
    hinted: ['Hooks: The back is already fitted for a nail.'],
  }),
  attribute('space saving', is('space saving'), {
    title: 'Space Saving',
    shown: [
      'Small Homes: Space saving shape for apartments and corners.',
      'Smart: A space saving answer to narrow rooms.',
    ],
    hinted: ['Small Homes: Tucks away where nothing else would fit.'],
  }),
  attribute('storage space', has('storage space'), {
    title: 'with Storage Space',
    shown: [
      'Room: Plenty of storage space for what lies around.',
      'Order: Hidden storage space keeps the top clear.',
    ],
    hinted: ['Room: There is a place for books, cables and toys.'],
  }),
  attribute('solid wood', of('solid wood'), {
    title: 'Solid Wood',
    shown: [
      'Wood: Solid wood throughout, no particle board.',
      'Material: Kiln-dried solid wood with a visible grain.',
    ],
    hinted: ['Wood: Real timber, oiled and sanded by hand.'],
  }),
  attribute('wood frame', has('a wood frame'), {
    title: 'Wood Frame',
    shown: [
      'Frame: A sturdy wood frame that does not creak.',
      'Build: The wood frame is glued, screwed and doweled.',
    ],
    hinted: ['Frame: Pine inside keeps it stiff.'],
  }),
  attribute('steel frame', has('a steel frame'), {
    title: 'Steel Frame',
    shown: [
      'Frame: Powder-coated steel frame that carries {many}0 lbs.',
      'Build: A welded steel frame without any wobble.',
    ],
    hinted: ['Frame: Metal tubes carry the load.'],
  }),
  attribute('metal legs', has('metal legs'), {
    title: 'Metal Legs',
    shown: ['Legs: Slender metal legs with levelers.', 'Stand: Metal legs, set wide for a firm stand.'],
    hinted: ['Legs: Black iron below, with floor protectors.'],
  }),
  attribute('stainless steel', of('stainless steel'), {
    title: 'Stainless Steel',
    shown: ['Metal: Stainless steel that never rusts.', 'Finish: Polished stainless steel.'],
    hinted: ['Metal: The bright parts stay bright in damp rooms.'],
  }),
  attribute('mid century', hasOr('mid century', 'a mid century look'), {
    title: 'Mid Century',
    shown: [
      'Look: Mid century lines with tapered legs.',
      'Style: Clean mid century charm that does not shout.',
    ],
    hinted: ['Look: As if from a house of the fifties.'],
  }),
  attribute('living room', suits('the living room'), {
    title: 'for Living Room',
    shown: [
      'Where: Made for the living room, at home in a studio too.',
      'Rooms: Gives every living room a calm center.',
    ],
    hinted: ['Where: Put it where the family sits at night.'],
  }),
  attribute('dining room', suits('the dining room'), {
    title: 'for Dining Room',
    shown: [
      'Where: Right for the dining room and for long dinners.',
      'Rooms: Goes into a dining room or a large kitchen.',
    ],
    hinted: ['Where: Around the table where you eat.'],
  }),
  attribute('home decor', suits('home decor'), {
    title: 'Home Decor',
    shown: [
      'Gift: A piece of home decor to give or to keep.',
      'Touch: Home decor that ties a room together.',
    ],
    hinted: ['Gift: Makes bare walls and shelves friendly.'],
  }),
  attribute('machine washable', is('machine washable'), {
    title: 'Machine Washable',
    shown: [
      'Care: Machine washable on cold, tumble dry low.',
      'Easy Care: Machine washable again and again without pilling.',
    ],
    hinted: ['Care: Goes in with the other laundry.'],
  }),
  attribute('super soft', is('super soft'), {
    title: 'Super Soft',
    shown: [
      'Touch: Super soft on both sides.',
      'Cozy: Super soft {material} that you want to keep stroking.',
    ],
    hinted: ['Touch: Like the belly of a kitten.'],
  }),
  attribute('faux leather', of('faux leather'), {
    title: 'Faux Leather',
    shown: ['Cover: Faux leather that wipes clean.', 'Upholstery: Supple faux leather with neat seams.'],
    hinted: ['Cover: Looks like hide, and no animal was needed.'],
  }),
  attribute('high density', has('high density foam'), {
    title: 'High Density Foam',
    shown: ['Seat: High density foam that keeps its shape.', 'Filling: High density sponge over springs.'],
    hinted: ['Seat: The firm filling does not sag.'],
  }),
  attribute('memory foam', has('memory foam'), {
    title: 'Memory Foam',
    shown: ['Comfort: Memory foam follows your back.', 'Inside: A thick layer of memory foam.'],
    hinted: ['Comfort: Slowly gives way under you and slowly returns.'],
  }),
  attribute('lumbar support', has('lumbar support'), {
    title: 'Lumbar Support',
    shown: ['Back: Adjustable lumbar support for long hours.', 'Health: Lumbar support where you need it.'],
    hinted: ['Back: A cushion fills the hollow above your hips.'],
  }),
  attribute('height adjustable', is('height adjustable'), {
    title: 'Height Adjustable',
    shown: [
      'Adjust: Height adjustable to suit you and your table.',
      'Flexible: Height adjustable in {few} steps.',
    ],
    hinted: ['Adjust: Goes up and down with a lever.'],
  }),
  attribute('eco friendly', is('eco friendly'), {
    title: 'Eco Friendly',
    shown: [
      'Planet: Eco friendly paint and recycled packing.',
      'Material: Eco friendly and free of harsh smells.',
    ],
    hinted: ['Planet: From managed forests and safe dyes.'],
  }),
  attribute('heavy duty', is('heavy duty'), {
    title: 'Heavy Duty',
    shown: ['Load: Heavy duty build for every body.', 'Strong: Heavy duty parts, no squeaks.'],
    hinted: ['Load: Carries far more than you will ask of it.'],
  }),
  attribute('white finish', has('a white finish'), {
    title: 'White Finish',
    shown: [
      'Color: A smooth white finish that goes with everything.',
      'Surface: White finish in three coats.',
    ],
    hinted: ['Color: Bright as fresh snow.'],
  }),
  attribute('bronze finish', has('a bronze finish'), {
    title: 'Bronze Finish',
    shown: [
      'Color: An oil-rubbed bronze finish, dark and warm.',
      'Metal: Bronze finish against fingerprints.',
    ],
    hinted: ['Color: The brown metal tone of old hotels.'],
  }),
  attribute('clear glass', hasOr('clear glass', 'clear glass'), {
    title: 'Clear Glass',
    shown: ['Glass: Clear glass with a polished edge.', 'Light: Clear glass lets everything shine.'],
    hinted: ['Glass: Transparent and without bubbles.'],
  }),
  attribute('double sided', is('double sided'), {
    title: 'Double Sided',
    shown: [
      'Two Looks: Double sided, turn it over for a change.',
      'Print: Double sided print in fade-proof ink.',
    ],
    hinted: ['Two Looks: The back is as pretty as the front.'],
  }),
  attribute('non slip', is('non slip'), {
    title: 'Non Slip',
    shown: ['Safety: Non slip backing on all floors.', 'Grip: Non slip dots underneath.'],
    hinted: ['Safety: Does not wander when you walk over it.'],
  }),
  attribute('queen size', hasOr('queen size', 'a queen size'), {
    title: 'Queen Size',
    shown: ['Size: Made for queen size beds.', 'Fits: Queen size, {measure} in all.'],
    hinted: ['Size: Wide enough for two who like some room.'],
  }),
  attribute('box spring', isAfter('usable without a box spring'), {
    title: 'No Box Spring Needed',
    shown: ['Slats: No box spring needed.', 'Support: Strong slats take the place of a box spring.'],
    hinted: ['Slats: Lay the mattress right on top.'],
  }),
  attribute('button tufted', is('button tufted'), {
    title: 'Button Tufted',
    shown: ['Details: Button tufted by hand.', 'Back: A button tufted back for a noble touch.'],
    hinted: ['Details: Deep dimples in even rows.'],
  }),
  attribute('soy wax', of('soy wax'), {
    title: 'Soy Wax',
    shown: ['Wax: Natural soy wax that burns slowly and without soot.', 'Clean: Soy wax and a cotton wick.'],
    hinted: ['Wax: Poured from beans instead of paraffin.'],
  }),
  attribute('lead free', is('lead free'), {
    title: 'Lead Free',
    shown: ['Safe: Lead free, for people and pets.', 'Health: Tested and lead free.'],
    hinted: ['Safe: No heavy metals in wick or glaze.'],
  }),
  attribute('long lasting', is('long lasting'), {
    title: 'Long Lasting',
    shown: [
      'Years: Long lasting quality that you can hand on.',
      'Lifetime: Long lasting, {hours} hours and more.',
    ],
    hinted: ['Years: Outlives most of its kind.'],
  }),
  attribute('wall mounted', is('wall mounted'), {
    title: 'Wall Mounted',
    shown: ['Mounting: Wall mounted, so the floor stays free.', 'Fixing: Can be wall mounted high or low.'],
    hinted: ['Mounting: Screw it above desk or door.'],
  }),
];
