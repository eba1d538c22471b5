import type { Rng } from '../../../core/rng.ts';

export const cipherWords: readonly string[] =
  `about above actor after again agree alarm album alive alone angle animal answer apple arrow autumn balance banana
  basket beach begin below bench berry better blanket block board border bottle bounce branch brave bread breeze bridge bright brother brown
  brush bucket build butter button camera candle carpet castle cattle center chain chair change cheese cherry circle clean clear climb clock
  cloud coast coffee color common copper corner cotton cousin cover crane cross crowd current dance danger daughter deep desert dinner doctor
  dozen dream drive early earth east eight either engine enough evening exact family farmer father feather fence fever field fifty finger
  first flame floor flower follow forest forget fresh friend frozen fruit future garden gather gentle giant glass golden grain grass gravel
  green ground group guest guitar hammer happy harbor harvest heavy hidden honey horse hotel house humble hunter island jacket jewel journey
  judge juice jungle kettle kitchen knife ladder large later laugh lemon letter light listen little lizard local lucky lunch magnet maple
  market matter meadow melody memory metal middle minute mirror modern moment money month morning mother motor mountain mouse music narrow
  nation needle never night noble noise north number object ocean office often olive onion orange orbit other owner oxygen palace paper parrot
  pattern pencil people pepper picture pilot planet plenty pocket police potato powder prince puzzle quarter queen quick quiet rabbit radio
  railway rapid ready reason recipe record ribbon river rocket rough round royal sailor salad sample school season secret seven shadow shape
  sharp shelter shine short silver simple sister sleep small smile smooth snow south spare spider spring square stable station steam stone
  storm story stream street strong sugar summer sunny supper sweet table teacher temple thank thick thing thirty thread thunder ticket tiger
  timber today tomato tower train travel treasure tunnel turtle twelve uncle under valley velvet village violin visit voice wagon walnut
  warm water weather wheel whisper white winter wisdom wonder wooden world yellow young zebra`
    .toUpperCase()
    .split(/\s+/);

/** Different common English words, in capitals. */
export const drawWords = (rng: Rng, count: number): string[] => {
  const drawn = new Set<string>();
  while (drawn.size < count) drawn.add(rng.pick(cipherWords));
  return [...drawn];
};
