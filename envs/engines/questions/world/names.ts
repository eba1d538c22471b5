import { purposes, type WorldDraw } from './draw.ts';

/*
 * Names are made of syllables that give no English words. The number of an entity is permuted, then written in a mixed
 * base of syllables: every entity has a name of its own, and two entities share parts of names.
 */

const list = (words: string): readonly string[] => words.split(' ');

const givenStarts = list('Va Mi To Se Do Ka Lu Be Ra No Fe Jo Ti El Os Ha');
const givenEnds = list(
  'lan rel mira dric nessa vin tor lia bran sel gard wen rick dora mund phine lor thea kas ver nic rula stan lisse van brek rin dael mose tavia zar bel',
);
const familyStarts = list('Dol Tar Vel Bren Cas Mor Hal Quin Ster Wol Ash Gren Lor Pav Ked Rud');
const familyMiddles = list('ve ra ko ti mu le da so gi ne pa fi bo ju xa ro');
const familyEnds = list('nor brandt lisk mond vane dell strom quist reth mark low gast tine burn zell hurst');
const townStarts = list('Bar Cor Dun Fal Gor Hol Kel Lim Mar Nor Pel Ros Sul Tor Wen Yar');
const townMiddles = list('a e i o u en ar ol im es un or ath el ick ow');
const townMiddles2 = list('b d f g k l m n p r s t v w th z');
const townEnds = list(
  'bury haven mouth stead wick ford dale minster port field holm cross gate shore fell brook',
);
const regionStarts = list('Ost Vall Merr Thran Kald Bryn Sarn Elm');
const regionEnds = list('aria enland omark ovia');
const adjectives = list(
  'Silent Crooked Amber Hollow Burning Distant Broken Gilded Frozen Wandering Painted Sunken Patient Crimson Borrowed Sleeping Bitter Narrow Velvet Forgotten Restless Tangled Copper Hidden Shallow Weary Gentle Scarlet Woven Lonely Marble Tilted Faithful Pale Rusted Humble Lucid Quiet Stubborn Northern Inner Seventh Final Hasty Mottled Ashen Brittle Second Feathered Spiral Drowned Lesser Kindled Salted Wooden Folded Curious Uneven Timid Winter Ivory Modest Vacant Early',
);
const nouns = list(
  'Lantern Orchard Ladder Compass Harbour Mirror Anvil Cathedral Sparrow Bridge Garden Clock Kettle Window Feather Mountain Staircase Needle Lighthouse Candle Thimble Violin Bellows Archive Hammock Basket Glacier Turnstile Meadow Locket Furnace Pendulum Quarry Sundial Almanac Corridor Blanket Magpie Telescope Saddle Teacup Island Parcel Windmill Ribbon Umbrella Chimney Ferry Cellar Beacon Hourglass Bramble Weathervane Trumpet Causeway Spindle Attic Plough Postcard Balcony Tapestry Cradle Footpath Riddle',
);
const things = list(
  'Ashes Rivers Thorns Kings Salt Echoes Stones Ravens Snow Tides Brass Wolves Letters Bells Glass Smoke Pilgrims Herons Dust Wheels Silk Masks Chalk Foxes Rain Keys Bees Coins Moths Lamps Ropes Maps Shadows Owls Crowns Reeds Iron Bones Wool Sails Figs Drums Ink Nets Pearls Flint Wax Knots Thunder Barley Crows Hinges Marbles Lace Tin Mirrors Vines Sparks Sand Clover Buttons Amber Nails Frost',
);
const organisationKinds = list(
  'Institute Press Guild Academy Foundry Society Trust Company Union College Theatre Observatory Bank Laboratory Museum Collective',
);
const eventKinds = list('Prize Medal Regatta Festival Tournament Fellowship Assembly Exhibition');

/** Bits of the number spaces; each is at least the number of entities in the largest world. */
const bits = { person: 24, work: 18, organisation: 18, town: 16, event: 16 } as const;

export class WorldNames {
  readonly #draw: WorldDraw;

  constructor(draw: WorldDraw) {
    this.#draw = draw;
  }

  /** `Selmira Dolvenor`: given and family name, from 2^24. */
  person(number: number): string {
    const at = new Digits(this.#draw.permute(number, bits.person, purposes.personName));
    return `${at.take(givenStarts)}${at.take(givenEnds)} ${at.take(familyStarts)}${at.take(familyMiddles)}${at.take(familyEnds)}${at.ending()}`;
  }

  /** `The Silent Lantern of Rivers`, from 2^18. */
  work(number: number): string {
    const at = new Digits(this.#draw.permute(number, bits.work, purposes.workName));
    return `The ${at.take(adjectives)} ${at.take(nouns)} of ${at.take(things)}`;
  }

  /** `Tarkovane Institute`, from 2^18. */
  organisation(number: number): string {
    const at = new Digits(this.#draw.permute(number, bits.organisation, purposes.organisationName));
    const kind = at.take(organisationKinds);
    return `${at.take(familyStarts)}${at.take(familyMiddles)}${at.take(familyEnds)}${at.ending()} ${kind}`;
  }

  /** `Baresbury`, from 2^16. */
  town(number: number): string {
    const at = new Digits(this.#draw.permute(number, bits.town, purposes.townName));
    return `${at.take(townStarts)}${at.take(townMiddles)}${at.take(townMiddles2)}${at.take(townEnds)}`;
  }

  /** `Velronor Medal`, from 2^16. */
  event(number: number): string {
    const at = new Digits(this.#draw.permute(number, bits.event, purposes.eventName));
    const kind = at.take(eventKinds);
    return `${at.take(familyStarts)}${at.take(familyMiddles)}${at.take(familyEnds)}${at.bit() === 0 ? '' : 'er'} ${kind}`;
  }

  region(number: number): string {
    const at = new Digits(this.#draw.permuteBelow(number, regionCount, purposes.regionName));
    return `${at.take(regionStarts)}${at.take(regionEnds)}`;
  }
}

export const regionCount = regionStarts.length * regionEnds.length;

/** A number, taken apart digit by digit. */
class Digits {
  #rest: number;

  constructor(value: number) {
    this.#rest = value;
  }

  take(items: readonly string[]): string {
    const digit = this.#rest % items.length;
    this.#rest = Math.floor(this.#rest / items.length);
    return items[digit] as string;
  }

  bit(): number {
    return this.#rest % 2;
  }

  /** A short ending for what is left. */
  ending(): string {
    return this.take(['', 'o', 'is', 'el', 'ur', 'ane', 'ik', 'os']);
  }
}
