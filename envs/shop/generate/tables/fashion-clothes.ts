import type { TypeTable } from '../product-type.ts';
import {
  apparelColor,
  dressSize,
  jeansSize,
  lengthStyle,
  letterSize,
  sockSize,
  waistSize,
} from './option-kinds.ts';

const women = 'Clothing, Shoes & Jewelry › Women › Clothing';
const men = 'Clothing, Shoes & Jewelry › Men › Clothing';

export const clothes: readonly TypeTable[] = [
  {
    query: "women's dresses",
    path: `${women} › Dresses › Casual`,
    thing: 'dress',
    number: 'one',
    heads:
      "Women's Dress, Women's Midi Dress, Women's Maxi Dress, Summer Dress for Women, Women's Casual Mini Dress, Women's Cocktail Party Dress",
    asked: "women's dress, dress for women, dress for a woman",
    styles:
      'casual, flowy, boho, elegant, ruffle, wrap, a-line, bodycon, vintage, tiered, floral, off shoulder',
    materials: 'chiffon, jersey, linen blend, lace, satin, viscose, crepe, ribbed knit',
    features:
      'pockets, v neck, spaghetti straps, belted middle, side slit, smocked back, puff shoulders, ruffled hem, keyhole back',
    uses: 'weddings, beach vacations, date nights, office days, garden parties, brunch, summer evenings, family photos',
    measure: 'none',
    prices: [14, 89],
    options: [apparelColor, letterSize, lengthStyle, dressSize],
    attributes:
      'machine wash, hand wash, long sleeve, short sleeve, polyester spandex, daily wear, teen girls, unique design, high quality, high waist, button closure, loose fit',
    pitches: [
      'Silhouette: The {style} shape skims the hips and moves with every step.',
      'Neckline: Pretty, never too deep, and framed by {feature}.',
      'Styling: Wear it with sandals for {use} or with heels and a clutch for {use2}.',
      'Fabric Feel: {material} that is opaque enough to go without a slip.',
      'Hem: Falls nicely on women of most heights; see the chart in the pictures.',
    ],
  },
  {
    query: "women's tops, tees & blouses",
    path: `${women} › Tops, Tees & Blouses › Blouses & Button-Down Shirts`,
    thing: 'blouse',
    number: 'one',
    heads:
      "Women's Blouse, Women's Blouse Top, Women's Tunic Blouse, Blouse Shirt for Women = blouse for women, Women's Chiffon Blouse Top = women's chiffon blouse",
    asked: "women's blouse, blouse for women, women's blouse top",
    styles:
      'casual, flowy, v neck, office, peplum, ruffle, boho, striped, swiss dot, henley, crew neck, plaid',
    materials: 'chiffon, rayon, crepe, satin, gauze, jersey, poplin',
    features:
      'lantern cuffs, front pleats, lace trim, tie neck, curved hem, notch collar, roll tabs, keyhole neck',
    uses: 'work, weekends, meetings, dinners, school runs, travel, church, spring days',
    measure: 'none',
    prices: [11, 59],
    options: [apparelColor, letterSize],
    attributes:
      'machine wash, hand wash, long sleeve, short sleeve, button closure, relaxed fit, loose fit, polyester spandex, light weight, daily wear, teen girls, unique design',
    pitches: [
      'Pairing: Goes with jeans, leggings and pencil skirts alike.',
      'Shape: The {style} cut hides what you want hidden and shows the rest.',
      'Details: Look for {feature} and neatly finished seams.',
      'Season: {material} that feels cool in July and layers well in January.',
      'Occasions: Ready for {use} and, with a necklace, for {use2}.',
    ],
  },
  {
    query: "women's sweaters",
    path: `${women} › Sweaters › Pullovers`,
    thing: 'sweater',
    number: 'one',
    heads:
      "Women's Sweater, Women's Pullover Sweater, Women's Oversized Sweater, Women's Knit Sweater Cardigan = women's knit cardigan, Turtleneck Sweater for Women",
    asked: "women's sweater, sweater for women",
    styles:
      'oversized, cable knit, chunky, crewneck, turtleneck, batwing, color block, cropped, cozy, striped',
    materials: 'acrylic knit, wool blend, mohair blend, cotton knit, chenille, fleece',
    features:
      'side slits, drop shoulders, balloon cuffs, ribbed hem, thumb holes, front pockets, a wide collar',
    uses: 'fall walks, cold offices, holidays, ski trips, evenings at home, campfires, apple picking',
    measure: 'none',
    prices: [16, 85],
    options: [apparelColor, letterSize],
    attributes:
      'machine wash, hand wash, long sleeve, relaxed fit, loose fit, button closure, polyester cotton, contrast color, unique design, daily wear, high quality, dry clean',
    pitches: [
      'Warmth: Thick enough for {use} and still fine under a coat.',
      'Yarn: {material} without any itch, even on bare skin.',
      'Length: Covers the hips, so leggings are welcome.',
      'Style: {aStyle} look that you can dress up with boots or down with sneakers.',
      'Finish: {feature} and a neckline that keeps its form.',
    ],
  },
  {
    query: "women's pants",
    path: `${women} › Pants › Casual`,
    thing: 'pants',
    number: 'many',
    heads:
      "Women's Pants, Women's Yoga Pants, Women's Palazzo Pants, Women's Lounge Pants, Work Pants for Women, Women's Jogger Pants",
    asked: "women's pants, pants for women",
    leads: 'a pair of, some',
    styles: 'stretch, cropped, flowy, bootcut, casual, skinny, pleated, paperbag, flare, cargo',
    materials: 'ponte, jersey, linen blend, twill, buttery nylon, rayon',
    features:
      'deep pockets, back pockets, ankle cuffs, belt loops, a hidden pocket, front pleats, an elastic hem',
    uses: 'yoga, long flights, the office, lazy Sundays, gym sessions, errands, evenings out',
    measure: 'none',
    prices: [15, 69],
    options: [apparelColor, letterSize, lengthStyle],
    attributes:
      'machine wash, elastic waist, high waist, tummy control, wide leg, straight leg, drawstring closure, moisture wicking, quick drying, cotton spandex, polyester spandex, daily wear',
    pitches: [
      'Stretch: Four-way give for {use} and for sitting cross-legged.',
      'Pockets: With {feature}, large enough for a phone and keys.',
      'Coverage: Squat-proof {material} that never turns shiny.',
      'Style: {style} lines that go with tees as well as blazers.',
      'Sizing: True to size; between two, take the smaller one.',
    ],
  },
  {
    query: "women's coats, jackets & vests",
    path: `${women} › Coats, Jackets & Vests › Down & Parkas`,
    thing: 'jacket',
    number: 'one',
    heads:
      "Women's Jacket, Women's Winter Coat Jacket = women's winter jacket, Women's Puffer Jacket, Hooded Jacket for Women, Women's Fleece Jacket",
    asked: "women's jacket, jacket for women",
    styles: 'hooded, quilted, cropped, long, sherpa, puffer, windproof, packable, military, fitted',
    materials: 'nylon, softshell, fleece, corduroy, wool blend, down alternative',
    features:
      'a removable hood, two-way zip, inner pockets, storm cuffs, a fluffy collar, reflective piping, a belt',
    uses: 'winter walks, ski weekends, dog walks, commutes, camping, city trips, rainy mornings',
    measure: 'none',
    prices: [28, 189],
    options: [apparelColor, letterSize],
    attributes:
      'machine wash, hand wash, dry clean, long sleeve, zipper closure, button closure, faux fur, water resistant, light weight, slim fit, quick drying, high quality',
    pitches: [
      'Insulation: Warm down to freezing without making you look like a snowman.',
      'Pockets: Two at the sides, one inside, and {feature}.',
      'Wind: The {material} shell stops gusts on {use}.',
      'Layering: Roomy enough for a thick pullover underneath.',
      'Look: {aStyle} piece that you will wear from October to April.',
    ],
  },
  {
    query: "women's lingerie, sleep & lounge",
    path: `${women} › Lingerie, Sleep & Lounge › Sleep & Lounge › Sets`,
    thing: 'pajama set',
    number: 'one',
    heads:
      "Women's Pajama Set, Pajama Set for Women, Women's Pajama Loungewear Set = women's loungewear set, Women's 2 Piece Pajama Set Sleepwear = women's 2 piece pajama set",
    asked: "women's pajama set, pajama set for women",
    styles: 'two piece, cami, notch collar, plaid, satin look, cozy, star print, ribbed, floral, capri',
    materials: 'satin, bamboo viscose, jersey, flannel, modal, waffle knit',
    features:
      'a chest pocket, lace edging, adjustable straps, piped seams, side pockets, a matching eye mask',
    uses: 'slumber parties, hospital bags, honeymoons, lazy mornings, hot nights, long winters',
    measure: 'none',
    prices: [14, 58],
    options: [apparelColor, letterSize],
    attributes:
      'machine wash, hand wash, long sleeve, short sleeve, elastic waist, drawstring closure, button closure, polyester spandex, tumble dry, teen girls, high quality, quick drying',
    pitches: [
      'Sleep: {material} that stays cool under the blanket and does not cling.',
      'Set: Top and bottoms that also look good apart.',
      'Gift: Comes folded in a box with a bow.',
      'Comfort: Flat seams and no scratchy label.',
      'Lounge: Nice enough to open the door in, made for {use}.',
    ],
  },
  {
    query: "women's swimsuits & cover ups",
    path: `${women} › Swimsuits & Cover Ups › One-Pieces`,
    thing: 'swimsuit',
    number: 'one',
    heads:
      "Women's Swimsuit, Women's One Piece Swimsuit, Women's Two Piece Tankini Swimsuit = women's tankini swimsuit, Swimsuit for Women, Women's Bathing Suit Swimsuit = women's bathing suit",
    asked: "women's swimsuit, swimsuit for women",
    styles: 'ruched, halter, cutout, v neck, tropical, high cut, monokini, sporty, retro, ruffle',
    materials: 'nylon elastane, ribbed fabric, recycled nylon, mesh, crinkle fabric',
    features: 'removable pads, crisscross straps, mesh panels, an open back, tie knots, adjustable straps',
    uses: 'pool parties, cruises, lap swimming, beach days, water parks, honeymoons',
    measure: 'none',
    prices: [17, 74],
    options: [apparelColor, letterSize, dressSize],
    attributes:
      'hand wash, tummy control, high waist, quick drying, polyester spandex, unique design, teen girls, high quality, contrast color, light weight',
    pitches: [
      'Support: Soft cups and {feature} hold everything in place.',
      'Coverage: Cut so that you can dive, dance and chase children.',
      'Fabric: {material} that shrugs off chlorine and salt.',
      'Flattering: The {style} front draws the eye where you want it.',
      'Vacation: One for {use}, one for {use2}.',
    ],
  },
  {
    query: "men's t-shirts",
    path: `${men} › Shirts › T-Shirts`,
    thing: 't-shirt',
    number: 'one',
    heads:
      "Men's T-Shirt, Men's Tee T-Shirt = men's tee, Men's Graphic T-Shirt, T-Shirt for Men, Men's Henley T-Shirt, Men's Athletic T-Shirt",
    asked: "men's t-shirt, t-shirt for men",
    styles: 'crewneck, v neck, henley, graphic, pocket, raglan, vintage, muscle, longline, striped',
    materials: 'combed cotton, ring-spun cotton, jersey, tri-blend, slub cotton, mesh',
    features:
      'a chest pocket, tagless collar, reinforced seams, a curved hem, a funny print, taped shoulders',
    uses: 'the gym, barbecues, job sites, running, weekends, concerts, layering',
    measure: 'pack',
    prices: [8, 42],
    options: [apparelColor, letterSize, lengthStyle],
    attributes:
      'machine wash, tumble dry, long sleeve, short sleeve, slim fit, classic fit, loose fit, moisture wicking, quick drying, polyester cotton, light weight, contrast color',
    pitches: [
      'Collar: Stays flat after fifty washes and never turns into a wave.',
      'Fabric: {material} with a soft hand from the first day.',
      'Length: Long enough to stay tucked in.',
      'Look: {aStyle} piece for {use} or under a flannel.',
      'Tag: Printed inside, nothing to scratch your neck.',
    ],
  },
  {
    query: "men's dress shirts",
    path: `${men} › Shirts › Dress Shirts`,
    thing: 'dress shirt',
    number: 'one',
    heads:
      "Men's Dress Shirt, Men's Button Down Dress Shirt, Dress Shirt for Men, Men's Business Dress Shirt, Men's Stretch Dress Shirt",
    asked: "men's dress shirt, dress shirt for men",
    styles:
      'solid, checked, spread collar, french cuff, wrinkle-free, striped, printed, mandarin collar, paisley',
    materials: 'poplin, oxford cloth, twill, stretch cotton, broadcloth, bamboo fiber',
    features:
      'a spare collar stay, a chest pocket, adjustable cuffs, a split yoke, pearl buttons, a hidden placket',
    uses: 'weddings, board meetings, graduations, job interviews, dinners, business travel',
    measure: 'none',
    prices: [18, 79],
    options: [apparelColor, letterSize],
    attributes:
      'machine wash, dry clean, long sleeve, short sleeve, slim fit, classic fit, button closure, polyester cotton, cotton spandex, high quality, daily wear, contrast color',
    pitches: [
      'Iron: Hang it in the bathroom while you shower and most creases drop out.',
      'Collar: Stands with a tie and without one.',
      'Cloth: {material} that breathes through {use}.',
      'Details: {feature} and tight, even stitching.',
      'Wear: Under a suit in the week, over jeans on Saturday.',
    ],
  },
  {
    query: "men's jeans",
    path: `${men} › Jeans`,
    thing: 'jeans',
    number: 'many',
    heads: "Men's Jeans, Men's Denim Jeans, Men's Stretch Jeans, Jeans for Men, Men's Ripped Denim Jeans",
    asked: "men's jeans, jeans for men",
    leads: 'a pair of, some',
    styles:
      'bootcut, tapered, ripped, distressed, stonewashed, carpenter, vintage, skinny, cowboy, dark wash',
    materials: 'stretch denim, raw denim, rigid denim, organic denim, 12-ounce denim',
    features: 'five pockets, copper rivets, a hammer loop, reinforced knees, a gusset, contrast thread',
    uses: 'ranch work, nights out, motorcycle rides, casual Fridays, building sites, road trips',
    measure: 'none',
    prices: [19, 98],
    options: [jeansSize, apparelColor, waistSize],
    attributes:
      'machine wash, slim fit, relaxed fit, classic fit, loose fit, straight leg, button closure, zipper closure, cotton spandex, quick drying, daily wear, high quality',
    pitches: [
      'Denim: {material} that softens where you bend and lasts where you kneel.',
      'Seat: Room to squat, without the saggy look.',
      'Pockets: {feature} for knife, wallet and phone.',
      'Wash: The {style} finish is done by hand, so no two are quite the same.',
      'Boots: The leg opening fits over work boots.',
    ],
  },
  {
    query: "men's shorts",
    path: `${men} › Shorts › Cargo`,
    thing: 'shorts',
    number: 'many',
    heads:
      "Men's Shorts, Men's Cargo Shorts, Men's Athletic Shorts, Shorts for Men, Men's Board Shorts, Men's Chino Shorts",
    asked: "men's shorts, shorts for men",
    leads: 'a pair of, some',
    styles: 'cargo, flat front, camo, mesh, hiking, golf, sweat, beach, workout, plaid',
    materials: 'ripstop, twill, mesh, nylon, terry, seersucker',
    features: 'zip pockets, a phone pocket, mesh lining, side vents, belt loops, a towel loop',
    uses: 'hiking, the gym, fishing, golf, boat trips, basketball, yard work',
    measure: 'none',
    prices: [12, 54],
    options: [apparelColor, waistSize, letterSize],
    attributes:
      'machine wash, elastic waist, drawstring closure, zipper closure, button closure, relaxed fit, classic fit, quick drying, moisture wicking, light weight, polyester spandex, daily wear',
    pitches: [
      'Pockets: As many as a workbench, {feature} included.',
      'Length: Ends right above the knee.',
      'Cloth: {material} that stands up to thorns and rope.',
      'Movement: A gusset lets you climb and squat.',
      'Summer: Made for {use}, neat enough for the grill.',
    ],
  },
  {
    query: "men's fashion hoodies & sweatshirts",
    path: `${men} › Fashion Hoodies & Sweatshirts`,
    thing: 'hoodie',
    number: 'one',
    heads:
      "Men's Hoodie, Men's Pullover Hoodie Sweatshirt = men's pullover hoodie, Hoodie for Men, Men's Zip Up Hoodie, Men's Hooded Sweatshirt Hoodie = men's hooded sweatshirt",
    asked: "men's hoodie, hoodie for men",
    styles: 'heavyweight, graphic, color block, workout, oversized, tech, retro, college, camo, sherpa lined',
    materials: 'fleece, french terry, heavyweight cotton, waffle knit, scuba knit',
    features:
      'a kangaroo pocket, thumb holes, ribbed cuffs, a three-piece hood, headphone loop, a phone pocket',
    uses: 'chilly mornings, the gym, travel days, game nights, college, stadium seats',
    measure: 'none',
    prices: [17, 72],
    options: [apparelColor, letterSize],
    attributes:
      'machine wash, tumble dry, dry clean, long sleeve, zipper closure, drawstring closure, polyester cotton, slim fit, loose fit, contrast color, unique design, faux fur',
    pitches: [
      'Hood: Lined twice, so that it stands up on its own.',
      'Inside: {material} that is brushed until it feels like a blanket.',
      'Pocket: Roomy, warm, and with {feature}.',
      'Print: Does not crack or peel; the {style} look stays.',
      'Weight: Just right for {use}.',
    ],
  },
  {
    query: "men's sleep & lounge",
    path: `${men} › Sleep & Lounge › Robes`,
    thing: 'robe',
    number: 'one',
    heads:
      "Men's Robe, Men's Hooded Bathrobe Robe = men's hooded bathrobe, Robe for Men, Men's Fleece Robe, Men's Kimono Robe",
    asked: "men's robe, robe for men, men's bath robe",
    styles: 'hooded, shawl collar, kimono, plaid, spa, long, plush, waffle, hotel',
    materials: 'coral fleece, terry, waffle cotton, velour, flannel, microfiber',
    features: 'two deep pockets, a sewn-on belt, an inner tie, a wide collar, piped edges, turned-up cuffs',
    uses: 'the spa, lazy Sundays, the hot tub, chilly mornings, hotel guests, the sauna',
    measure: 'none',
    prices: [22, 79],
    options: [apparelColor, letterSize],
    attributes:
      'machine wash, tumble dry, hand wash, long sleeve, loose fit, light weight, high quality, contrast color, unique design, quick drying',
    pitches: [
      'Comfort: {material} that dries you while you make coffee.',
      'Belt: Stays put, thanks to {feature}.',
      'Length: Ends at mid-calf on a man of six feet.',
      'Gift: Comes wrapped, for fathers, husbands and sons.',
      'Days: For {use} and everything before the first shower.',
    ],
  },
  {
    query: "men's socks",
    path: `${men} › Socks › Athletic Socks`,
    thing: 'socks',
    number: 'many',
    heads: "Men's Socks, Men's Crew Socks, Men's Ankle Athletic Socks, Socks for Men, Men's Dress Socks",
    asked: "men's socks, socks for men",
    leads: 'a pack of, some',
    styles: 'crew, ankle, no-show, cushioned, striped, compression, hiking, novelty, argyle',
    materials: 'combed cotton, merino blend, bamboo, mesh knit, cotton terry',
    features: 'a reinforced heel, seamless toes, mesh vents, a silicone grip, a padded sole, arch bands',
    uses: 'running, work boots, golf, hiking, tennis, the office, long shifts',
    measure: 'pack',
    prices: [7, 34],
    options: [sockSize, apparelColor],
    attributes:
      'machine wash, tumble dry, moisture wicking, quick drying, arch support, non slip, polyester spandex, light weight, high quality, contrast color, daily wear',
    pitches: [
      'Toe: Closed by hand, so there is no ridge to rub.',
      'Cushion: Thick under heel and ball, thin on top.',
      'Hold: They stay up through {use} without cutting in.',
      'Yarn: {material} that does not slide down or smell.',
      'Pack: Enough for a week away, each with {feature}.',
    ],
  },
];
